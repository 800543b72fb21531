"""Vectors of new records: made before a small write, left to jobs after a large one, never in the way of evidence."""

import asyncio
import json
from collections.abc import Sequence

import pytest
from sqlalchemy import text
from writing import ATLAS, all_records, fetch, memo, turns

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.vectors import embedded_text
from muniment.log.writer import Writer
from muniment.providers.models import register_model
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant


class Axes:
    """An embedder whose vector of a text is the axis of the text's length; it can be made to fail, and counts."""

    name = "test:axes"
    dimensions = 8

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.fails = False

    async def embed(self, texts: Sequence[str], *, background: bool = False) -> list[list[float]]:
        if self.fails:
            raise MunimentError("provider.unavailable", "the model is away")
        self.texts += texts
        return [[float(axis == len(text) % 8) for axis in range(8)] for text in texts]

    async def warm(self) -> None:
        return

    async def close(self) -> None:
        return


@pytest.fixture
def axes() -> Axes:
    return Axes()


@pytest.fixture
async def embedding_writer(database: Database, settings: Settings, axes: Axes) -> Writer:
    """A writer that embeds up to four records itself."""
    small = settings.model_copy(update={"embed_inline_limit": 4})
    return Writer(database, axes, await register_model(database, axes), small)


async def jobs(database: Database, tenant: Tenant) -> list[tuple[str, int]]:
    rows = await fetch(
        database,
        tenant,
        "select kind, jsonb_array_length(arguments -> 'records') from muniment.job order by created_at",
    )
    return [(row[0], row[1]) for row in rows]


async def counted(database: Database, tenant: Tenant) -> tuple[int, int]:
    statement = "select (select count(*) from muniment.embedding), (select count(*) from muniment.embedding_pending)"
    row = (await fetch(database, tenant, statement))[0]
    return row[0], row[1]


async def test_a_small_write_has_its_vectors_when_it_returns(
    embedding_writer: Writer, database: Database, tenant: Tenant, axes: Axes
) -> None:
    await embedding_writer.ingest_messages(tenant.number, ATLAS, turns("a", "bb", "ccc"), group_id="chat")
    rows = await fetch(
        database, tenant,
        "select c.text, e.vector::text from muniment.embedding e join muniment.record_content c using (record_no)",
    )  # fmt: skip
    assert {row[0]: row[1].index("1") // 2 for row in rows} == {"a": 1, "bb": 2, "ccc": 3}
    assert (await counted(database, tenant), await jobs(database, tenant)) == ((3, 0), [("link", 3)])


async def test_a_large_write_or_one_that_does_not_wait_leaves_them_to_jobs(
    embedding_writer: Writer, database: Database, tenant: Tenant, axes: Axes
) -> None:
    await embedding_writer.ingest_messages(tenant.number, ATLAS, turns(*"abcde"), group_id="large")
    await embedding_writer.ingest_sources(tenant.number, ATLAS, [memo("small")], wait="lexical")
    assert (await counted(database, tenant), axes.texts) == ((0, 6), [])
    assert await jobs(database, tenant) == [("embed", 5), ("embed", 1)]
    await embedding_writer.ingest_messages(
        tenant.number, ATLAS, turns(*(f"{n}" for n in range(600))), group_id="larger", wait="lexical"
    )
    assert [count for _, count in (await jobs(database, tenant))[2:]] == [256, 256, 88]


async def test_a_model_that_is_away_does_not_keep_evidence_out(
    embedding_writer: Writer, database: Database, tenant: Tenant, axes: Axes
) -> None:
    axes.fails = True
    run = await embedding_writer.ingest_sources(tenant.number, ATLAS, [memo("evidence")])
    assert run.state == "succeeded"
    assert (await counted(database, tenant), await jobs(database, tenant)) == ((0, 1), [("embed", 1)])


async def test_only_what_is_new_gets_a_vector(
    embedding_writer: Writer, database: Database, tenant: Tenant, axes: Axes
) -> None:
    messages = [message.model_copy(update={"id": message.content}) for message in turns("a", "bb")]
    await embedding_writer.ingest_messages(tenant.number, ATLAS, messages[:1], group_id="chat")
    await embedding_writer.ingest_messages(tenant.number, ATLAS, messages, group_id="chat")
    assert await counted(database, tenant) == (2, 0)
    texts = await fetch(database, tenant, "select vector::text from muniment.embedding order by record_no")
    assert [row[0].index("1") // 2 for row in texts] == [1, 2]


async def test_a_caller_who_waits_for_vectors_gets_them_or_is_let_go_in_time(
    embedding_writer: Writer, database: Database, tenant: Tenant
) -> None:
    async def index_later() -> None:
        while (await counted(database, tenant))[1] == 0:  # noqa: ASYNC110 - another connection writes it
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        async with database.scope(tenant.number) as scope:
            await scope.execute("vector.delete_pending", records=list(range(100)))

    indexing = asyncio.create_task(index_later())
    await embedding_writer.ingest_messages(tenant.number, ATLAS, turns(*"abcdef"), group_id="chat", wait="indexed")
    assert indexing.done() and await counted(database, tenant) == (0, 0)
    embedding_writer.settings = embedding_writer.settings.model_copy(update={"index_wait_timeout": 0.1})
    run = await embedding_writer.ingest_messages(
        tenant.number, ATLAS, turns(*"abcdef"), group_id="chat", wait="indexed"
    )
    assert (run.state, (await counted(database, tenant))[1]) == ("succeeded", 6)


async def test_without_a_model_nothing_waits_for_one(writer: Writer, database: Database, tenant: Tenant) -> None:
    run = await writer.ingest_sources(tenant.number, ATLAS, [memo("words")], wait="indexed")
    assert (run.state, await counted(database, tenant), await jobs(database, tenant)) == ("succeeded", (0, 0), [])
    assert len(await all_records(database, tenant)) == 1


async def test_what_is_embedded_is_what_is_indexed(database: Database, tenant: Tenant) -> None:
    fields = {"title": "T", "section": "S > é", "path": "a/b.md", "zz": "1", "é": "2", "a": ""}
    async with database.scope(tenant.number) as scope:
        statement = text("select muniment.indexed_text(:text, cast(:fields as jsonb))")
        indexed = (await scope.connection.execute(statement, {"text": "words", "fields": json.dumps(fields)})).scalar()
    assert embedded_text("words", fields) == indexed
    assert embedded_text("words", {}) == "words"
