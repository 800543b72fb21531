"""The temporal route in a search: what happened then is found, whenever it was said."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from asking import ATLAS, BOREALIS, search, write_chat
from sqlalchemy import text

from muniment.database.pool import Database
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.result import SearchResult
from muniment.retrieval.engine import Retriever
from muniment.retrieval.explain.explaining import explain
from muniment.retrieval.runs import get_query_run
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant


@pytest.fixture
def writer(database: Database, settings: Settings) -> Writer:
    """Writes without vectors: the routes by words and times are what is tested."""
    return Writer(database, None, None, settings)


@pytest.fixture
def retriever(database: Database, settings: Settings) -> Retriever:
    return Retriever(database, None, None, settings)


async def say(
    writer: Writer, tenant: Tenant, content: str, at: datetime, group_id: str = "chat", namespace: Namespace = ATLAS,
    **more: str,
) -> str:  # fmt: skip
    """One message; the id of its record."""
    message = Message(speaker="Maria", content=content, at=at, **more)
    run = await writer.ingest_messages(tenant.number, namespace, [message], group_id=group_id)
    return run.items[0].record_ids[0]


def ranks(result: SearchResult) -> dict[str, int]:
    """The ranks that the temporal route gave to the hits."""
    return {hit.record_id: hit.routes["temporal"].rank for hit in result.hits if "temporal" in hit.routes}


def first(result: SearchResult) -> str:
    """The record that the temporal route put first."""
    return next(record for record, rank in ranks(result).items() if rank == 1)


async def test_two_weeks_before_a_date_finds_what_happened_then_though_it_was_said_in_july(
    writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    july = datetime(2023, 7, 20, 10, tzinfo=UTC)
    told_later = await say(writer, tenant, "On 26 May 2023 the parcel from Oslo came.", july)
    said_then = await say(writer, tenant, "A parcel will come in July 2024.", datetime(2023, 5, 26, 10, tzinfo=UTC))
    untold = await say(writer, tenant, "No parcel yet.", datetime(2023, 5, 26, 9, tzinfo=UTC))
    result = await search(retriever, tenant, "Which parcel came two weeks before 9 June 2023?")
    assert first(result) == told_later
    assert ranks(result)[untold] < ranks(result)[said_then], "when it was said stood in for when it happened"


async def test_a_record_that_tells_of_no_time_counts_by_when_it_was_said(
    writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    near = await say(writer, tenant, "We painted the fence.", datetime(2023, 5, 26, 10, tzinfo=UTC))
    await say(writer, tenant, "We painted the house.", datetime(2023, 3, 1, 10, tzinfo=UTC))
    assert first(await search(retriever, tenant, "What did we paint on 26 May 2023?")) == near


async def test_relative_times_of_records_and_questions_are_each_read_against_their_own_day(
    writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    friday = await say(writer, tenant, "I rode a horse last Friday.", datetime(2023, 6, 12, 9, tzinfo=UTC))  # 9 June
    await say(writer, tenant, "I rode a camel last Friday.", datetime(2023, 6, 8, 9, tzinfo=UTC))  # 2 June
    asked_at = datetime(2023, 6, 15, 8, tzinfo=timezone(timedelta(hours=9)))
    result = await search(retriever, tenant, "What did I ride last Friday?", asked_at=asked_at)
    assert first(result) == friday


async def test_a_question_that_asks_when_scores_what_the_words_found(
    writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    kayak = await say(writer, tenant, "I bought the kayak yesterday.", datetime(2023, 6, 9, tzinfo=UTC))
    await say(writer, tenant, "Yesterday it rained.", datetime(2023, 6, 9, tzinfo=UTC))
    result = await search(retriever, tenant, "When did I buy the kayak?")
    assert ranks(result) == {kayak: 1}


async def test_what_tells_of_a_time_answers_when_before_what_was_only_said_at_one(
    writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    at = datetime(2023, 6, 9, tzinfo=UTC)
    await say(writer, tenant, "The kayak! I want to buy the kayak.", at)
    told = await say(writer, tenant, "I did buy a boat yesterday, the kayak of my uncle, for little.", at)
    assert first(await search(retriever, tenant, "When did I buy the kayak?")) == told


async def test_a_question_without_a_time_leaves_the_route_empty(
    writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    await say(writer, tenant, "I bought the kayak yesterday.", datetime(2023, 6, 9, tzinfo=UTC))
    result = await search(retriever, tenant, "Who may have bought the kayak?")
    assert result.hits and ranks(result) == {}


async def test_what_was_known_then_is_searched_and_what_others_say_is_not(
    writer: Writer, retriever: Retriever, tenant: Tenant, other_tenant: Tenant, database: Database
) -> None:
    at, question = datetime(2023, 6, 9, tzinfo=UTC), "What happened on 8 June 2023?"
    old = await say(writer, tenant, "It snowed yesterday.", at, id="weather")
    async with database.scope(tenant.number) as scope:
        before = (await scope.connection.execute(text("select commits from muniment.log_head"))).scalar_one()
    new = await say(writer, tenant, "It hailed yesterday.", at, id="weather")
    await say(writer, tenant, "It poured yesterday.", at, namespace=BOREALIS)
    await say(writer, other_tenant, "It thundered yesterday.", at)
    assert ranks(await search(retriever, tenant, question, known_at=before)) == {old: 1}
    assert ranks(await search(retriever, tenant, question)) == {new: 1}


async def test_of_records_with_the_same_words_the_one_of_the_named_time_comes_first(
    writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    july = datetime(2023, 7, 20, 10, tzinfo=UTC)
    await say(writer, tenant, "On 3 April 2023 Ben signed the lease.", july)
    told = await say(writer, tenant, "On 26 May 2023 Ada signed the lease.", july)
    result = await search(retriever, tenant, "Who signed the lease two weeks before 9 June 2023?")
    assert result.hits[0].record_id == told
    untimed = await search(
        retriever, tenant, "Who signed the lease two weeks before 9 June 2023?", without=["temporal"]
    )
    assert untimed.hits[0].record_id != told, "the words alone tell them apart"


async def test_the_run_says_which_interval_was_read(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database
) -> None:
    await say(writer, tenant, "On 26 May 2023 the parcel from Oslo came.", datetime(2023, 7, 20, 10, tzinfo=UTC))
    result = await search(retriever, tenant, "What came in May 2023?")
    run = await get_query_run(database, tenant.number, result.query_id)
    detail = (next(stage.detail for stage in run.stages if stage.name == "plan") or {})["time"]
    assert detail["from"] == "2023-05-01T00:00:00+00:00" and detail["to"] == "2023-06-01T00:00:00+00:00"


async def test_the_person_may_is_no_month(
    database: Database, writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    """What was said in the month of May gains nothing by a question about a person of that name."""
    await write_chat(writer, tenant, [("May", "The ferry is late."), ("Ada", "The ferry is early.")])  # in May 2023
    for question, dated in (("What did May say of the ferry?", False), ("What was said of the ferry in May?", True)):
        found = await search(retriever, tenant, question)
        told = await explain(database, retriever.tools, tenant.number, found.query_id)
        assert told.hits
        assert {term.in_date for hit in told.hits for term in hit.terms if term.term.strip("~") == "may"} == {dated}
        if not dated:
            assert found.hits[0].speaker == "May"


async def test_a_german_question_is_answered_by_its_time_and_a_time_that_is_not_read_is_told(
    writer: Writer, retriever: Retriever, tenant: Tenant, database: Database
) -> None:
    friday = datetime(2023, 6, 9, 12, tzinfo=UTC)
    await say(writer, tenant, "Der Vertrag ist fertig.", friday - timedelta(days=30))
    wanted = await say(writer, tenant, "Der Vertrag ist fertig, sagte Ann.", friday - timedelta(days=7))
    result = await search(retriever, tenant, "Was war letzten Freitag mit dem Vertrag?", asked_at=friday)
    assert first(result) == wanted and not any("looks like a time" in note for note in result.notes)
    unread = await search(retriever, tenant, "Which Vertrag was signed last sprint?", asked_at=friday)
    note = '"last sprint" looks like a time that could not be read: it was searched for as words'
    assert note in unread.notes
    assert note in (await get_query_run(database, tenant.number, unread.query_id)).notes
