"""Correcting, forgetting, retracting and undoing: entries of the log that close records and open them again."""

from collections.abc import Awaitable
from typing import Any

import pytest
from sqlalchemy import text
from writing import ATLAS, memo, turns

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.history import history
from muniment.log.lifecycle import correct, forget, retract, undo
from muniment.log.records import get_record, list_records
from muniment.log.validate import validate
from muniment.log.vectors import Embedding
from muniment.log.writer import Writer
from muniment.tenancy.tenants import Tenant

NOTHING = Embedding(None, None)


async def _texts(database: Database, tenant: Tenant) -> list[str | None]:
    return [record.text for record in (await list_records(database, tenant.number, ATLAS)).records]


async def _code(awaitable: Awaitable[Any]) -> str:
    with pytest.raises(MunimentError) as caught:
        await awaitable
    return caught.value.code


async def _valid(database: Database, tenant: Tenant) -> None:
    report = await validate(database, tenant.number)
    assert report.findings == []


@pytest.fixture
async def said(writer: Writer, tenant: Tenant) -> list[str]:
    """Three turns of a conversation."""
    run = await writer.ingest_messages(tenant.number, ATLAS, turns("one", "two", "three"), group_id="chat")
    return run.items[0].record_ids or []


async def test_what_is_forgotten_no_longer_counts_and_stays_in_the_log(
    database: Database, tenant: Tenant, writer: Writer, said: list[str]
) -> None:
    told = await forget(database, tenant.number, [said[1]], "asked to")
    assert (told.event, told.closed, told.changed) == ("forget", [said[1]], True)
    assert await _texts(database, tenant) == ["one", "three"]
    record = await get_record(database, tenant.number, said[1])
    assert (record.live, record.closed_by_commit, record.text) == (False, told.commit, "two")
    await _valid(database, tenant)
    again = await forget(database, tenant.number, [said[1]], "asked to")
    assert (again.commit, again.changed) == (told.commit, False)
    # a client that sends it again does not bring it back
    await writer.ingest_messages(tenant.number, ATLAS, turns("one", "two", "three"), group_id="chat")
    assert (await get_record(database, tenant.number, said[1])).live is False
    assert await _code(forget(database, tenant.number, ["d_" + "0" * 32], "x")) == "record.not_found"
    assert await _code(forget(database, tenant.number, [said[0]], "  ")) == "input.invalid"


async def test_another_tenants_records_are_not_there(
    database: Database, tenant: Tenant, other_tenant: Tenant, said: list[str]
) -> None:
    assert await _code(forget(database, other_tenant.number, said, "x")) == "record.not_found"
    assert await _code(history(database, other_tenant.number, said[0])) == "record.not_found"
    assert await _texts(database, tenant) == ["one", "two", "three"]


async def test_a_correction_takes_the_place_of_what_it_corrects(
    database: Database, tenant: Tenant, said: list[str]
) -> None:
    told = await correct(database, tenant.number, NOTHING, said[1], "twenty-two", "misheard")
    assert told.closed == [said[1]] and told.correction is not None
    correction = await get_record(database, tenant.number, told.correction)
    replaced = await get_record(database, tenant.number, said[1])
    assert (correction.kind, correction.text, correction.live) == ("correction", "twenty-two", True)
    assert (correction.position, correction.group_id) == (replaced.position, replaced.group_id)
    assert (correction.speaker, correction.said_at) == (replaced.speaker, replaced.said_at)
    assert not replaced.live
    assert "twenty-two" in await _texts(database, tenant)
    await _valid(database, tenant)
    again = await correct(database, tenant.number, NOTHING, said[1], "twenty-two", "misheard")
    assert (again.correction, again.changed) == (told.correction, False)
    assert await _code(correct(database, tenant.number, NOTHING, said[1], "other", "x")) == "record.not_live"
    assert await _code(correct(database, tenant.number, NOTHING, said[0], " ", "x")) == "input.empty_text"


async def test_a_retracted_source_counts_for_nothing_and_can_be_ingested_anew(
    database: Database, tenant: Tenant, writer: Writer
) -> None:
    run = await writer.ingest_sources(tenant.number, ATLAS, [memo("The launch is in May.")])
    source = run.items[0].source_id or ""
    told = await retract(database, tenant.number, source, "not ours")
    assert set(told.closed) == set(run.items[0].record_ids or [])
    assert await _texts(database, tenant) == []
    await _valid(database, tenant)
    assert (await retract(database, tenant.number, source, "not ours")).changed is False
    again = await writer.ingest_sources(tenant.number, ATLAS, [memo("The launch is in May.")])
    assert (again.items[0].state, again.items[0].version) == ("stored", 2)
    assert await _code(undo(database, tenant.number, told.commit, "oh")) == "commit.not_undoable"
    await _valid(database, tenant)
    assert await _code(retract(database, tenant.number, "s_nothing", "x")) == "source.not_found"


async def test_a_retracted_conversation_goes_on(
    database: Database, tenant: Tenant, writer: Writer, said: list[str]
) -> None:
    source = (await get_record(database, tenant.number, said[0])).source_id
    told = await retract(database, tenant.number, source, "wrong room")
    assert set(told.closed) == set(said)
    await writer.ingest_messages(tenant.number, ATLAS, turns("four"), group_id="chat")
    assert await _texts(database, tenant) == ["four"]
    await _valid(database, tenant)
    await undo(database, tenant.number, told.commit, "right room")
    assert sorted(str(text) for text in await _texts(database, tenant)) == ["four", "one", "three", "two"]
    await _valid(database, tenant)


@pytest.mark.parametrize("event", ["forget", "correct", "retract"])
async def test_what_is_undone_counts_again(
    database: Database, tenant: Tenant, writer: Writer, said: list[str], event: str
) -> None:
    run = await writer.ingest_sources(tenant.number, ATLAS, [memo("The launch is in May.")])
    before = await _texts(database, tenant)
    if event == "forget":
        told = await forget(database, tenant.number, said[:2], "x")
    elif event == "correct":
        told = await correct(database, tenant.number, NOTHING, said[1], "zwei", "x")
    else:
        told = await retract(database, tenant.number, run.items[0].source_id or "", "x")
    assert await _texts(database, tenant) != before
    undone = await undo(database, tenant.number, told.commit, "a mistake")
    assert set(undone.reopened) == set(told.closed)
    assert await _texts(database, tenant) == before
    await _valid(database, tenant)
    again = await undo(database, tenant.number, told.commit, "a mistake")
    assert (again.commit, again.changed) == (undone.commit, False)
    assert await _code(undo(database, tenant.number, undone.commit, "x")) == "commit.not_undoable"
    assert await _code(undo(database, tenant.number, 10**6, "x")) == "commit.not_found"


async def test_an_undoing_does_not_bring_back_what_was_closed_since(
    database: Database, tenant: Tenant, writer: Writer
) -> None:
    await writer.ingest_sources(tenant.number, ATLAS, [memo("The launch is in May.")])
    (record,) = (await list_records(database, tenant.number, ATLAS)).records
    told = await forget(database, tenant.number, [record.id], "x")
    await writer.ingest_sources(tenant.number, ATLAS, [memo("The launch is in June.")])
    await undo(database, tenant.number, told.commit, "a mistake")
    assert await _texts(database, tenant) == ["The launch is in June."]
    await _valid(database, tenant)


async def _known(database: Database, tenant: Tenant, commit: int) -> list[str]:
    statement = """
      select c.text from muniment.liveness l join muniment.record_content c using (tenant_id, record_no)
       where l.live_from_commit <= :k and (l.live_to_commit is null or l.live_to_commit > :k) order by 1"""
    async with database.scope(tenant.number) as scope:
        return list((await scope.connection.execute(text(statement), {"k": commit})).scalars())


async def test_what_was_known_at_each_commit_stays_what_it_was_through_every_undoing(
    database: Database, tenant: Tenant, writer: Writer, said: list[str]
) -> None:
    run = await writer.ingest_sources(tenant.number, ATLAS, [memo("The launch is in May.")])
    then: dict[int, list[str | None]] = {}

    async def note(commit: int) -> int:
        then[commit] = sorted(await _texts(database, tenant), key=str)
        for past, texts in then.items():
            assert await _known(database, tenant, past) == texts, (past, commit)
        await _valid(database, tenant)
        return commit

    for _ in range(2):  # and again: a record may be closed and opened any number of times
        corrected = await note((await correct(database, tenant.number, NOTHING, said[1], "zwei", "x")).commit)
        await note((await undo(database, tenant.number, corrected, "y")).commit)
        forgot = await note((await forget(database, tenant.number, said[:2], "x")).commit)
        gone = await note((await retract(database, tenant.number, run.items[0].source_id or "", "x")).commit)
        await note((await undo(database, tenant.number, forgot, "y")).commit)
        await note((await undo(database, tenant.number, gone, "y")).commit)
    async with database.scope(tenant.number) as scope:
        rows = "select * from muniment.liveness order by record_no, live_from_commit"
        before = (await scope.connection.execute(text(rows))).all()
        await scope.execute("rebuild.liveness")
        assert (await scope.connection.execute(text(rows))).all() == before and len(before) > 6


async def test_a_correction_that_was_corrected_is_not_undone_before_that(
    database: Database, tenant: Tenant, said: list[str]
) -> None:
    first = await correct(database, tenant.number, NOTHING, said[1], "zwei", "x")
    second = await correct(database, tenant.number, NOTHING, first.correction or "", "deux", "x")
    assert await _code(undo(database, tenant.number, first.commit, "y")) == "commit.not_undoable"
    await undo(database, tenant.number, second.commit, "y")
    await undo(database, tenant.number, first.commit, "y")
    assert sorted(str(each) for each in await _texts(database, tenant)) == ["one", "three", "two"]
    await _valid(database, tenant)


async def test_a_history_tells_all_that_befell_a_record(database: Database, tenant: Tenant, said: list[str]) -> None:
    corrected = await correct(database, tenant.number, NOTHING, said[1], "zwei", "in German")
    await undo(database, tenant.number, corrected.commit, "in English after all")
    forgotten = await forget(database, tenant.number, [said[1]], "no more")
    told = await history(database, tenant.number, said[1])
    assert [version.text for version in told.versions] == ["two", "zwei"]
    mine = [(e.event, e.detail.get("reason")) for e in told.entries if e.record_id in (said[1], None)]
    assert mine == [
        ("record", None),
        ("correct", "in German"),
        ("close", "correct"),
        ("undo", "in English after all"),
        ("forget", "no more"),
        ("close", "forget"),
    ]
    assert told.entries[-1].commit == forgotten.commit
    same = await history(database, tenant.number, corrected.correction or "")
    assert same.entries == told.entries
