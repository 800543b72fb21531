"""The semantic route: the nearest live records of the visible spaces, and nobody else's."""

from collections.abc import Sequence

import numpy as np
import pytest

from muniment.database.pool import Database
from muniment.database.vectors import vector_text
from muniment.model.namespace import Namespace
from muniment.providers.models import register_model
from muniment.tenancy.tenants import Tenant
from seeded import seed_group, seed_vectors, unit_vectors


class Model:
    """An embedder of which only the registry entry matters."""

    def __init__(self, name: str = "test:384", dimensions: int = 384) -> None:
        self.name = name
        self.dimensions = dimensions

    async def embed(self, texts: Sequence[str], *, background: bool = False) -> list[list[float]]:
        raise AssertionError("nothing is embedded here")

    async def warm(self) -> None: ...

    async def close(self) -> None: ...


async def found(
    database: Database,
    tenant: int,
    spaces: list[int],
    model: int,
    query: np.ndarray,
    *,
    known_at: int | None = None,
    limit: int = 10,
    exact: bool = True,
) -> list[tuple[int, float]]:
    async with database.scope(tenant) as scope:
        rows = await scope.rows(
            "vector.search", spaces=spaces, model=model, vector=vector_text(query.tolist()), known_at=known_at,
            limit=limit, exact=exact,
        )  # fmt: skip
    return [(row["record_no"], row["cosine"]) for row in rows]


def nearest(vectors: np.ndarray, records: list[int], query: np.ndarray, limit: int) -> list[int]:
    """The same by hand, on the vectors as the store rounds them."""
    stored, asked = vectors.astype(np.float16).astype(np.float64), query.astype(np.float16).astype(np.float64)
    cosines = stored @ asked / np.linalg.norm(stored, axis=1) / np.linalg.norm(asked)
    order = sorted(range(len(records)), key=lambda index: (-round(cosines[index], 9), records[index]))
    return [records[index] for index in order[:limit]]


@pytest.fixture
async def model(database: Database) -> int:
    return await register_model(database, Model())


@pytest.mark.parametrize("exact", [True, False])
async def test_the_nearest_come_first_with_their_cosine(
    database: Database, tenant: Tenant, model: int, exact: bool
) -> None:
    seeded = await seed_group(database, tenant.number, Namespace(user_id="maya"), 300)
    vectors, query = unit_vectors(300, centres=5), unit_vectors(1, centres=5, seed=1)[0]
    await seed_vectors(database, seeded, model, vectors)
    rows = await found(database, tenant.number, [seeded.space], model, query, limit=40, exact=exact)
    assert [record for record, _ in rows] == nearest(vectors, seeded.records, query, 40)
    expected = vectors[[seeded.records.index(record) for record, _ in rows]] @ query
    assert np.allclose([cosine for _, cosine in rows], expected, atol=1e-3)


async def test_equal_vectors_are_ordered_by_record_number(database: Database, tenant: Tenant, model: int) -> None:
    seeded = await seed_group(database, tenant.number, Namespace(user_id="maya"), 200)
    same = unit_vectors(1)[0]
    await seed_vectors(database, seeded, model, np.tile(same, (200, 1)))
    rows = await found(database, tenant.number, [seeded.space], model, same, limit=7)
    assert [record for record, _ in rows] == seeded.records[:7]


async def test_only_the_visible_spaces_are_searched(database: Database, tenant: Tenant, model: int) -> None:
    maya = await seed_group(database, tenant.number, Namespace(user_id="maya"), 5)
    liam = await seed_group(database, tenant.number, Namespace(user_id="liam"), 5)
    vectors, query = unit_vectors(10), unit_vectors(1, seed=1)[0]
    await seed_vectors(database, maya, model, vectors[:5])
    await seed_vectors(database, liam, model, vectors[5:])
    for exact in (True, False):
        one = await found(database, tenant.number, [maya.space], model, query, exact=exact)
        assert {record for record, _ in one} == set(maya.records)
        both = await found(database, tenant.number, [liam.space, maya.space], model, query, exact=exact)
        assert [record for record, _ in both] == nearest(vectors, maya.records + liam.records, query, 10)
        assert await found(database, tenant.number, [], model, query, exact=exact) == []


async def test_another_models_vectors_do_not_mix_in(database: Database, tenant: Tenant, model: int) -> None:
    other = await register_model(database, Model("test:8", 8))
    seeded = await seed_group(database, tenant.number, Namespace(user_id="maya"), 4)
    await seed_vectors(database, seeded, model, unit_vectors(4))
    await seed_vectors(database, seeded, other, unit_vectors(4, 8))
    rows = await found(database, tenant.number, [seeded.space], other, unit_vectors(1, 8)[0])
    assert len(rows) == 4


@pytest.mark.parametrize("exact", [True, False])
async def test_a_record_counts_from_its_commit_until_it_is_closed(
    database: Database, tenant: Tenant, model: int, exact: bool
) -> None:
    seeded = await seed_group(
        database, tenant.number, Namespace(user_id="maya"), 3, born=[1, 2, 3], closed=[None, 4, None]
    )
    await seed_vectors(database, seeded, model, unit_vectors(3))
    first, second, third = seeded.records
    expected = {0: set(), 1: {first}, 2: {first, second}, 3: {first, second, third}, 4: {first, third}}
    for known_at, records in (expected | {None: {first, third}}).items():
        rows = await found(
            database, tenant.number, [seeded.space], model, unit_vectors(1)[0], known_at=known_at, exact=exact
        )
        assert {record for record, _ in rows} == records


@pytest.mark.parametrize("exact", [True, False])
async def test_many_closed_records_near_the_question_do_not_hide_the_live(
    database: Database, tenant: Tenant, model: int, exact: bool
) -> None:
    query = unit_vectors(1)[0]
    closed = [2] * 500 + [None] * 20
    seeded = await seed_group(database, tenant.number, Namespace(user_id="maya"), 520, closed=closed)
    vectors = np.vstack([np.tile(query, (500, 1)), unit_vectors(20, seed=3)])
    await seed_vectors(database, seeded, model, vectors)
    rows = await found(database, tenant.number, [seeded.space], model, query, limit=10, exact=exact)
    assert [record for record, _ in rows] == nearest(vectors[500:], seeded.records[500:], query, 10)


async def test_a_record_that_is_not_sealed_is_not_found(database: Database, tenant: Tenant, model: int) -> None:
    seeded = await seed_group(database, tenant.number, Namespace(user_id="maya"), 2, born=[1, 10])
    await seed_vectors(database, seeded, model, unit_vectors(2))
    rows = await found(database, tenant.number, [seeded.space], model, unit_vectors(1)[0], known_at=9)
    assert [record for record, _ in rows] == seeded.records[:1]


async def test_cosines_of_named_records(database: Database, tenant: Tenant, model: int) -> None:
    seeded = await seed_group(database, tenant.number, Namespace(user_id="maya"), 4)
    vectors, query = unit_vectors(3), unit_vectors(1, seed=5)[0]
    await seed_vectors(database, seeded, model, np.vstack([vectors, vectors[:1]]))
    async with database.scope(tenant.number) as scope:
        rows = await scope.rows(
            "vector.cosines",
            model=model,
            records=[*seeded.records[1:3], seeded.records[1], 10**9],
            vector=vector_text(query.tolist()),
        )
    assert sorted(row["record_no"] for row in rows) == seeded.records[1:3]
    assert np.allclose(
        [row["cosine"] for row in sorted(rows, key=lambda row: row["record_no"])], vectors[1:3] @ query, atol=1e-3
    )
