"""Many writers to one tenant at once: each gets its turn, nobody waits in a circle, and the log has no gaps."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

import pytest
from writing import ATLAS, all_records, assert_sealed_without_gaps, conversation, fetch, memo, turns

from muniment.database.pool import Database
from muniment.log.sources import get_source, list_sources
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant

WRITERS = 8


@pytest.fixture
async def database(app_url: str, settings: Settings) -> AsyncIterator[Database]:
    """A pool in which every writer has a connection, so that they meet in the database and not before it."""
    opened = Database(app_url, settings.model_copy(update={"pool_size": WRITERS, "tail_documents": 64}))
    yield opened
    await opened.close()


async def test_writers_of_one_source_key_all_succeed_in_some_order(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    runs = await asyncio.gather(
        *(writer.ingest_sources(tenant.number, ATLAS, [memo(f"version of writer {n}")]) for n in range(WRITERS))
    )
    assert sorted(run.items[0].version or 0 for run in runs) == list(range(1, WRITERS + 1))
    assert len({run.items[0].source_id for run in runs}) == 1
    source = await get_source(database, tenant.number, runs[0].items[0].source_id or "")
    assert [version.version for version in source.versions if version.current] == [WRITERS]
    live = await all_records(database, tenant)
    assert [record.source_version for record in live] == [WRITERS]
    assert await assert_sealed_without_gaps(database, tenant) == WRITERS


async def test_writers_of_the_same_content_store_it_once(writer: Writer, database: Database, tenant: Tenant) -> None:
    runs = await asyncio.gather(
        *(writer.ingest_sources(tenant.number, ATLAS, [memo("the very same")]) for _ in range(WRITERS))
    )
    assert Counter(run.items[0].state for run in runs) == {"stored": 1, "unchanged": WRITERS - 1}
    assert len(await all_records(database, tenant, include_closed=True)) == 1


async def test_writers_of_the_same_bytes_under_other_keys_share_the_blob(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    await asyncio.gather(
        *(writer.ingest_sources(tenant.number, ATLAS, [memo("the very same", f"key {n}")]) for n in range(WRITERS))
    )
    assert (await fetch(database, tenant, "select count(*) from muniment.blob"))[0][0] == 1
    assert len((await list_sources(database, tenant.number, ATLAS))[0]) == WRITERS


async def test_writers_of_one_conversation_keep_each_batch_together(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    async def talk(number: int) -> None:
        for batch in range(4):
            said = turns(*(f"writer {number} batch {batch} turn {turn}" for turn in range(5)))
            await writer.ingest_messages(tenant.number, ATLAS, said, group_id="chat")

    await asyncio.gather(*(talk(number) for number in range(WRITERS)))
    found = await conversation(database, tenant, "chat")
    assert [record.position for record in found] == list(range(WRITERS * 4 * 5))
    for start in range(0, len(found), 5):
        opening = (found[start].text or "").removesuffix("turn 0")
        assert [record.text for record in found[start : start + 5]] == [f"{opening}turn {turn}" for turn in range(5)]
    assert await assert_sealed_without_gaps(database, tenant) == WRITERS * 4


async def test_writers_of_the_same_message_store_it_once(writer: Writer, database: Database, tenant: Tenant) -> None:
    messages = [Message(role="user", content=f"message {n}", id=f"m{n}") for n in range(10)]
    runs = await asyncio.gather(
        *(
            writer.ingest_messages(tenant.number, ATLAS, messages[n % 3 :] + messages[: n % 3], group_id="chat")
            for n in range(WRITERS)
        )
    )
    assert sum(run.items[0].records for run in runs) == 10
    assert len(await all_records(database, tenant, include_closed=True)) == 10


async def test_everything_at_once_in_any_order_ends_without_a_deadlock(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    maya = Namespace(project_id="atlas", user_id="maya")

    async def work(number: int) -> None:
        keys = ["a", "b", "c"] if number % 2 else ["c", "b", "a"]
        for turn in range(3):
            sources = [memo(f"{key} by {number} in turn {turn}", key) for key in keys]
            run = await writer.ingest_sources(tenant.number, ATLAS if turn % 2 else maya, sources)
            assert run.state == "succeeded"
            said = [Message(role="user", content=f"{number} {turn} {n}", id=f"m{n}") for n in range(20)]
            await writer.ingest_messages(tenant.number, ATLAS, said[:: -1 if number % 2 else 1], group_id="chat")

    await asyncio.gather(*(work(number) for number in range(WRITERS)))
    assert await assert_sealed_without_gaps(database, tenant) >= WRITERS * 3 * 3
    assert len(await conversation(database, tenant, "chat")) == 20
    stale = """select count(*) from muniment.liveness l join muniment.record r using (tenant_id, record_no)
                 join muniment.source_version v on v.source_no = r.source_no and v.version = r.source_version
                where (v.live_to_commit is null) <> (l.live_to_commit is null) and r.modality = 'document'"""
    assert (await fetch(database, tenant, stale))[0][0] == 0
    current = """select source_no from muniment.source_version group by 1
                 having count(*) <> max(version) or count(*) filter (where live_to_commit is null) <> 1"""
    assert await fetch(database, tenant, current) == []


async def test_tenants_do_not_share_their_numbers(
    writer: Writer, database: Database, tenant: Tenant, other_tenant: Tenant
) -> None:
    await asyncio.gather(
        *(
            writer.ingest_messages(owner.number, ATLAS, turns(f"{n}"), group_id="chat")
            for n in range(4)
            for owner in (tenant, other_tenant)
        )
    )
    for owner in (tenant, other_tenant):
        assert await assert_sealed_without_gaps(database, owner) == 4
        assert [record.position for record in await conversation(database, owner, "chat")] == [0, 1, 2, 3]
