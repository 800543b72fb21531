"""Answers that a model writes are given where the evidence carries them; whatever it or the evidence says beyond that
changes nothing. The model is a scripted endpoint."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from asking import LAUNCH, LAUNCH_QUESTION, ask, write_chat
from model_answers import ANSWER, GOOD, Asking, answering, events_of, is_quoted

from muniment.database.pool import Database
from muniment.log.writer import Writer
from muniment.model.events import ResultEvent
from muniment.providers.chat import Completion
from muniment.retrieval.answer.abstention import ABSTENTION
from muniment.retrieval.engine import Retriever
from muniment.retrieval.profile import DEFAULT
from muniment.retrieval.runs import get_query_run
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant
from scripted_endpoint import Reply, Said, evidence_in, in_turn, verdict


async def test_the_answer_is_the_models_and_its_citation_is_exact(
    connected: Asking, memo: str, tenant: Tenant, database: Database
) -> None:
    async with connected(answering(extra=("E77", "[e1]"))) as (retriever, server):
        result = await ask(retriever, tenant, LAUNCH_QUESTION)
    assert (result.answer, result.abstain) == (ANSWER, False)
    assert memo in [citation.record_id for citation in result.citations]
    assert next(c for c in result.citations if c.record_id == memo).excerpt == LAUNCH
    (request,) = server.requests
    assert request["temperature"] == 0 and LAUNCH_QUESTION in request["messages"][1]["content"]
    run = await get_query_run(database, tenant.number, result.query_id)
    stage = next(stage for stage in run.stages if stage.name == "model")
    assert stage.decision == "given" and stage.detail["model"] == "openai:scripted"
    assert (stage.detail["prompt_tokens"], stage.detail["completion_tokens"]) == (321, 45)
    assert stage.detail["unknown_ids"] == ["E77"] and stage.detail["verdict"]["answer"] == ANSWER
    assert run.answer == ANSWER and {hit.record_id for hit in run.hits if hit.cited} == {
        c.record_id for c in result.citations
    }


async def test_no_database_connection_waits_while_the_model_writes(
    connected: Asking, memo: str, tenant: Tenant, database: Database
) -> None:
    held: list[int] = []

    def script(request: dict[str, Any]) -> Reply:
        held.append(database.engine.pool.checkedout())  # type: ignore[attr-defined]
        return answering()(request)

    async with connected(script) as (retriever, _):
        assert (await ask(retriever, tenant, LAUNCH_QUESTION)).answer == ANSWER
    assert held == [0]


QUOTED = {
    "nothing readable, twice": (Said("I think it is in October."), 2, "could not be read"),
    "cut off at the limit, twice": (Said('{"answer": "The launch', ending="length"), 2, "could not be read"),
    "500": ((500, {}), 1, "status 500"),
    "cut connection": (Said(GOOD.text, cut=True), 1, "cannot be reached"),
    "slow": (Said(GOOD.text, pause=30.0), 1, "in time"),
    "a number that no record says": (verdict("The launch is on 15 October 2026.", "E1", "E2"), 1, "'15'"),
    "a name that no record says": (verdict("Noah Vance confirmed 14 October 2026.", "E1", "E2"), 1, "'noah vance'"),
    "a link": (verdict(f"{ANSWER} ![](https://evil.example/?d=14)", "E1", "E2"), 1, "link"),
}


@pytest.mark.parametrize("case", list(QUOTED))
async def test_what_cannot_be_used_is_replaced_by_a_quotation_and_a_note_says_so(
    case: str, connected: Asking, memo: str, tenant: Tenant
) -> None:
    reply, requests, note = QUOTED[case]
    async with connected(lambda request: reply, answer_timeout=0.5 if case == "slow" else 20.0) as (retriever, server):
        result = await ask(retriever, tenant, LAUNCH_QUESTION)
    assert is_quoted(result)
    assert any(note in each and "quoted" in each for each in result.notes), result.notes
    assert len(server.requests) == requests
    assert result.partial == (case == "slow"), "partial is what a deadline left out, and nothing else"


class Deaf:
    """A model that does not keep to the seconds that it is given."""

    name = "deaf"

    async def complete(self, messages: Any, **given: Any) -> Completion:
        await asyncio.sleep(600)
        raise AssertionError("nobody waits for this")

    async def stream(self, messages: Any, **given: Any) -> AsyncIterator[str | Completion]:
        yield '{"answer": "The launch'
        await asyncio.sleep(600)

    async def close(self) -> None:
        """Holds nothing."""


@pytest.mark.parametrize("limit", ["the request's", "the model's"])
@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
async def test_a_model_that_hangs_leaves_a_partial_answer_that_is_kept_as_such(
    limit: str, streamed: bool, memo: str, tenant: Tenant, database: Database, settings: Settings
) -> None:
    given = settings.model_copy(update={"answer_timeout": 0.5 if limit == "the model's" else 600.0})
    retriever = Retriever(database, None, None, given, chat=Deaf())
    more = {} if limit == "the model's" else {"timeout": 2.0}
    async with asyncio.timeout(300):
        if streamed:
            result = next(e.result for e in await events_of(retriever, tenant, **more) if isinstance(e, ResultEvent))
        else:
            result = await ask(retriever, tenant, LAUNCH_QUESTION, **more)
    assert is_quoted(result) and result.partial
    assert any("language model did not answer in time" in note for note in result.notes), result.notes
    run = await get_query_run(database, tenant.number, result.query_id)
    assert run.partial and next(s.decision for s in run.stages if s.name == "model") == "out of time"


ABSTAINED = {
    "no ids": (verdict(ANSWER), "cited none", "uncited"),
    "ids of nothing": (verdict(ANSWER, "E999", "d_0123"), "cited none", "uncited"),
    "refusal": (Said("", refusal="I will not."), "refused", "model_refused"),
    "its own abstention": (verdict("", abstain=True), None, "model_abstained"),
    "an abstention with an answer": (verdict(ANSWER, "E1", abstain=True), None, "model_abstained"),
}


@pytest.mark.parametrize("case", list(ABSTAINED))
async def test_without_a_valid_citation_there_is_no_answer(
    case: str, connected: Asking, memo: str, tenant: Tenant
) -> None:
    reply, note, reason = ABSTAINED[case]
    async with connected(lambda request: reply) as (retriever, _):
        result = await ask(retriever, tenant, LAUNCH_QUESTION)
    assert (result.answer, result.abstain, result.citations, result.reason) == (ABSTENTION, True, [], reason)
    assert note is None or any(note in each for each in result.notes)


async def test_what_cannot_be_read_is_asked_for_again_with_the_reason(
    connected: Asking, memo: str, tenant: Tenant
) -> None:
    async with connected(in_turn(Said('{"answer": "In October"}'), answering())) as (retriever, server):
        assert (await ask(retriever, tenant, LAUNCH_QUESTION)).answer == ANSWER
    first, second = server.requests
    assert second["messages"][: len(first["messages"])] == first["messages"]
    assert second["messages"][-2] == {"role": "assistant", "content": '{"answer": "In October"}'}
    assert "abstain" in second["messages"][-1]["content"]


@pytest.mark.parametrize("refused", ["json_schema", "json_object"])
async def test_an_endpoint_without_structured_output_answers_too(
    refused: str, connected: Asking, memo: str, tenant: Tenant
) -> None:
    def script(request: dict[str, Any]) -> Reply:
        asked = request.get("response_format", {}).get("type", "")
        if asked == "json_schema" or asked == refused:
            return 400, {"error": {"message": "response_format is not supported"}}
        reply = answering()(request)
        assert isinstance(reply, Said)
        return Said(f"```json\n{reply.text}\n```")

    async with connected(script) as (retriever, _):
        assert (await ask(retriever, tenant, LAUNCH_QUESTION)).answer == ANSWER


async def test_the_profile_says_what_becomes_of_what_no_record_says(
    connected: Asking, memo: str, tenant: Tenant
) -> None:
    wrong = answering("The launch is on 15 October 2026.")
    for choice in ("abstain", "note"):
        profile = replace(DEFAULT, name="strict", answer=replace(DEFAULT.answer, unsupported=choice))  # type: ignore[arg-type]
        async with connected(wrong, profile=profile) as (retriever, _):
            result = await ask(retriever, tenant, LAUNCH_QUESTION)
        assert result.abstain == (choice == "abstain") and any("'15'" in note for note in result.notes)


async def test_without_evidence_and_with_the_model_left_out_it_is_not_asked(
    connected: Asking, memo: str, tenant: Tenant
) -> None:
    async with connected(answering()) as (retriever, server):
        assert (await ask(retriever, tenant, "Who won the 1998 chess olympiad in Elista?")).abstain
        assert is_quoted(await ask(retriever, tenant, LAUNCH_QUESTION, without=["model"]))
    assert server.requests == []


async def test_a_chat_is_shown_with_its_speakers_and_times(connected: Asking, writer: Writer, tenant: Tenant) -> None:
    turns = await write_chat(writer, tenant)
    async with connected(answering("Caroline signed up for a pottery class.", citing="pottery")) as (retriever, server):
        result = await ask(retriever, tenant, "Which class did Caroline sign up for?")
    assert [citation.record_id for citation in result.citations] == [turns[6]]
    item = next(item for item in evidence_in(server.requests[0]) if "pottery" in item["text"])
    assert item["speaker"] == "Caroline" and item["time"] == "2023-05-08T13:56+00:00 (Monday)"
