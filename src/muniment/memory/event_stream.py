"""The events of a question, as a server sends them."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

import httpx
from httpx_sse import EventSource, SSEError
from pydantic import TypeAdapter, ValidationError

from muniment.errors import MunimentError
from muniment.memory.transport import problem_in, unreachable
from muniment.model.events import QueryEvent, ResultEvent

_EVENTS: Final[TypeAdapter[QueryEvent]] = TypeAdapter(QueryEvent)
_ERROR: Final = "error"
_KNOWN: Final = frozenset({"stage", "evidence", "answer_delta", "retracted", "result"})


async def events_of(response: httpx.Response) -> AsyncGenerator[QueryEvent, None]:
    """The events, up to the result; raises the error that the server tells of, and ``server.unreachable`` where the
    stream ends before either. Kinds of events that this version does not know are passed over."""
    try:
        async with aclosing(EventSource(response).aiter_sse()) as received:
            async for event in received:
                if event.event == _ERROR:
                    raise problem_in(event.data.encode(), response.status_code)
                if event.event not in _KNOWN:
                    continue
                told = _EVENTS.validate_json(event.data)
                yield told
                if isinstance(told, ResultEvent):
                    return
    except (SSEError, ValidationError) as error:
        raise MunimentError("internal", "the server's answer is no stream of events") from error
    except httpx.HTTPError as error:
        raise unreachable(error) from error
    raise MunimentError("server.unreachable", "the server ended the answer before its end")
