"""Provisional text goes to standard error; standard output holds what has been checked, or events as JSON lines."""

import json
from collections.abc import AsyncIterator

import pytest

from muniment.cli.streaming import shown
from muniment.model.events import (
    AnswerDeltaEvent,
    EvidenceEvent,
    QueryEvent,
    ResultEvent,
    RetractedEvent,
    StageEvent,
)
from muniment.model.result import QueryResult

RESULT = QueryResult(
    query_id="q_1", question="Who?", answer="Liam.", abstain=False, citations=[], score=0.5, duration_ms=2.0
)
EVENTS: list[QueryEvent] = [
    StageEvent(name="plan", decision="3 of 3 \x1b[2Jterms", duration_ms=1.0),
    EvidenceEvent(hits=[]),
    AnswerDeltaEvent(text="It is [bold]Noah"),
    RetractedEvent(because="no record says Noah"),
    ResultEvent(result=RESULT),
]


async def _events() -> AsyncIterator[QueryEvent]:
    for event in EVENTS:
        yield event


async def test_people_see_the_provisional_text_beside_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert await shown(_events(), as_json=False) == RESULT
    seen = capsys.readouterr()
    assert seen.out == ""
    assert (
        "It is [bold]Noah\n" in seen.err and "retracted: no record says Noah" in seen.err and "\x1b[2J" not in seen.err
    )


async def test_programs_get_a_line_of_json_an_event(capsys: pytest.CaptureFixture[str]) -> None:
    assert await shown(_events(), as_json=True) is None
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["type"] for line in lines] == ["stage", "evidence", "answer_delta", "retracted", "result"]
