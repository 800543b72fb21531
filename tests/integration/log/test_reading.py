"""Reading the log back: pages in the order of commits, filters, walls between namespaces, runs and sources."""

import asyncio

import pytest
from writing import ATLAS, all_records, memo, turns

from muniment.database.pool import Database
from muniment.database.spaces import intern_space
from muniment.errors import MunimentError
from muniment.log.records import get_record, list_records
from muniment.log.runs import get_run, list_runs
from muniment.log.sources import get_source, list_sources
from muniment.log.writer import Writer
from muniment.model.namespace import Namespace
from muniment.tenancy.tenants import Tenant

MAYA = Namespace(project_id="atlas", user_id="maya")
LIAM = Namespace(project_id="atlas", user_id="liam")


async def test_pages_follow_the_order_of_commits_across_spaces(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    said: list[str] = []
    for number in range(9):
        namespace = (MAYA, LIAM, ATLAS)[number % 3]
        batch = [f"{number}.{turn}" for turn in range(3)]
        await writer.ingest_messages(tenant.number, namespace, turns(*batch), group_id=f"chat {number % 2}")
        said += batch
    for page in (1, 2, 7, 26, 27, 28):
        assert [record.text for record in await all_records(database, tenant, page=page)] == said
    assert (await list_records(database, tenant.number, ATLAS, limit=27)).next is None
    mayas = await all_records(database, tenant, MAYA, page=2)
    assert [record.text for record in mayas] == [text for text in said if int(text[0]) % 3 == 0]
    even = await all_records(database, tenant, page=4, group_id="chat 0")
    assert [record.text for record in even] == [text for text in said if int(text[0]) % 2 == 0]


async def test_a_page_that_was_begun_misses_nothing_that_is_written_meanwhile(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    await writer.ingest_messages(tenant.number, MAYA, turns("a", "b", "c"), group_id="one")
    first = await list_records(database, tenant.number, ATLAS, limit=2)
    await writer.ingest_messages(tenant.number, LIAM, turns("d"), group_id="two")
    second = await list_records(database, tenant.number, ATLAS, limit=10, cursor=first.next)
    assert [record.text for record in first.records + second.records] == ["a", "b", "c", "d"]


async def test_nobody_sees_what_is_not_theirs(
    writer: Writer, database: Database, tenant: Tenant, other_tenant: Tenant
) -> None:
    run = await writer.ingest_sources(tenant.number, MAYA, [memo("secret of maya")])
    (item,) = run.items
    liams = [await intern_space(database, tenant.number, LIAM)]
    mayas = [await intern_space(database, tenant.number, MAYA)]
    assert await all_records(database, tenant, LIAM) == []
    assert await all_records(database, other_tenant, MAYA) == []
    assert (await list_sources(database, tenant.number, LIAM))[0] == []
    assert (await list_runs(database, other_tenant.number))[0] == []
    assert (await list_runs(database, tenant.number, spaces=liams))[0] == []
    assert (await get_record(database, tenant.number, item.record_ids[0], mayas)).text == "secret of maya"
    for owner, spaces in ((tenant, liams), (other_tenant, None)):
        with pytest.raises(MunimentError) as no_record:
            await get_record(database, owner.number, item.record_ids[0], spaces)
        with pytest.raises(MunimentError) as no_source:
            await get_source(database, owner.number, item.source_id or "", spaces)
        with pytest.raises(MunimentError) as no_run:
            await get_run(database, owner.number, run.id, spaces)
        with pytest.raises(MunimentError) as no_list:
            await list_records(database, other_tenant.number, MAYA, source_id=item.source_id)
        codes = [error.value.code for error in (no_record, no_source, no_run, no_list)]
        assert codes == ["record.not_found", "source.not_found", "run.not_found", "source.not_found"]


@pytest.mark.parametrize("wrong", ["", "x", "d_", "d_zz", "s_" + "0" * 32, "d_" + "0" * 32, "d_" + "0" * 31, "0" * 32])
async def test_an_id_that_names_nothing_is_not_found(database: Database, tenant: Tenant, wrong: str) -> None:
    with pytest.raises(MunimentError) as no_record:
        await get_record(database, tenant.number, wrong)
    assert no_record.value.code == "record.not_found"
    with pytest.raises(MunimentError) as no_source:
        await get_source(database, tenant.number, wrong)
    assert no_source.value.code == "source.not_found"
    with pytest.raises(MunimentError) as no_run:
        await get_run(database, tenant.number, wrong)
    assert no_run.value.code == "run.not_found"


async def test_runs_are_listed_newest_first_with_the_end_of_each_item(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    made = [await writer.ingest_sources(tenant.number, ATLAS, [memo(f"{n}"), memo(" ")]) for n in range(5)]
    first, cursor = await list_runs(database, tenant.number, limit=3)
    second, end = await list_runs(database, tenant.number, limit=3, cursor=cursor)
    assert [run.id for run in first + second] == [run.id for run in made[::-1]]
    assert end is None and {run.state for run in first} == {"partial"}
    assert [item.state for item in first[0].items] == ["stored", "failed"]
    assert first[0].items[1].error is not None and first[0].items[1].error.code == "input.empty_text"
    assert first[0].items[0].records == 1 and first[0].items[0].record_ids == []


async def test_sources_are_listed_newest_first_with_their_versions(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    for key in ("a", "b", "c"):
        await writer.ingest_sources(tenant.number, ATLAS, [memo(f"first of {key}", key, title="Title")])
    await writer.ingest_sources(tenant.number, ATLAS, [memo("second of b", "b")])
    await writer.ingest_messages(tenant.number, ATLAS, turns("one", "two"), group_id="chat")
    first, cursor = await list_sources(database, tenant.number, ATLAS, limit=3)
    second, end = await list_sources(database, tenant.number, ATLAS, limit=3, cursor=cursor)
    assert ([source.source_key for source in first + second], end) == (["chat", "c", "b", "a"], None)
    chat, c, b = first
    assert (chat.kind, chat.records, chat.embedded, chat.versions[0].records) == ("conversation", 2, 0, 2)
    assert (chat.versions[0].content_hash, chat.versions[0].bytes, chat.versions[0].current) == (None, 6, True)
    assert (c.kind, c.versions[0].title, c.versions[0].bytes) == ("text", "Title", len("first of c"))
    assert ([version.version for version in b.versions], b.records) == ([2, 1], 1)


async def test_a_list_read_while_others_write_is_of_whole_commits(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    async def write() -> None:
        for number in range(6):
            await writer.ingest_messages(tenant.number, ATLAS, turns(*(f"{number}" for _ in range(4))), group_id="chat")

    writing = asyncio.create_task(write())
    seen: list[int] = []
    while not writing.done():
        seen.append(len((await list_records(database, tenant.number, ATLAS, limit=100)).records))
        await asyncio.sleep(0.005)
    await writing
    assert all(count % 4 == 0 for count in seen) and seen == sorted(seen)
