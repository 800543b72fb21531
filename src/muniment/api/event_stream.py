"""Server-Sent Events: a question told of while it is answered."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final

from litestar import Request
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, Operation, Schema
from litestar.openapi.spec.enums import OpenAPIType
from litestar.response import ServerSentEvent
from litestar.response.base import ASGIResponse
from litestar.response.sse import ServerSentEventMessage

from muniment.api.lasting import lasting
from muniment.api.problems import problem_of
from muniment.model.events import QueryEvent

EVENT_STREAM: Final = "text/event-stream"
_EVENT: Final = Schema(  # of one event of the stream, as its fields are decoded
    type=OpenAPIType.OBJECT,
    description="One Server-Sent Event. Its data is JSON: of the kind that the event names, or problem details.",
    properties={
        "event": Schema(
            type=OpenAPIType.STRING, enum=["stage", "evidence", "answer_delta", "retracted", "result", "error"]
        ),
        "data": Schema(type=OpenAPIType.STRING, content_media_type="application/json"),
    },
    required=["event", "data"],
)


def wants_events(request: Request[Any, Any, Any], stream: bool | None) -> bool:
    """Whether the caller asks for events: by ``stream``, or where that is not given by its Accept header."""
    return EVENT_STREAM in request.headers.get("accept", "") if stream is None else stream


async def event_stream(request: Request[Any, Any, Any], events: AsyncGenerator[QueryEvent, None]) -> "EventStream":
    """The response. What goes wrong before the first event is raised, and so answered with problem details and a
    status of its own; what goes wrong later, also with the credential, comes as an event ``error`` with problem
    details, and ends the stream."""
    first = await anext(events)
    return EventStream(_messages(request, first, events), headers={"Cache-Control": "no-store"})


async def _messages(
    request: Request[Any, Any, Any], first: QueryEvent, events: AsyncGenerator[QueryEvent, None]
) -> AsyncIterator[ServerSentEventMessage]:
    async with aclosing(lasting(request, events)) as later:  # where the caller has gone, the question is given up
        yield _message(first)
        try:
            async for event in later:
                yield ServerSentEventMessage(data=None, comment="still at work") if event is None else _message(event)
        except Exception as error:
            yield ServerSentEventMessage(event="error", data=problem_of(request, error).model_dump_json())


def _message(event: QueryEvent) -> ServerSentEventMessage:
    return ServerSentEventMessage(event=event.type, data=event.model_dump_json())


class EventStream(ServerSentEvent):
    """Server-Sent Events from a handler that otherwise answers with JSON."""

    def to_asgi_response(self, *args: Any, **others: Any) -> ASGIResponse:
        """As the base does, which lets the handler's media type pass over that of the response."""
        return super().to_asgi_response(*args, **(others | {"media_type": EVENT_STREAM}))


@dataclass
class StreamingOperation(Operation):
    """An operation of the OpenAPI document that may answer with an event stream in place of its JSON."""

    def __post_init__(self) -> None:
        answer = (self.responses or {}).get("200")
        if not isinstance(answer, OpenAPIResponse) or answer.content is None:
            return
        for media in answer.content.values():
            if isinstance(media.schema, Schema) and media.schema.one_of:
                media.schema = media.schema.one_of[0]  # the other is the stream, which is no JSON
        answer.content[EVENT_STREAM] = OpenAPIMediaType(schema=_EVENT)
