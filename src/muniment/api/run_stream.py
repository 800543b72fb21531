"""Query runs as Server-Sent Events: live, or one from its beginning."""

import time
from collections.abc import AsyncIterator
from typing import Any

from litestar import Request
from litestar.response import ServerSentEvent
from litestar.response.sse import ServerSentEventMessage

from muniment.api.lasting import ASK_SECONDS, QUIET_SECONDS, still_opens
from muniment.api.problems import problem_details
from muniment.errors import MunimentError
from muniment.model.query_runs import QueryRun, RunEvent
from muniment.retrieval.feed import Listening, RunFeed
from muniment.tenancy.principal import Principal


def live_runs(request: Request[Principal, Any, Any], feed: RunFeed) -> ServerSentEvent:
    """All that happens in the tenant's runs in this process, for as long as the credential opens it."""
    return ServerSentEvent(_live(request, feed))


async def _live(request: Request[Principal, Any, Any], feed: RunFeed) -> AsyncIterator[ServerSentEventMessage]:
    try:
        with feed.listen(request.user.tenant) as listening:
            yield ServerSentEventMessage(data=None, comment="listening")
            async for message in _messages(request, listening):
                yield message
    except MunimentError as error:
        yield _error(error)


def running_run(request: Request[Principal, Any, Any], feed: RunFeed, query_id: str) -> ServerSentEvent:
    """A run that is under way, from its beginning to its end."""
    return ServerSentEvent(_follow(request, feed, query_id))


async def _follow(
    request: Request[Principal, Any, Any], feed: RunFeed, query_id: str
) -> AsyncIterator[ServerSentEventMessage]:
    try:
        with feed.follow(request.user.tenant, query_id) as listening:
            if listening is not None:
                async for message in _messages(request, listening):
                    yield message
    except MunimentError as error:
        yield _error(error)


async def _messages(
    request: Request[Principal, Any, Any], listening: Listening
) -> AsyncIterator[ServerSentEventMessage]:
    told = time.monotonic()
    while True:
        event = await listening.next(ASK_SECONDS)
        if listening.ended:
            return
        await still_opens(request)
        if event is None:
            if time.monotonic() - told < QUIET_SECONDS:
                continue
            yield ServerSentEventMessage(data=None, comment="nothing happens")
        else:
            yield _message(event)
            if listening.query_id is not None and event.type in ("finished", "failed"):
                return
        told = time.monotonic()


def _error(error: MunimentError) -> ServerSentEventMessage:
    return ServerSentEventMessage(event="error", data=problem_details(error).model_dump_json())


def stored_run(run: QueryRun) -> ServerSentEvent:
    """The events of a run that has ended."""
    return ServerSentEvent(_stored(run))


async def _stored(run: QueryRun) -> AsyncIterator[ServerSentEventMessage]:
    yield _message(RunEvent(type="started", id=run.id, mode=run.mode, question=run.question))
    for stage in run.stages:
        yield _message(
            RunEvent(
                type="stage",
                id=run.id,
                number=stage.number,
                name=stage.name,
                decision=stage.decision,
                duration_ms=stage.duration_ms,
            )
        )
    if run.error is not None:
        yield _message(RunEvent(type="failed", id=run.id, error=run.error, duration_ms=run.duration_ms))
        return
    yield _message(
        RunEvent(
            type="finished",
            id=run.id,
            duration_ms=run.duration_ms,
            hits=len(run.hits),
            abstain=run.abstain,
            score=run.score,
        )
    )


def _message(event: RunEvent) -> ServerSentEventMessage:
    return ServerSentEventMessage(event=event.type, data=event.model_dump_json(exclude_none=True))
