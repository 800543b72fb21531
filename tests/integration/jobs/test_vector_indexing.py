"""A store that grows gets its vector index by itself, once, also after a build that was cut short."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from muniment.database.pool import Database
from muniment.database.setup import driver_conninfo
from muniment.database.vector_index import ensure_index
from muniment.database.vectors import vector_text
from muniment.errors import MunimentError
from muniment.jobs.context import JobContext
from muniment.jobs.handlers import ADMIN_KINDS, HANDLERS, handlers_for
from muniment.jobs.indexing import index_vectors
from muniment.jobs.linking import link
from muniment.jobs.runner import JobRunner
from muniment.model.namespace import Namespace
from muniment.providers.models import register_model
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant
from seeded import Seeded, seed_group, seed_vectors, unit_vectors
from word_embedder import WordEmbedder

LIMIT = 40
_QUEUED = "select count(*) from muniment_jobs.queue where kind = 'vector_index' and state = 'queued'"
_VALID = """
    select coalesce(bool_and(i.indisvalid), false) from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relname like 'embedding_hnsw_%'"""
_OPTIONS = "select reloptions from pg_class where relname like 'embedding_hnsw_%'"

_BUILDING = """
    select exists (select from pg_stat_activity
                    where state = 'active' and datname = current_database()
                      and query ilike 'create index concurrently%')"""


class Growing:
    """A tenant whose vectors may be one more than are scanned, and a runner for what follows."""

    def __init__(self, database: Database, tenant: Tenant, admin_url: str, model_no: int) -> None:
        self.database = database
        self.tenant = tenant.number
        self.admin_url = admin_url
        self.model_no = model_no
        self.context = JobContext(database, database.settings, WordEmbedder(), model_no, admin_url)
        self.runner = JobRunner(database, HANDLERS, database.settings, model_no=model_no, admin_url=admin_url)

    async def grow(self, count: int) -> Seeded:
        seeded = await seed_group(self.database, self.tenant, Namespace(user_id="maya"), count)
        await seed_vectors(self.database, seeded, self.model_no, unit_vectors(count, WordEmbedder.dimensions))
        await link(self.context, self.tenant, {"records": seeded.records[-3:]})
        return seeded

    async def until_building(self, state: bool) -> None:
        async with asyncio.timeout(20):
            while self.value(_BUILDING) is not state:  # noqa: ASYNC110  (the state is the database's)
                await asyncio.sleep(0.02)

    def execute(self, statements: str) -> None:
        with psycopg.connect(driver_conninfo(self.admin_url), autocommit=True) as connection:
            connection.execute(statements.encode())

    def value(self, statement: str) -> Any:
        with psycopg.connect(driver_conninfo(self.admin_url), autocommit=True) as connection:
            row = connection.execute(statement).fetchone()
        return row[0] if row else None


@pytest.fixture
async def growing(app_url: str, admin_url: str, settings: Settings, tenant: Tenant) -> AsyncIterator[Growing]:
    database = Database(app_url, settings.model_copy(update={"vector_exact_limit": LIMIT, "job_retry_delay": 0.01}))
    yield Growing(database, tenant, admin_url, await register_model(database, WordEmbedder()))
    await database.close()


async def test_the_first_vector_beyond_the_limit_brings_the_index_about(growing: Growing) -> None:
    await growing.grow(LIMIT)
    assert growing.value(_QUEUED) == 0
    seeded = await growing.grow(1)
    await link(growing.context, growing.tenant, {"records": seeded.records})
    assert growing.value(_QUEUED) == 1
    await growing.runner.drain()
    assert growing.value(_VALID) and growing.value(_QUEUED) == 0
    async with growing.database.scope(growing.tenant) as scope:
        rows = await scope.rows(
            "vector.search", spaces=[seeded.space], model=growing.model_no, known_at=None, limit=5, exact=False,
            vector=vector_text(unit_vectors(1, WordEmbedder.dimensions)[0].tolist()),
        )  # fmt: skip
        used = (await scope.connection.execute(text(
            f"select pg_stat_get_xact_numscans('muniment.embedding_hnsw_{growing.tenant}_{growing.model_no}'::regclass)"
        ))).scalar_one()  # fmt: skip
    assert len(rows) == 5 and used == 1
    await link(growing.context, growing.tenant, {"records": seeded.records})
    assert growing.value(_QUEUED) == 0


async def test_one_index_is_built_at_a_time_and_who_waits_tries_again(growing: Growing) -> None:
    await growing.grow(LIMIT + 1)
    with psycopg.connect(driver_conninfo(growing.admin_url), autocommit=True) as other:
        other.execute("select pg_advisory_lock(hashtextextended('muniment.vector_index', 0))")
        with pytest.raises(MunimentError) as caught:
            await index_vectors(growing.context, growing.tenant, {"model": growing.model_no})
        assert caught.value.code == "store.busy"
        await growing.runner.drain()
        assert not growing.value(_VALID) and growing.value(_QUEUED) == 1
    growing.value("update muniment_jobs.queue set run_at = now() returning 1")
    await growing.runner.drain()
    assert growing.value(_VALID)


async def test_a_build_that_is_cancelled_ends_and_the_next_replaces_what_it_left(growing: Growing) -> None:
    await growing.grow(LIMIT + 1)
    with psycopg.connect(driver_conninfo(growing.admin_url)) as writer:
        writer.execute("lock table muniment.embedding in row exclusive mode")  # for whose end a build waits
        building = asyncio.create_task(
            ensure_index(growing.database, growing.admin_url, growing.tenant, growing.model_no)
        )
        await growing.until_building(True)
        building.cancel()
        with pytest.raises(asyncio.CancelledError):
            await building
        await growing.until_building(False)
    assert not growing.value(_VALID)
    assert await index_vectors(growing.context, growing.tenant, {"model": growing.model_no}) == {"built": True}
    assert growing.value(_VALID)


async def test_an_index_that_was_built_with_less_care_is_built_again(growing: Growing) -> None:
    seeded = await growing.grow(LIMIT + 1)
    await growing.runner.drain()
    name = f"muniment.embedding_hnsw_{growing.tenant}_{growing.model_no}"
    built: list[str] = growing.value(_OPTIONS)
    assert built == ["ef_construction=128"]  # with 64 a twentieth of a million vectors cannot be reached
    dimensions = WordEmbedder.dimensions
    growing.execute(
        f"drop index {name}; create index embedding_hnsw_{growing.tenant}_{growing.model_no} on muniment.embedding"
        f" using hnsw ((vector::public.halfvec({dimensions})) public.halfvec_cosine_ops)"
        f" where tenant_id = {growing.tenant} and model_no = {growing.model_no}"
    )
    assert growing.value(_OPTIONS) is None
    await link(growing.context, growing.tenant, {"records": seeded.records[-3:]})
    await growing.runner.drain()
    assert growing.value(_OPTIONS) == built and growing.value(_VALID)


def test_a_process_that_does_not_know_the_administrator_leaves_the_job_to_one_that_does() -> None:
    assert set(handlers_for(embedding=True, administrator=False)) == set(HANDLERS) - ADMIN_KINDS
