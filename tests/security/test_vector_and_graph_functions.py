"""Functions of the vector index and the graph, called with another tenant's numbers: nothing comes of it."""

import numpy as np
import pytest
from sqlalchemy import text

from muniment.database.pool import Database
from muniment.database.vectors import vector_text
from muniment.model.namespace import Namespace
from muniment.tenancy.tenants import Tenant
from seeded import Seeded, seed_entities, seed_group, seed_similarity, seed_vectors, unit_vectors

_MODEL = "insert into muniment.embedding_model (name, dimensions) values ('test:384', 384) returning model_no"
VECTOR = "cast(:vector as public.halfvec)"
SCORES = "array_fill(1.0::double precision, array[cardinality(cast(:records as bigint[]))])"
READS = {
    "search_vector": f":tenant, :spaces, :model, {VECTOR}, null, 10, true",
    "search_vector_scan": f":tenant, :spaces, :model, {VECTOR}, null, 10",
    "search_vector_index": f":tenant, :spaces, :model, {VECTOR}, null, 10",
    "cosines": f":tenant, :model, :records, {VECTOR}",
    "walk_graph": ":tenant, :spaces, :records, null, 3, 80",
    "step_graph": f":tenant, :spaces, :records, {SCORES}, null",
}
WRITES = {
    "link_similar": ":tenant, :model, :records",
    "link_record": f":tenant, :model, :space, :record, {VECTOR}, 1",
    "link_to_record": f":tenant, :model, :space, :record, {VECTOR}",
}
_EDGES = "select (select count(*) from muniment.similarity), (select count(*) from muniment.similarity_linked)"


@pytest.fixture
async def model(database: Database) -> int:
    async with database.transaction() as connection:
        number: int = (await connection.execute(text(_MODEL))).scalar_one()
    return number


@pytest.fixture
async def victim(database: Database, tenant: Tenant, model: int) -> Seeded:
    """Six records of one text, of which the graph holds every kind of edge."""
    seeded = await seed_group(database, tenant.number, Namespace(user_id="maya"), 6)
    await seed_vectors(database, seeded, model, np.tile(unit_vectors(1), (6, 1)))
    await seed_entities(database, seeded, [(record, "atlas") for record in seeded.records])
    await seed_similarity(database, seeded, [(seeded.records[5], seeded.records[0], 0.9)])
    return seeded


def values(seeded: Seeded, model: int) -> dict[str, object]:
    return {
        "tenant": seeded.tenant,
        "spaces": [seeded.space],
        "space": seeded.space,
        "model": model,
        "records": seeded.records,
        "record": seeded.records[2],
        "vector": vector_text(unit_vectors(1)[0].tolist()),
    }


@pytest.mark.parametrize("function", READS)
async def test_a_function_that_reads_gives_another_tenant_nothing(
    function: str, database: Database, victim: Seeded, other_tenant: Tenant, model: int
) -> None:
    call = text(f"select * from muniment.{function}({READS[function]})")  # noqa: S608
    async with database.scope(victim.tenant) as scope:
        assert (await scope.connection.execute(call, values(victim, model))).all() != []
    async with database.scope(other_tenant.number) as scope:
        assert (await scope.connection.execute(call, values(victim, model))).all() == []
    async with database.scope(victim.tenant, spaces=[victim.space + 1]) as scope:
        assert (await scope.connection.execute(call, values(victim, model))).all() == []


@pytest.mark.parametrize("function", WRITES)
async def test_a_function_that_writes_changes_nothing_of_another_tenant(
    function: str, database: Database, victim: Seeded, other_tenant: Tenant, model: int
) -> None:
    call = text(f"select muniment.{function}({WRITES[function]})")
    async with database.scope(other_tenant.number) as scope:
        assert (await scope.connection.execute(call, values(victim, model))).scalar_one() == 0
        assert (await scope.connection.execute(text(_EDGES))).one() == (0, 0)
    async with database.scope(victim.tenant) as scope:
        assert (await scope.connection.execute(text(_EDGES))).one() == (1, 0)
