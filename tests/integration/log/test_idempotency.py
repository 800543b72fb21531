"""Idempotency keys: one effect and one run for a request, however often and by how many it is made."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import text
from writing import ATLAS, all_records, assert_sealed_without_gaps, counts, fetch, memo, turns

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log import idempotency
from muniment.log.idempotency import Claim
from muniment.log.ingestion import SourceIngestion
from muniment.log.runs import Ticket, get_run
from muniment.log.writer import Writer
from muniment.model.namespace import Namespace
from muniment.model.source import IngestionRun, SourceInput
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant

Write = Callable[[str | None], Awaitable[IngestionRun]]


@pytest.fixture(params=["sources", "messages"])
def write(request: pytest.FixtureRequest, writer: Writer, tenant: Tenant) -> Write:
    """The same request each time, of either kind, under a key."""

    async def sources(key: str | None) -> IngestionRun:
        return await writer.ingest_sources(
            tenant.number, ATLAS, [memo("one", "a"), memo("two", "b")], idempotency_key=key
        )

    async def messages(key: str | None) -> IngestionRun:
        return await writer.ingest_messages(
            tenant.number, ATLAS, turns("one", "two"), group_id="chat", idempotency_key=key
        )

    return sources if request.param == "sources" else messages


async def test_the_same_request_again_gets_its_run_and_has_no_second_effect(
    write: Write, database: Database, tenant: Tenant
) -> None:
    first = await write("key-1")
    before = await counts(database, tenant)
    assert await write("key-1") == first == await get_run(database, tenant.number, first.id)
    assert await counts(database, tenant) == before
    assert (await write("key-2")).id != first.id


async def test_many_at_once_have_one_effect(write: Write, database: Database, tenant: Tenant) -> None:
    answers = await asyncio.gather(*(write("key") for _ in range(8)), return_exceptions=True)
    runs = [answer for answer in answers if isinstance(answer, IngestionRun)]
    refusals = [answer for answer in answers if not isinstance(answer, IngestionRun)]
    assert {run.id for run in runs} == {runs[0].id} and runs[0].state == "succeeded"
    assert all(isinstance(error, MunimentError) and error.code == "idempotency.in_progress" for error in refusals)
    assert [record.text for record in await all_records(database, tenant)] == ["one", "two"]
    await assert_sealed_without_gaps(database, tenant)


async def test_a_key_is_bound_to_its_request_and_namespace(
    writer: Writer, tenant: Tenant, other_tenant: Tenant
) -> None:
    await writer.ingest_sources(tenant.number, ATLAS, [memo("one")], idempotency_key="k")
    for namespace, source in (
        (ATLAS, memo("two")),
        (ATLAS, memo("one", "other key")),
        (Namespace(project_id="atlas", user_id="maya"), memo("one")),
        (Namespace(project_id="atlas", session_id="monday"), memo("one")),
    ):
        with pytest.raises(MunimentError) as refused:
            await writer.ingest_sources(tenant.number, namespace, [source], idempotency_key="k")
        assert refused.value.code == "idempotency.mismatch"
    with pytest.raises(MunimentError) as refused:
        await writer.ingest_messages(tenant.number, ATLAS, turns("one"), group_id="c", idempotency_key="k")
    assert refused.value.code == "idempotency.mismatch"
    other = await writer.ingest_sources(other_tenant.number, ATLAS, [memo("two")], idempotency_key="k")
    assert other.items[0].state == "stored"


@pytest.mark.parametrize("key", ["", " a", "a ", "a\nb", "ключ", "x" * 256])
async def test_what_cannot_be_a_key_is_refused(writer: Writer, tenant: Tenant, key: str) -> None:
    with pytest.raises(MunimentError) as refused:
        await writer.ingest_sources(tenant.number, ATLAS, [memo("one")], idempotency_key=key)
    assert refused.value.code == "idempotency.key_invalid"


async def test_a_request_that_is_still_running_is_said_to_be(write: Write, database: Database, tenant: Tenant) -> None:
    await write("key")
    await _unfinish(database, tenant, "interval '1 minute'")
    with pytest.raises(MunimentError) as refused:
        await write("key")
    assert refused.value.code == "idempotency.in_progress"


async def test_after_its_lease_the_run_of_a_writer_that_died_is_ended_not_repeated(
    write: Write, database: Database, tenant: Tenant
) -> None:
    first = await write("key")
    before = await counts(database, tenant)
    await _unfinish(database, tenant, "interval '-1 second'")
    assert await write("key") == first
    assert await counts(database, tenant) == before
    state = await fetch(database, tenant, "select response is not null from muniment.idempotency")
    assert [tuple(row) for row in state] == [(True,)]


async def test_what_a_dead_writer_left_undone_is_done_under_its_run(
    writer: Writer, database: Database, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = [memo("one", "a"), memo("two", "b"), memo("three", "c")]

    ingest = SourceIngestion.ingest

    async def dies_at_the_second(self: SourceIngestion, source: SourceInput, ticket: Ticket, *more: Any) -> None:
        if ticket.item_no == 1:
            raise asyncio.CancelledError
        await ingest(self, source, ticket, *more)

    monkeypatch.setattr(SourceIngestion, "ingest", dies_at_the_second)
    with pytest.raises(asyncio.CancelledError):
        await writer.ingest_sources(tenant.number, ATLAS, sources, idempotency_key="key")
    monkeypatch.undo()
    (left,) = await fetch(database, tenant, "select run_id from muniment.ingestion_run")
    running = await get_run(database, tenant.number, f"r_{left[0].hex}")
    assert (running.state, len(running.items)) == ("running", 1)
    run = await writer.ingest_sources(tenant.number, ATLAS, sources, idempotency_key="key")
    assert (run.id, run.state) == (running.id, "succeeded")
    assert [item.state for item in run.items] == ["stored"] * 3
    assert [record.text for record in await all_records(database, tenant)] == ["one", "two", "three"]


async def test_a_request_that_adds_to_a_run_has_one_effect_and_gets_its_own_items(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    run = await writer.ingest_sources(tenant.number, ATLAS, [memo("one", "a")], idempotency_key="first")
    more = [memo("two", "b"), memo("three", "c")]
    added = await writer.ingest_sources(tenant.number, ATLAS, more, idempotency_key="second", run=run.id)
    assert added.id == run.id and [item.index for item in added.items] == [1, 2]
    before = await counts(database, tenant)
    assert await writer.ingest_sources(tenant.number, ATLAS, more, idempotency_key="second", run=run.id) == added
    assert await counts(database, tenant) == before
    assert len((await get_run(database, tenant.number, run.id)).items) == 3
    for sources, to in ((more[:1], run.id), (more, None)):
        with pytest.raises(MunimentError) as refused:
            await writer.ingest_sources(tenant.number, ATLAS, sources, idempotency_key="second", run=to)
        assert refused.value.code == "idempotency.mismatch"


async def test_what_a_dead_writer_left_undone_of_an_addition_is_done_as_the_same_items(
    writer: Writer, database: Database, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = await writer.ingest_sources(tenant.number, ATLAS, [memo("one", "a")])
    more = [memo("two", "b"), memo("three", "c")]
    ingest = SourceIngestion.ingest

    async def dies_at_the_last(self: SourceIngestion, source: SourceInput, ticket: Ticket, *rest: Any) -> None:
        if ticket.item_no == 2:
            raise asyncio.CancelledError
        await ingest(self, source, ticket, *rest)

    monkeypatch.setattr(SourceIngestion, "ingest", dies_at_the_last)
    with pytest.raises(asyncio.CancelledError):
        await writer.ingest_sources(tenant.number, ATLAS, more, idempotency_key="key", run=run.id)
    monkeypatch.undo()
    assert (await get_run(database, tenant.number, run.id)).state == "running"
    done = await writer.ingest_sources(tenant.number, ATLAS, more, idempotency_key="key", run=run.id)
    assert [(item.index, item.state) for item in done.items] == [(1, "stored"), (2, "stored")]
    whole = await get_run(database, tenant.number, run.id)
    assert (whole.state, len(whole.items)) == ("succeeded", 3)


async def test_an_addition_whose_claim_has_an_unknown_outcome_is_still_its_own(
    writer: Writer, database: Database, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = await writer.ingest_sources(tenant.number, ATLAS, [memo("one", "a")])
    claim = idempotency.claim_addition
    lost = [True]

    async def answer_is_lost(*given: Any, **named: Any) -> Claim:
        claimed = await claim(*given, **named)
        if lost.pop() if lost else False:
            raise MunimentError("store.unavailable", "the connection was lost")
        return claimed

    monkeypatch.setattr(idempotency, "claim_addition", answer_is_lost)
    added = await writer.ingest_sources(tenant.number, ATLAS, [memo("two", "b")], idempotency_key="key", run=run.id)
    assert [(item.index, item.state) for item in added.items] == [(1, "stored")]
    assert (await get_run(database, tenant.number, run.id)).state == "succeeded"


async def test_the_lease_is_extended_for_as_long_as_the_request_runs(
    database: Database, tenant: Tenant, settings: Settings
) -> None:
    database.settings = settings.model_copy(update={"idempotency_lease": 1.0})
    claimed = await idempotency.claim(database, tenant.number, "key", 1, b"hash", 7)
    assert (claimed.run_no, claimed.state) == (7, "fresh")
    async with idempotency.held(database, tenant.number, "key", claimed, release=False):
        await asyncio.sleep(1.5)
        with pytest.raises(MunimentError) as refused:
            await idempotency.claim(database, tenant.number, "key", 1, b"hash", 8)
        assert refused.value.code == "idempotency.in_progress"
    await asyncio.sleep(1.2)
    taken = await idempotency.claim(database, tenant.number, "key", 1, b"hash", 9)
    assert (taken.run_no, taken.state) == (7, "resumed")


async def _unfinish(database: Database, tenant: Tenant, lease: str) -> None:
    statement = f"update muniment.idempotency set response = null, lease_until = now() + {lease}"  # noqa: S608
    async with database.scope(tenant.number) as scope:
        await scope.connection.execute(text(statement))
