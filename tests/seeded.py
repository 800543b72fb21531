"""Records put straight into the tables, for tests of what reads them; the write path has tests of its own."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sqlalchemy import text

from muniment.database.numbers import allocate
from muniment.database.pool import Database
from muniment.database.spaces import intern_space
from muniment.database.vectors import store_vectors
from muniment.model.namespace import Namespace

_SOURCE = text("""
  insert into muniment.source (tenant_id, source_no, space_id, source_id, source_key, kind)
  values (:tenant, :source, :space, gen_random_uuid(), :key, 'text')""")
_GROUP = text("""
  insert into muniment.record_group (tenant_id, group_no, space_id, group_key, source_no)
  values (:tenant, :group, :space, :key, :source)""")
_RECORDS = text("""
  with given as (
    select *
      from unnest(cast(:records as bigint[]), cast(:positions as integer[]), cast(:texts as text[]))
           g (record_no, position, text)),
  spine as (
    insert into muniment.record (tenant_id, record_no, space_id, record_id, kind, modality, source_no, source_version,
                                 group_no, position, locator, commitment)
    select :tenant, g.record_no, :space, gen_random_uuid(), 'raw', 'document', :source, 1, :group, g.position, '{}',
           decode(repeat('00', 32), 'hex')
      from given g)
  insert into muniment.record_content (tenant_id, record_no, space_id, salt, text)
  select :tenant, g.record_no, :space, decode(repeat('00', 32), 'hex'), g.text from given g""")
_LIVENESS = text("""
  insert into muniment.liveness (tenant_id, record_no, space_id, group_no, position, live_from_commit, live_to_commit)
  select :tenant, g.record_no, :space, :group, g.position, g.born, g.closed
    from unnest(cast(:records as bigint[]), cast(:positions as integer[]),
                cast(:born as bigint[]), cast(:closed as bigint[])) g (record_no, position, born, closed)""")
_ENTITIES = text("""
  insert into muniment.record_entity (tenant_id, entity, space_id, record_no)
  select :tenant, e.entity, :space, e.record_no
    from unnest(cast(:records as bigint[]), cast(:entities as text[])) e (record_no, entity)
  on conflict do nothing""")
_SIMILARITY = text("""
  insert into muniment.similarity (tenant_id, record_no, neighbour_no, space_id, weight)
  values (:tenant, :record, :neighbour, :space, cast(:weight as real))""")


@dataclass(frozen=True, slots=True)
class Seeded:
    """A group of records in a space: ``records[i]`` stands at ``positions[i]``."""

    tenant: int
    space: int
    group: int
    records: list[int]


async def seed_group(
    database: Database,
    tenant: int,
    namespace: Namespace,
    count: int,
    *,
    texts: Sequence[str] | None = None,
    positions: Sequence[int] | None = None,
    born: Sequence[int] | None = None,
    closed: Sequence[int | None] | None = None,
) -> Seeded:
    """``count`` records of one group, live from commit 1 unless said otherwise."""
    space = await intern_space(database, tenant, namespace)
    source = (await allocate(database, tenant, "source"))[0]
    group = (await allocate(database, tenant, "group"))[0]
    records = list(await allocate(database, tenant, "record", count))
    key = uuid.uuid4().hex
    positions = list(positions or range(count))
    async with database.scope(tenant) as scope:
        ids = {"tenant": tenant, "space": space, "source": source, "group": group, "key": key}
        await scope.connection.execute(_SOURCE, ids)
        await scope.connection.execute(_GROUP, ids)
        rows = {"records": records, "positions": positions}
        await scope.connection.execute(_RECORDS, ids | rows | {"texts": list(texts or [f"text {n}" for n in records])})
        times = {"born": list(born or [1] * count), "closed": list(closed or [None] * count)}
        await scope.connection.execute(_LIVENESS, ids | rows | times)
    return Seeded(tenant, space, group, records)


async def seed_entities(database: Database, seeded: Seeded, entities: Sequence[tuple[int, str]]) -> None:
    """Pairs of a record number and an entity."""
    async with database.scope(seeded.tenant) as scope:
        values = {"records": [record for record, _ in entities], "entities": [entity for _, entity in entities]}
        await scope.connection.execute(_ENTITIES, {"tenant": seeded.tenant, "space": seeded.space} | values)


async def seed_vectors(database: Database, seeded: Seeded, model_no: int, vectors: np.ndarray) -> None:
    """One vector a record, in their order; in slices, so that no statement grows large."""
    for start in range(0, len(seeded.records), 2000):
        async with database.scope(seeded.tenant, seconds=120) as scope:
            part = slice(start, start + 2000)
            await store_vectors(scope, model_no, seeded.space, seeded.records[part], vectors[part].tolist())


def unit_vectors(
    count: int, dimensions: int = 384, *, seed: int = 0, centres: int = 0, spread: float = 0.5
) -> np.ndarray:
    """Random unit vectors, around ``centres`` directions where given, as a text collection's vectors are.

    The directions depend on their number alone, so that another seed gives other vectors around the same.
    """
    random = np.random.default_rng(seed)
    vectors = random.standard_normal((count, dimensions))
    if centres:
        middles = np.random.default_rng(centres).standard_normal((centres, dimensions))
        vectors = middles[random.integers(0, centres, count)] + spread * vectors
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


async def seed_similarity(database: Database, seeded: Seeded, edges: Sequence[tuple[int, int, float]]) -> None:
    """Similarity edges: record, neighbour, weight."""
    async with database.scope(seeded.tenant) as scope:
        for record, neighbour, weight in edges:
            values = {"tenant": seeded.tenant, "space": seeded.space}
            await scope.connection.execute(
                _SIMILARITY, values | {"record": record, "neighbour": neighbour, "weight": weight}
            )
