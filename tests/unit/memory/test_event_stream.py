"""A server's events are read as they are, and a stream that breaks is an error with a code."""

import json

import httpx
import pytest

from muniment.errors import MunimentError
from muniment.memory.event_stream import events_of
from muniment.model.events import QueryEvent

STAGE = 'event: stage\r\ndata: {"type": "stage", "name": "plan", "decision": null, "duration_ms": 1.5}\r\n\r\n'
RESULT = {
    "type": "result",
    "result": {
        "query_id": "q_1", "question": "Who?", "answer": "Liam\n\nVance", "abstain": False, "citations": [],
        "score": 0.5, "duration_ms": 2.0,
    },
}  # fmt: skip
PROBLEM = {"code": "store.busy", "detail": "not in time", "status": 503, "title": "x", "type": "x", "facts": {"a": 1}}


async def read(*parts: str, kind: str = "text/event-stream") -> list[QueryEvent]:
    request = httpx.Request("POST", "http://server/api/v1/query")
    response = httpx.Response(200, headers={"content-type": kind}, content="".join(parts).encode(), request=request)
    return [event async for event in events_of(response)]


def sent(name: str, data: object) -> str:
    return f"event: {name}\r\ndata: {json.dumps(data)}\r\n\r\n"


async def test_events_come_up_to_the_result_and_new_kinds_are_passed_over() -> None:
    events = await read(STAGE, ": still at work\r\n\r\n", sent("news", {"type": "news"}), sent("result", RESULT), STAGE)
    assert [event.type for event in events] == ["stage", "result"]


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ((STAGE, sent("error", PROBLEM)), "store.busy"),
        ((STAGE, sent("error", {"code": "of.a.later.version"})), "internal"),
        ((STAGE,), "server.unreachable"),
        ((sent("stage", {"type": "stage"}),), "internal"),
    ],
)
async def test_a_stream_that_ends_badly_is_an_error(parts: tuple[str, ...], code: str) -> None:
    with pytest.raises(MunimentError) as caught:
        await read(*parts)
    assert caught.value.code == code
    assert code != "store.busy" or caught.value.facts == {"a": 1}


async def test_an_answer_that_is_no_stream_is_an_error() -> None:
    with pytest.raises(MunimentError) as caught:
        await read("<html>", kind="text/html")
    assert caught.value.code == "internal"
