"""Facts enter the log sealed and with their evidence, once, and only as long as their evidence counts."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from writing import all_records, fetch, memo

from muniment.database.pool import Database
from muniment.extraction.statements import Span, Statement
from muniment.log import facts as facts_module
from muniment.log.facts import Extracted, FactsWritten, write_facts
from muniment.log.validate import validate
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.request import SearchRequest
from muniment.retrieval.engine import Retriever
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant

SAID = datetime(2026, 3, 12, 9, tzinfo=UTC)
MAYA = Namespace(project_id="atlas", user_id="maya")
LISBON = "I live in Lisbon now."
CLOSE_FIRST = """
  update muniment.liveness set live_to_commit = 2 where record_no = (select min(record_no) from muniment.liveness)
  returning record_no"""


def message(content: str, **more: Any) -> Message:
    return Message(speaker="Maya", content=content, at=SAID, **more)


async def say(writer: Writer, tenant: Tenant, *messages: Message, group: str = "chat") -> list[tuple[int, int]]:
    """The numbers of the records and of their group."""
    run = await writer.ingest_messages(tenant.number, MAYA, list(messages), group_id=group)
    found = await fetch(writer.database, tenant, "select record_no, group_no, record_id from muniment.record")
    numbers = {f"d_{row[2].hex}": (row[0], row[1]) for row in found}
    return [numbers[each] for each in run.items[0].record_ids]


def lives_in(record: int, place: str = "Lisbon", text: str = LISBON) -> Statement:
    start = text.index(place)
    return Statement(
        "Maya", "lives_in", place, f"Maya lives in {place}.", (Span(record, start, start + len(place)),), "person",
        "place",
    )  # fmt: skip


def found(record: int, group: int, *statements: Statement, extractor: str = "rules:1") -> Extracted:
    return Extracted("rules", extractor, group, [record], list(statements))


async def live_facts(database: Database, tenant: Tenant) -> list[str]:
    rows = await fetch(
        database,
        tenant,
        "select c.text from muniment.fact f join muniment.record_content c using (tenant_id, record_no)"
        " join muniment.liveness l using (tenant_id, record_no) where l.live_to_commit is null order by f.record_no",
    )
    return [row[0] for row in rows]


async def states(database: Database, tenant: Tenant) -> Sequence[Any]:
    rows = await fetch(
        database, tenant, "select state, facts, extractor, attempts from muniment.extraction order by record_no"
    )
    return [tuple(row) for row in rows]


async def test_a_fact_is_sealed_with_its_evidence_and_its_times(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    ((record, group),) = await say(writer, tenant, message(LISBON))
    since = datetime(2026, 3, 1, tzinfo=UTC)
    written = await write_facts(
        database, tenant.number, found(record, group, replace(lives_in(record), event_from=since))
    )
    assert written == FactsWritten(new=1)
    row = (
        await fetch(
            database,
            tenant,
            "select f.subject, f.relation, f.object, f.event_from, f.event_to, f.said_at, f.extractor, r.kind,"
            " r.said_at, r.event_from, e.basis_no, e.span_start, e.span_end from muniment.fact f"
            " join muniment.record r using (tenant_id, record_no)"
            " join muniment.evidence e using (tenant_id, record_no)",
        )
    )[0]
    assert row[:9] == ("Maya", "lives_in", "Lisbon", since, None, SAID, "rules:1", "fact", None)
    assert row[9:] == (since, record, 10, 16)
    assert await states(database, tenant) == [("facts", 1, "rules:1", 1)]
    assert (await validate(database, tenant.number)).findings == []


async def test_an_extraction_run_again_adds_nothing(writer: Writer, database: Database, tenant: Tenant) -> None:
    ((record, group),) = await say(writer, tenant, message(LISBON))
    once = found(record, group, lives_in(record), lives_in(record))
    both = await asyncio.gather(*(write_facts(database, tenant.number, once) for _ in range(3)))
    assert sum(each.new for each in both) == 1
    assert await write_facts(database, tenant.number, once) == FactsWritten()
    assert await live_facts(database, tenant) == ["Maya lives in Lisbon."]
    assert (await fetch(database, tenant, "select commits from muniment.log_head"))[0][0] == 2


async def test_a_statement_without_support_is_never_a_fact(writer: Writer, database: Database, tenant: Tenant) -> None:
    ((record, group),) = await say(writer, tenant, message(LISBON))
    good = lives_in(record)
    bad = [
        replace(good, spans=()),
        replace(good, spans=(Span(record, 0, 1),)),  # "I"
        replace(good, spans=(Span(record, 10, 99),)),  # beyond the text
        replace(good, spans=(Span(record, 16, 16),)),
        replace(good, spans=(Span(record, 10, 16), Span(record, 50, 60))),
        replace(good, object="Porto"),
        replace(good, object=" "),
    ]
    written = await write_facts(database, tenant.number, found(record, group, *bad))
    assert written == FactsWritten(refused=len(bad))
    assert await live_facts(database, tenant) == []
    assert await states(database, tenant) == [("none", 0, "rules:1", 1)]


async def test_what_an_earlier_extractor_found_and_this_one_does_not_is_closed(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    text = "I live in Lisbon and like tea."
    ((record, group),) = await say(writer, tenant, message(text))
    lives = lives_in(record, text=text)
    likes = Statement("Maya", "likes", "tea", "Maya likes tea.", (Span(record, 21, 29),))
    wrong = Statement("Maya", "likes", "Lisbon", "Maya likes Lisbon.", (Span(record, 10, 16),))
    await write_facts(database, tenant.number, found(record, group, lives, wrong))
    written = await write_facts(database, tenant.number, found(record, group, lives, likes, extractor="rules:2"))
    assert written == FactsWritten(new=1, stood=1, closed=1)
    assert await live_facts(database, tenant) == ["Maya lives in Lisbon.", "Maya likes tea."]
    assert await states(database, tenant) == [("facts", 2, "rules:2", 2)]
    assert (await validate(database, tenant.number)).findings == []


async def test_evidence_that_was_replaced_meanwhile_gives_no_fact(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    ((record, group),) = await say(writer, tenant, message(LISBON, id="m1"))
    await say(writer, tenant, message("I live in Porto now.", id="m1"))
    assert await write_facts(database, tenant.number, found(record, group, lives_in(record))) == FactsWritten()
    assert await live_facts(database, tenant) == []


async def test_evidence_closed_between_reading_and_sealing_gives_no_fact(
    writer: Writer, database: Database, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by whoever closes records without the lock of their group."""
    ((record, group), (other, _)) = await say(writer, tenant, message(LISBON), message("I live in Porto."))
    seal = facts_module.seal

    async def closing(*arguments: Any) -> Any:
        monkeypatch.setattr(facts_module, "seal", seal)
        await fetch(database, tenant, CLOSE_FIRST)
        return await seal(*arguments)

    monkeypatch.setattr(facts_module, "seal", closing)
    both = Extracted(
        "rules", "rules:1", group, [record, other], [lives_in(record), lives_in(other, "Porto", "I live in Porto.")]
    )
    assert (await write_facts(database, tenant.number, both)).new == 1
    assert await live_facts(database, tenant) == ["Maya lives in Porto."]


async def test_a_replaced_message_takes_what_rests_on_it_alone(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    said = await say(writer, tenant, message(LISBON, id="m1"), message("Yes, in Lisbon.", id="m2"))
    (first, group), (second, _) = said
    both = replace(
        lives_in(first), spans=(Span(first, 10, 16), Span(second, 8, 14)), relation="stays_in", text="Maya stays there."
    )
    await write_facts(
        database, tenant.number, Extracted("rules", "rules:1", group, [first, second], [lives_in(first), both])
    )
    await say(writer, tenant, message("I live in Porto now.", id="m1"))
    assert await live_facts(database, tenant) == ["Maya stays there."]
    await say(writer, tenant, message("Yes, in Porto.", id="m2"))
    assert await live_facts(database, tenant) == []
    assert (await validate(database, tenant.number)).findings == []


async def test_a_new_version_of_a_document_archives_the_facts_of_the_old(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    await writer.ingest_sources(tenant.number, MAYA, [memo("Maya lives in Lisbon.")])
    record, group = (await fetch(database, tenant, "select record_no, group_no from muniment.record"))[0]
    fact = lives_in(record, text="Maya lives in Lisbon.")
    assert (await write_facts(database, tenant.number, found(record, group, fact))).new == 1
    await writer.ingest_sources(tenant.number, MAYA, [memo("Maya lives in Porto.")])
    assert await live_facts(database, tenant) == []
    assert await write_facts(database, tenant.number, found(record, group, fact, extractor="rules:2")) == FactsWritten()
    assert (await validate(database, tenant.number)).findings == []


async def test_facts_are_no_hits_no_neighbours_and_no_statistics_of_raw_records(
    writer: Writer, database: Database, tenant: Tenant, settings: Settings
) -> None:
    ((record, group),) = await say(writer, tenant, message(LISBON))
    retriever = Retriever(database, None, None, settings)
    asked = SearchRequest(query="Where does Maya live? Lisbon", namespace=MAYA)
    before = await retriever.search(tenant.number, asked)
    await write_facts(database, tenant.number, found(record, group, lives_in(record)))
    after = await retriever.search(tenant.number, asked)
    assert [(hit.record_id, hit.score) for hit in after.hits] == [(hit.record_id, hit.score) for hit in before.hits]
    assert len(await all_records(database, tenant, MAYA)) == 1
    assert [each.kind for each in await all_records(database, tenant, MAYA, kind="fact")] == ["fact"]
