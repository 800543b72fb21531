"""The HNSW index of a tenant: it finds nearly what the exact scan finds, and nothing that it may not."""

import asyncio

import numpy as np
import pytest
from sqlalchemy import create_engine, text

from muniment.database.pool import Database, Scope
from muniment.database.vector_index import build_index, drop_index, index_wanted
from muniment.database.vectors import vector_text
from muniment.model.namespace import Namespace
from muniment.tenancy.tenants import Tenant
from seeded import Seeded, seed_group, seed_vectors, unit_vectors

COUNT = 3000
MAYA = Namespace(user_id="maya")
_MODEL = "insert into muniment.embedding_model (name, dimensions) values ('test:384', 384) returning model_no"
_SCANS = "select pg_stat_get_xact_numscans(to_regclass('muniment.embedding_hnsw_' || :tenant || '_' || :model))"


@pytest.fixture
async def model(database: Database) -> int:
    async with database.transaction() as connection:
        number: int = (await connection.execute(text(_MODEL))).scalar_one()
    return number


async def search(
    scope: Scope, spaces: list[int], model: int, query: np.ndarray, limit: int, exact: bool, known_at: int | None = None
) -> list[tuple[int, float]]:
    rows = await scope.rows(
        "vector.search", spaces=spaces, model=model, vector=vector_text(query.tolist()), known_at=known_at,
        limit=limit, exact=exact,
    )  # fmt: skip
    return [(row["record_no"], row["cosine"]) for row in rows]


async def scans(scope: Scope, model: int) -> int:
    """How often this connection used the tenant's index of late."""
    number: int = (
        await scope.connection.execute(text(_SCANS), {"tenant": str(scope.tenant), "model": str(model)})
    ).scalar_one()
    return number


async def seeded_and_indexed(
    database: Database, admin_url: str, tenant: Tenant, model: int, closed: list[int | None] | None = None
) -> Seeded:
    seeded = await seed_group(database, tenant.number, MAYA, COUNT, closed=closed)
    await seed_vectors(database, seeded, model, unit_vectors(COUNT, centres=40))
    assert await asyncio.to_thread(build_index, admin_url, tenant.number, model)
    return seeded


async def test_the_index_recalls_nearly_all_of_the_exact_scan(
    database: Database, admin_url: str, tenant: Tenant, other_tenant: Tenant, model: int
) -> None:
    seeded = await seeded_and_indexed(database, admin_url, tenant, model)
    theirs = await seed_group(database, other_tenant.number, MAYA, 50)
    await seed_vectors(database, theirs, model, unit_vectors(50, centres=40))
    recalls = []
    for query in unit_vectors(20, centres=40, seed=1):
        async with database.scope(tenant.number) as scope:
            before = await scans(scope, model)
            near = await search(scope, [seeded.space], model, query, 100, exact=False)
            assert await scans(scope, model) == before + 1, "the planner passed the index over"
            exact = await search(scope, [seeded.space], model, query, 100, exact=True)
        assert len(near) == 100
        assert near == sorted(near, key=lambda row: (-row[1], row[0]))
        recalls.append(len({record for record, _ in near} & {record for record, _ in exact}) / 100)
    assert np.mean(recalls) >= 0.98


async def test_closed_records_do_not_count_and_the_rest_fills_up(
    database: Database, admin_url: str, tenant: Tenant, model: int
) -> None:
    closed = [2 if n % 3 else None for n in range(COUNT)]
    seeded = await seeded_and_indexed(database, admin_url, tenant, model, closed)
    live = {record for record, end in zip(seeded.records, closed, strict=True) if end is None}
    query = unit_vectors(1, centres=40, seed=1)[0]
    async with database.scope(tenant.number) as scope:
        used = await scans(scope, model)
        near = await search(scope, [seeded.space], model, query, 100, exact=False)
        assert await scans(scope, model) == used + 1
        before = await search(scope, [seeded.space], model, query, 100, exact=False, known_at=1)
        assert await search(scope, [seeded.space], model, query, 100, exact=False, known_at=0) == []
    assert len(near) == 100
    assert {record for record, _ in near} <= live
    assert not {record for record, _ in before} <= live


async def test_where_the_index_finds_too_few_the_exact_scan_answers(
    database: Database, admin_url: str, tenant: Tenant, model: int
) -> None:
    await seeded_and_indexed(database, admin_url, tenant, model)
    liam = await seed_group(database, tenant.number, Namespace(user_id="liam"), 30)
    far = -unit_vectors(30, centres=40)
    await seed_vectors(database, liam, model, far)
    query = unit_vectors(1, centres=40, seed=1)[0]
    async with database.scope(tenant.number) as scope:
        near = await search(scope, [liam.space], model, query, 20, exact=False)
        exact = await search(scope, [liam.space], model, query, 20, exact=True)
        assert await search(scope, [], model, query, 20, exact=False) == []
    assert near == exact
    assert len(near) == 20


async def test_another_tenants_index_gives_nothing_away(
    database: Database, admin_url: str, tenant: Tenant, other_tenant: Tenant, model: int
) -> None:
    seeded = await seeded_and_indexed(database, admin_url, tenant, model)
    forged = text(
        "select * from muniment.search_vector("
        "  :victim, array[:space], :model, cast(:query as public.halfvec), null, 10, :exact)"
    )
    listed = text("select * from muniment.cosines(:victim, :model, :records, cast(:query as public.halfvec))")
    values = {"victim": tenant.number, "space": seeded.space, "model": model, "records": seeded.records[:50]}
    values |= {"query": vector_text(unit_vectors(1)[0].tolist())}
    async with database.scope(other_tenant.number) as scope:
        for exact in (True, False):
            assert (await scope.connection.execute(forged, values | {"exact": exact})).all() == []
        assert (await scope.connection.execute(listed, values)).all() == []
        assert await search(scope, [seeded.space], model, unit_vectors(1)[0], 10, exact=False) == []
    async with database.scope(tenant.number, spaces=[]) as scope:
        assert await search(scope, [seeded.space], model, unit_vectors(1)[0], 10, exact=False) == []


async def test_an_index_is_built_once_and_a_broken_build_is_replaced(
    database: Database, admin_url: str, tenant: Tenant, model: int
) -> None:
    seeded = await seed_group(database, tenant.number, MAYA, 50)
    await seed_vectors(database, seeded, model, unit_vectors(50))
    assert await asyncio.to_thread(build_index, admin_url, tenant.number, model)
    assert not await asyncio.to_thread(build_index, admin_url, tenant.number, model)
    engine = create_engine(admin_url)
    with engine.begin() as connection:
        broken = "update pg_index set indisvalid = false where indexrelid = 'muniment.embedding_hnsw_{}_{}'::regclass"
        connection.execute(text(broken.format(tenant.number, model)))
    engine.dispose()
    assert await asyncio.to_thread(build_index, admin_url, tenant.number, model)
    await asyncio.to_thread(drop_index, admin_url, tenant.number, model)
    assert await asyncio.to_thread(build_index, admin_url, tenant.number, model)


async def test_an_index_is_wanted_beyond_the_limit(database: Database, tenant: Tenant, model: int) -> None:
    seeded = await seed_group(database, tenant.number, MAYA, 21)
    await seed_vectors(database, seeded, model, unit_vectors(21))
    database.settings = database.settings.model_copy(update={"vector_exact_limit": 21})
    assert not await index_wanted(database, tenant.number, model)
    database.settings = database.settings.model_copy(update={"vector_exact_limit": 20})
    assert await index_wanted(database, tenant.number, model)
    assert not await index_wanted(database, tenant.number, model + 1)
