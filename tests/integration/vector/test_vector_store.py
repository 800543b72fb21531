"""Storing vectors, and the list of the records that wait for theirs."""

import numpy as np
import pytest
from sqlalchemy import text

from muniment.database.pool import Database
from muniment.database.vectors import (
    mark_pending,
    store_pending_vectors,
    store_vectors,
    take_pending,
    take_texts,
    vector_text,
)
from muniment.errors import MunimentError
from muniment.model.namespace import Namespace
from muniment.tenancy.tenants import Tenant
from seeded import seed_group, unit_vectors

MAYA, LIAM = Namespace(user_id="maya"), Namespace(user_id="liam")
_MODEL = "insert into muniment.embedding_model (name, dimensions) values (:name, 384) returning model_no"
_VECTORS = """
    select record_no, space_id, cast(vector as text) as vector from muniment.embedding
     where tenant_id = :tenant and model_no = :model order by record_no"""


@pytest.fixture
async def model(database: Database) -> int:
    async with database.transaction() as connection:
        number: int = (await connection.execute(text(_MODEL), {"name": "test:384"})).scalar_one()
    return number


async def stored(database: Database, tenant: int, model: int) -> dict[int, tuple[int, np.ndarray]]:
    async with database.scope(tenant) as scope:
        rows = (await scope.connection.execute(text(_VECTORS), {"tenant": tenant, "model": model})).all()
    return {row.record_no: (row.space_id, np.array(row.vector[1:-1].split(","), np.float16)) for row in rows}


async def test_the_server_rounds_a_vector_as_numpy_does(database: Database, tenant: Tenant, model: int) -> None:
    seeded = await seed_group(database, tenant.number, MAYA, 20)
    vectors = unit_vectors(20)
    async with database.scope(tenant.number) as scope:
        await store_vectors(scope, model, seeded.space, seeded.records, vectors.tolist())
    found = await stored(database, tenant.number, model)
    assert np.array_equal([vector for _, vector in found.values()], vectors.astype(np.float16))
    assert {space for space, _ in found.values()} == {seeded.space}


async def test_a_stored_vector_leaves_the_waiting_list_and_is_not_replaced(
    database: Database, tenant: Tenant, model: int
) -> None:
    seeded = await seed_group(database, tenant.number, MAYA, 3)
    first, second = unit_vectors(2, seed=1).tolist(), unit_vectors(3, seed=2).tolist()
    async with database.scope(tenant.number) as scope:
        await mark_pending(scope, seeded.space, seeded.records)
        await mark_pending(scope, seeded.space, seeded.records)
        await store_vectors(scope, model, seeded.space, seeded.records[:2], first)
        assert [row.record_no for row in await take_pending(scope, model, 10)] == seeded.records[2:]
        await store_vectors(scope, model, seeded.space, seeded.records, second)
        assert await take_pending(scope, model, 10) == []
    found = await stored(database, tenant.number, model)
    expected = np.array([*first, second[2]]).astype(np.float16)
    assert np.array_equal([vector for _, vector in found.values()], expected)


async def test_those_that_wait_come_with_their_texts_by_space_and_number(
    database: Database, tenant: Tenant, other_tenant: Tenant, model: int
) -> None:
    maya = await seed_group(database, tenant.number, MAYA, 3, texts=["a", "b", "c"])
    liam = await seed_group(database, tenant.number, LIAM, 2, texts=["d", "e"])
    theirs = await seed_group(database, other_tenant.number, MAYA, 2)
    async with database.scope(other_tenant.number) as scope:
        await mark_pending(scope, theirs.space, theirs.records)
    async with database.scope(tenant.number) as scope:
        await mark_pending(scope, liam.space, liam.records)
        await mark_pending(scope, maya.space, maya.records)
        waiting = await take_pending(scope, model, 4)
        assert [(row.space, row.record_no, row.text) for row in waiting] == [
            (maya.space, maya.records[0], "a"),
            (maya.space, maya.records[1], "b"),
            (maya.space, maya.records[2], "c"),
            (liam.space, liam.records[0], "d"),
        ]
        assert [row.text for row in await take_pending(scope, model, 4, liam.space)] == ["d", "e"]
        await store_pending_vectors(scope, model, waiting, unit_vectors(4).tolist())
        assert [row.text for row in await take_pending(scope, model, 4)] == ["e"]
    found = await stored(database, tenant.number, model)
    assert [found[record][0] for record in maya.records] == [maya.space] * 3
    assert found[liam.records[0]][0] == liam.space


async def test_what_lacks_a_vector_is_asked_by_number(database: Database, tenant: Tenant, model: int) -> None:
    seeded = await seed_group(database, tenant.number, MAYA, 5)
    a, b, _, d, _ = seeded.records
    async with database.transaction() as connection:
        other = (await connection.execute(text(_MODEL), {"name": "other:384"})).scalar_one()
    async with database.scope(tenant.number) as scope:
        await store_vectors(scope, model, seeded.space, [b], unit_vectors(1).tolist())
        await store_vectors(scope, other, seeded.space, [a], unit_vectors(1).tolist())
        assert [row.record_no for row in await take_texts(scope, model, [a, b, d, 10**9])] == [a, d]


async def test_nothing_stores_nothing_and_a_missing_vector_is_an_error(
    database: Database, tenant: Tenant, model: int
) -> None:
    seeded = await seed_group(database, tenant.number, MAYA, 2)
    async with database.scope(tenant.number) as scope:
        await store_vectors(scope, model, seeded.space, [], [])
        await mark_pending(scope, seeded.space, [])
        with pytest.raises(ValueError, match="one vector a record"):
            await store_vectors(scope, model, seeded.space, seeded.records, unit_vectors(1).tolist())
    assert await stored(database, tenant.number, model) == {}


async def test_a_vector_of_a_record_without_content_is_refused(database: Database, tenant: Tenant, model: int) -> None:
    """So that an embedding in flight cannot bring back what an erase deleted."""
    seeded = await seed_group(database, tenant.number, MAYA, 1)
    with pytest.raises(Exception) as caught:
        async with database.scope(tenant.number) as scope:
            await store_vectors(scope, model, seeded.space, [seeded.records[0] + 1], unit_vectors(1).tolist())
    assert not isinstance(caught.value, MunimentError)
    assert "embedding" in str(caught.value)


def test_the_text_of_a_vector_carries_a_float32_whole() -> None:
    vector = unit_vectors(1)[0]
    assert np.array_equal(np.array(vector_text(vector.tolist())[1:-1].split(","), np.float32), vector)
