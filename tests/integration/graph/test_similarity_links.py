"""Similarity edges: the same whatever the order in which records are linked."""

import asyncio
import random

import numpy as np
import pytest
from sqlalchemy import text

from muniment.database.pool import Database
from muniment.model.namespace import Namespace
from muniment.tenancy.tenants import Tenant
from seeded import Seeded, seed_group, seed_vectors, unit_vectors

MAYA = Namespace(user_id="maya")
_MODEL = "insert into muniment.embedding_model (name, dimensions) values ('test:384', 384) returning model_no"


@pytest.fixture
async def model(database: Database) -> int:
    async with database.transaction() as connection:
        number: int = (await connection.execute(text(_MODEL))).scalar_one()
    return number


async def link(database: Database, seeded: Seeded, model: int, records: list[int]) -> int:
    async with database.scope(seeded.tenant) as scope:
        added: int = await scope.value("graph.link", model=model, records=records)
    return added


async def stored(database: Database, seeded: Seeded) -> dict[tuple[int, int], float]:
    async with database.scope(seeded.tenant) as scope:
        rows = await scope.connection.execute(
            text("select record_no, neighbour_no, weight from muniment.similarity where tenant_id = :tenant"),
            {"tenant": seeded.tenant},
        )
    return {(row.record_no, row.neighbour_no): row.weight for row in rows}


def by_hand(
    seeded: Seeded, vectors: np.ndarray, born: list[int], closed: list[int | None]
) -> dict[tuple[int, int], float]:
    """The definition: the five nearest before the record that were live when it was sealed."""
    cosines = vectors.astype(np.float16).astype(np.float64) @ vectors.astype(np.float16).astype(np.float64).T
    expected = {}
    for n, record in enumerate(seeded.records):
        near = [
            (np.float32(cosines[n, m]), seeded.records[m])
            for m in range(n)
            if cosines[n, m] >= 0.58 and born[m] <= born[n] and (closed[m] is None or closed[m] > born[n])  # type: ignore[operator]
        ]
        for cosine, neighbour in sorted(near, reverse=True)[:5]:
            expected[record, neighbour] = pytest.approx(float(cosine), abs=1e-3)
    return expected


@pytest.mark.parametrize("order", ["ascending", "descending", "shuffled", "at once", "twice", "concurrent"])
async def test_the_edges_depend_on_the_log_and_not_on_the_order_of_linking(
    database: Database, tenant: Tenant, model: int, order: str
) -> None:
    count = 90
    born = [1 + n // 7 for n in range(count)]
    closed = [born[n] + 3 if n % 11 == 0 else None for n in range(count)]
    seeded = await seed_group(database, tenant.number, MAYA, count, born=born, closed=closed)
    vectors = unit_vectors(count, centres=6, spread=0.45)
    await seed_vectors(database, seeded, model, vectors)
    records = list(seeded.records)
    if order == "descending":
        records.reverse()
    if order in ("shuffled", "twice", "concurrent"):
        random.Random(7).shuffle(records)
    size = count if order == "at once" else 13
    parts = [records[start : start + size] for start in range(0, count, size)]
    if order == "concurrent":
        await asyncio.gather(*(link(database, seeded, model, part) for part in parts))
    else:
        for part in parts + (parts if order == "twice" else []):
            await link(database, seeded, model, part)
    expected = by_hand(seeded, vectors, born, closed)
    assert 150 < len(expected) < 5 * count
    assert await stored(database, seeded) == expected


async def test_a_vector_that_comes_late_finds_its_place(database: Database, tenant: Tenant, model: int) -> None:
    count = 40
    seeded = await seed_group(database, tenant.number, MAYA, count)
    vectors = unit_vectors(count, centres=2, spread=0.4)
    late = [3, 4, 20]
    early = [n for n in range(count) if n not in late]
    for part in (early, late):
        some = Seeded(seeded.tenant, seeded.space, seeded.group, [seeded.records[n] for n in part])
        await seed_vectors(database, some, model, vectors[part])
        await link(database, seeded, model, seeded.records)
    assert await stored(database, seeded) == by_hand(seeded, vectors, [1] * count, [None] * count)


async def test_equal_texts_make_a_chain_and_no_hub(database: Database, tenant: Tenant, model: int) -> None:
    seeded = await seed_group(database, tenant.number, MAYA, 60)
    await seed_vectors(database, seeded, model, np.tile(unit_vectors(1), (60, 1)))
    await link(database, seeded, model, seeded.records)
    edges = await stored(database, seeded)
    chosen = [neighbour for _, neighbour in edges]
    assert max(chosen.count(record) for record in seeded.records) <= 5
    assert set(edges.values()) == {1.0}


async def test_only_records_of_the_same_space_are_linked(database: Database, tenant: Tenant, model: int) -> None:
    same = np.tile(unit_vectors(1), (3, 1))
    maya = await seed_group(database, tenant.number, MAYA, 3)
    liam = await seed_group(database, tenant.number, Namespace(user_id="liam"), 3)
    for seeded in (maya, liam):
        await seed_vectors(database, seeded, model, same)
    assert await link(database, maya, model, liam.records + maya.records) == 6
    edges = await stored(database, maya)
    assert all((record in maya.records) == (neighbour in maya.records) for record, neighbour in edges)


async def test_another_tenants_records_are_not_linked(
    database: Database, tenant: Tenant, other_tenant: Tenant, model: int
) -> None:
    mine = await seed_group(database, tenant.number, MAYA, 2)
    theirs = await seed_group(database, other_tenant.number, MAYA, 4)
    await seed_vectors(database, mine, model, np.tile(unit_vectors(1), (2, 1)))
    await seed_vectors(database, theirs, model, np.tile(unit_vectors(1), (4, 1)))
    assert await link(database, mine, model, theirs.records) == 1
    assert set(await stored(database, mine)) == {(mine.records[1], mine.records[0])}
    async with database.scope(tenant.number) as scope:
        forged = text("select muniment.link_similar(:victim, :model, :records)")
        values = {"victim": other_tenant.number, "model": model, "records": theirs.records}
        assert (await scope.connection.execute(forged, values)).scalar_one() == 0
    assert await stored(database, theirs) == {}
