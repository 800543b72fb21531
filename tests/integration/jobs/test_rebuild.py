"""A rebuild gives the content that was there before, and repairs what was damaged."""

from collections.abc import AsyncIterator, Callable
from datetime import datetime, timedelta, timezone
from typing import Any, cast

import pytest
from sqlalchemy import create_engine, text

from muniment.database.pool import Database
from muniment.database.setup import PreparedDatabase
from muniment.jobs.handlers import handlers_for
from muniment.jobs.runner import JobRunner
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.source import SourceInput
from muniment.providers.models import register_model
from muniment.rebuild import rebuild
from muniment.runtime import Runtime
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant
from word_embedder import WordEmbedder

WEST = timezone(timedelta(hours=-5))
Rows = Callable[[str], list[tuple[Any, ...]]]

# what each projection holds, whatever form it has: postings may lie in the tail or in blocks
PROJECTIONS = {
    "liveness": "select * from muniment.liveness order by tenant_id, record_no",
    "documents": "select * from muniment.lexical_document order by tenant_id, record_no",
    "postings": """
        select p.*
          from (select t.tenant_id, u.term, t.space_id, u.record_no, u.tf, u.length
                  from muniment.posting_tail t, muniment.unpack_tail(t.terms, t.ends, t.records, t.counts, t.lengths) u
                union all
                select tenant_id, term, space_id, unnest(records), unnest(counts), unnest(lengths)
                  from muniment.posting_block) p
         order by tenant_id, term collate "C", space_id, record_no""",
    "statistics": """
        select tenant_id, space_id, sum(documents), sum(total_length)
          from (select tenant_id, space_id, documents, total_length from muniment.posting_tail where bucket = 0
                union all
                select tenant_id, space_id, documents, total_length from muniment.posting_block where term = '') p
         group by 1, 2 order by 1, 2""",
    "vectors": """
        select tenant_id, model_no, space_id, record_no, vector::text
          from muniment.embedding order by 1, 2, 3, 4""",
    "waiting": "select * from muniment.embedding_pending order by 1, 2, 3",
    "entities": """
        select tenant_id, space_id, record_no, entity
          from muniment.record_entity order by 1, 2, 3, entity collate "C\"""",
    "times": "select * from muniment.record_time order by tenant_id, record_no, ordinal",
    "subjects": "select * from muniment.record_subject order by tenant_id, record_no, subject",
    "similarity": "select * from muniment.similarity order by tenant_id, record_no, neighbour_no",
    "linked": "select * from muniment.similarity_linked order by tenant_id, record_no",
}
DAMAGE = {
    "liveness": "update muniment.liveness set live_to_commit = null",
    "documents": "delete from muniment.lexical_document where record_no % 2 = 0",
    "postings": "delete from muniment.posting_tail where bucket % 2 = 1",
    "vectors": "update muniment.embedding set vector = (select vector from muniment.embedding limit 1)",
    "missing vectors": "delete from muniment.embedding where record_no % 3 = 0",
    "entities": "delete from muniment.record_entity",
    "times": "update muniment.record_time set from_at = '1999-01-01', ordinal = ordinal + 5",
    "subjects": "delete from muniment.record_subject",
    "similarity": "update muniment.similarity set weight = 0.99",
}


@pytest.fixture
def rows(admin_url: str) -> AsyncIterator[Rows]:
    engine = create_engine(admin_url)

    def run(statement: str) -> list[tuple[Any, ...]]:
        with engine.begin() as connection:
            result = connection.execute(text(statement))
            return [tuple(row) for row in result] if result.returns_rows else []

    yield run
    engine.dispose()


@pytest.fixture
async def runtime(admin_url: str, app_url: str, settings: Settings) -> AsyncIterator[Runtime]:
    database = Database(app_url, settings.model_copy(update={"embed_inline_limit": 3}))
    embedder = WordEmbedder()
    model_no = await register_model(database, embedder)
    runner = JobRunner(database, handlers_for(embedding=True), database.settings, embedder=embedder, model_no=model_no)
    writer = Writer(database, embedder, model_no, database.settings)
    prepared, nothing = PreparedDatabase(app_url, admin_url, None), cast(Any, None)
    yield Runtime(database.settings, prepared, database, embedder, model_no, writer, nothing, runner, nothing, nothing)
    await database.close()


async def _fill(runtime: Runtime, tenant: int) -> None:
    """Two spaces, small and large writes, versions that go and come back, replaced messages, a merge."""
    maya, noah = Namespace(user_id="maya"), Namespace(project_id="atlas", user_id="noah")
    writer = runtime.writer
    for version in ("Atlas ships in May.", "Atlas ships in June, says Liam Vance.", "Atlas ships in May."):
        await writer.ingest_sources(tenant, maya, [SourceInput(kind="text", text=version, source_key="plan")])
    for n in range(4):
        turns = [
            Message(role="Maya", content=f"Liam Vance met Ana at pier {n} on day {m}", id=f"{m}") for m in range(6)
        ]
        await writer.ingest_messages(tenant, maya, turns, group_id="talk")
        await runtime.runner.drain()
    told = Message(
        role="Maya", content="We sailed last Friday, and on 3 May 2022.", at=datetime(2023, 6, 9, 23, tzinfo=WEST)
    )
    await writer.ingest_messages(tenant, maya, [told], group_id="logbook")
    await writer.ingest_sources(
        tenant, maya, [SourceInput(kind="text", text="The boat\nLaunched in 2019.", source_key="boat")]
    )
    for sections in (2, 9):  # few are embedded by the write, many by a job
        headings = "".join(f"# Pier {n}\n\nAnchored at noon.\n\n" for n in range(sections))
        document = SourceInput(kind="text", text=headings, media_type="text/markdown", source_key=f"piers {sections}")
        await writer.ingest_sources(tenant, maya, [document])
    few = [
        Message(role="Noah", content=content)
        for content in ("Liam Vance met Ana at pier 2", "ERR_CONN_RESET in src/app.py")
    ]
    await writer.ingest_messages(tenant, noah, few, group_id="talk")
    async with runtime.database.scope(tenant) as scope:
        space = await scope.value("spaces.find", project=None, user="maya", agent=None)
        await scope.execute("jobs.merge_postings", space=space, block_documents=256)
    await writer.ingest_messages(tenant, maya, few, group_id="later")
    await runtime.runner.drain()


def _dump(rows: Rows) -> dict[str, list[tuple[Any, ...]]]:
    return {name: rows(statement) for name, statement in PROJECTIONS.items()}


async def test_a_rebuild_gives_the_same_content_as_before(runtime: Runtime, tenant: Tenant, rows: Rows) -> None:
    await _fill(runtime, tenant.number)
    before = _dump(rows)
    assert all(before[name] for name in before if name != "waiting")
    sizes = await rebuild(runtime, tenant.number)
    after = _dump(rows)
    for name, content in before.items():
        assert after[name] == content, name
    assert sizes == {
        "liveness": len(before["liveness"]),
        "lexical": len(before["documents"]),
        "embeddings": len(before["vectors"]),
        "entities": len(before["entities"]),
        "times": len(before["times"]),
        "subjects": len(before["subjects"]),
        "similarity": len(before["similarity"]),
        "claims": 0,
        "summaries": 0,
    }


@pytest.mark.parametrize("damage", DAMAGE)
async def test_a_rebuild_repairs_a_damaged_projection(
    damage: str, runtime: Runtime, tenant: Tenant, rows: Rows
) -> None:
    await _fill(runtime, tenant.number)
    before = _dump(rows)
    rows(DAMAGE[damage])
    assert _dump(rows) != before
    await rebuild(runtime, tenant.number)
    assert _dump(rows) == before


async def test_a_rebuild_leaves_other_tenants_alone(
    runtime: Runtime, tenant: Tenant, other_tenant: Tenant, rows: Rows
) -> None:
    await _fill(runtime, tenant.number)
    await _fill(runtime, other_tenant.number)
    rows("update muniment.liveness set live_to_commit = 99")  # as a mark
    await rebuild(runtime, tenant.number)
    marked = "select tenant_id, bool_and(live_to_commit = 99) from muniment.liveness group by 1 order by 1"
    assert [mark for _, mark in rows(marked)] == [False, True]


async def test_a_rebuild_indexes_the_vectors_of_a_tenant_that_outgrew_the_scan(
    runtime: Runtime, tenant: Tenant, rows: Rows
) -> None:
    indexes = "select indexname from pg_indexes where indexname like 'embedding_hnsw_%'"
    await _fill(runtime, tenant.number)
    await rebuild(runtime, tenant.number)
    assert rows(indexes) == []
    runtime.database.settings = runtime.database.settings.model_copy(update={"vector_exact_limit": 5})
    await rebuild(runtime, tenant.number)
    assert rows(indexes) == [(f"embedding_hnsw_{tenant.number}_{runtime.model_no}",)]


async def test_a_rebuild_tells_of_its_progress(runtime: Runtime, tenant: Tenant) -> None:
    await _fill(runtime, tenant.number)
    told: list[tuple[str, int, int]] = []
    await rebuild(runtime, tenant.number, progress=lambda *step: told.append(step))
    names = list(dict.fromkeys(name for name, _, _ in told))
    assert names == ["liveness", "lexical", "entities", "times", "subjects", "embeddings", "similarity"]
    for name in names:
        steps = [(done, total) for step, done, total in told if step == name]
        assert steps[0][0] == 0
        assert steps[-1][0] == steps[-1][1] > 0
        assert steps == sorted(steps)
