"""A job as Server-Sent Events, until it ends."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any

from litestar import Request
from litestar.response import ServerSentEvent
from litestar.response.sse import ServerSentEventMessage

from muniment.api.lasting import lasting
from muniment.errors import MunimentError
from muniment.model.job import ENDED, Job
from muniment.tenancy.principal import Principal


async def job_stream(request: Request[Principal, Any, Any], states: AsyncGenerator[Job, None]) -> ServerSentEvent:
    """The response. What goes wrong before the first event is raised, and so answered with a status of its own; what
    goes wrong later, also with the credential, comes as an event ``error`` with its code, and ends the stream."""
    first = await anext(states)
    return ServerSentEvent(_messages(request, first, states))


async def _messages(
    request: Request[Principal, Any, Any], first: Job, states: AsyncGenerator[Job, None]
) -> AsyncIterator[ServerSentEventMessage]:
    async with aclosing(lasting(request, states)) as later:
        yield _message(first)
        try:
            async for job in later:
                yield ServerSentEventMessage(data=None, comment="nothing changes") if job is None else _message(job)
        except MunimentError as error:
            yield ServerSentEventMessage(event="error", data=error.code)


def _message(job: Job) -> ServerSentEventMessage:
    return ServerSentEventMessage(
        event="ended" if job.state in ENDED else "progress", data=job.model_dump_json(exclude_none=True)
    )
