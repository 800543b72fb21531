"""A job as Server-Sent Events, until it ends."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator

from litestar.response import ServerSentEvent
from litestar.response.sse import ServerSentEventMessage

from muniment.errors import MunimentError
from muniment.model.job import ENDED, Job

_QUIET_SECONDS = 15.0  # after which a comment keeps proxies from closing the connection


async def job_stream(states: AsyncGenerator[Job, None]) -> ServerSentEvent:
    """The response; what goes wrong before the first event is raised, and so answered with a status of its own."""
    first = await anext(states)
    return ServerSentEvent(_messages(first, states))


async def _messages(first: Job, states: AsyncGenerator[Job, None]) -> AsyncIterator[ServerSentEventMessage]:
    yield _message(first)
    waiting: asyncio.Task[Job | None] | None = None
    try:
        while True:
            waiting = waiting or asyncio.create_task(_next(states))
            done, _ = await asyncio.wait({waiting}, timeout=_QUIET_SECONDS)
            if not done:
                yield ServerSentEventMessage(data=None, comment="nothing changes")
                continue
            job, waiting = waiting.result(), None
            if job is None:
                return
            yield _message(job)
    except MunimentError as error:
        waiting = None
        yield ServerSentEventMessage(event="error", data=error.code)
    finally:
        if waiting is not None:
            waiting.cancel()
        else:
            await states.aclose()


async def _next(states: AsyncIterator[Job]) -> Job | None:
    return await anext(states, None)


def _message(job: Job) -> ServerSentEventMessage:
    return ServerSentEventMessage(
        event="ended" if job.state in ENDED else "progress", data=job.model_dump_json(exclude_none=True)
    )
