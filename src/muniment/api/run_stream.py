"""Query runs as Server-Sent Events: live, or one from its beginning."""

from collections.abc import AsyncIterator

from litestar.response import ServerSentEvent
from litestar.response.sse import ServerSentEventMessage

from muniment.model.query_runs import QueryRun, RunEvent
from muniment.retrieval.feed import Listening, RunFeed

_QUIET_SECONDS = 15.0  # after which a comment keeps proxies from closing the connection


def live_runs(feed: RunFeed, tenant: int) -> ServerSentEvent:
    """All that happens in the tenant's runs in this process, without an end."""
    return ServerSentEvent(_live(feed, tenant))


async def _live(feed: RunFeed, tenant: int) -> AsyncIterator[ServerSentEventMessage]:
    with feed.listen(tenant) as listening:
        yield ServerSentEventMessage(data=None, comment="listening")
        async for message in _messages(listening):
            yield message


def running_run(feed: RunFeed, tenant: int, query_id: str) -> ServerSentEvent:
    """A run that is under way, from its beginning to its end."""
    return ServerSentEvent(_follow(feed, tenant, query_id))


async def _follow(feed: RunFeed, tenant: int, query_id: str) -> AsyncIterator[ServerSentEventMessage]:
    with feed.follow(tenant, query_id) as listening:
        if listening is not None:
            async for message in _messages(listening):
                yield message


async def _messages(listening: Listening) -> AsyncIterator[ServerSentEventMessage]:
    while True:
        event = await listening.next(_QUIET_SECONDS)
        if listening.ended:
            return
        if event is None:
            yield ServerSentEventMessage(data=None, comment="nothing happens")
            continue
        yield _message(event)
        if listening.query_id is not None and event.type in ("finished", "failed"):
            return


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
