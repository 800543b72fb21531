"""The graph route: edges of three kinds, and the best product of weights on any path."""

import asyncio
import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from muniment.database.pool import Database
from muniment.model.namespace import Namespace
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant, create_tenant
from seeded import Seeded, seed_entities, seed_group, seed_similarity

MAYA = Namespace(user_id="maya")


async def walk(
    database: Database,
    seeded: Seeded,
    seeds: list[int],
    *,
    hops: int = 2,
    frontier: int = 80,
    known_at: int | None = None,
    spaces: list[int] | None = None,
) -> dict[int, tuple[float, int]]:
    async with database.scope(seeded.tenant) as scope:
        rows = await scope.rows(
            "graph.walk", spaces=[seeded.space] if spaces is None else spaces, seeds=seeds, known_at=known_at,
            hops=hops, frontier=frontier,
        )  # fmt: skip
    assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)
    assert len({row["record_no"] for row in rows}) == len(rows)
    return {row["record_no"]: (pytest.approx(row["score"], abs=1e-6), row["hops"]) for row in rows}


async def edges(database: Database, seeded: Seeded) -> set[tuple[int, int, str, float]]:
    async with database.scope(seeded.tenant) as scope:
        rows = await scope.rows("graph.edges", records=seeded.records)
    found = [(row["record_no"], row["neighbour_no"], row["kind"], round(row["weight"], 6)) for row in rows]
    assert len(found) == len(set(found))
    return set(found)


async def test_neighbours_in_a_group_forward_and_backward(database: Database, tenant: Tenant) -> None:
    seeded = await seed_group(database, tenant.number, MAYA, 5)
    a, b, c, d, e = seeded.records
    assert await walk(database, seeded, [c]) == {c: (1, 0), d: (1, 1), e: (1, 2), b: (0.8, 1), a: (0.64, 2)}
    assert await walk(database, seeded, [c], hops=1) == {c: (1, 0), d: (1, 1), b: (0.8, 1)}
    assert await walk(database, seeded, [c], hops=0) == {c: (1, 0)}


async def test_a_closed_record_is_stepped_over(database: Database, tenant: Tenant) -> None:
    seeded = await seed_group(
        database,
        tenant.number,
        MAYA,
        5,
        positions=[0, 1, 1, 4, 9],
        closed=[None, 3, None, 5, None],
        born=[1, 1, 3, 1, 1],
    )
    a, old, new, closed, e = seeded.records
    assert await walk(database, seeded, [a], hops=1) == {a: (1, 0), new: (1, 1)}
    assert await walk(database, seeded, [e], hops=1) == {e: (1, 0), new: (0.8, 1)}
    assert await walk(database, seeded, [a], known_at=2) == {a: (1, 0), old: (1, 1), closed: (1, 2)}
    assert await walk(database, seeded, [old]) == {}
    assert closed not in await walk(database, seeded, [new], hops=3)


async def test_groups_are_not_joined_end_to_end(database: Database, tenant: Tenant) -> None:
    first = await seed_group(database, tenant.number, MAYA, 2)
    await seed_group(database, tenant.number, MAYA, 2)
    assert set(await walk(database, first, [first.records[1]], hops=3)) == set(first.records)


async def singles(database: Database, tenant: Tenant, count: int, closed: list[int | None] | None = None) -> Seeded:
    """Records that are no neighbours of each other: each in a group of its own."""
    made = [
        await seed_group(database, tenant.number, MAYA, 1, closed=[closed[n]] if closed else None) for n in range(count)
    ]
    return Seeded(tenant.number, made[0].space, 0, [group.records[0] for group in made])


async def test_an_entity_leads_to_its_six_most_recent_live_records(database: Database, tenant: Tenant) -> None:
    seeded = await singles(database, tenant, 10, closed=[None] * 8 + [2, None])
    await seed_entities(database, seeded, [(record, "atlas") for record in seeded.records])
    first, last, closed = seeded.records[0], seeded.records[9], seeded.records[8]
    recent = [*seeded.records[3:8], last]
    assert await walk(database, seeded, [first], hops=1) == {first: (1, 0)} | {r: (0.92, 1) for r in recent}
    others = [record for record in recent if record != last]
    assert await walk(database, seeded, [last], hops=1) == {last: (1, 0)} | {r: (0.92, 1) for r in others}
    at_first = await walk(database, seeded, [first], hops=1, known_at=1)
    assert set(at_first) == {first, closed, *seeded.records[4:8], last}


async def test_similar_records_are_neighbours_both_ways_at_most_five(database: Database, tenant: Tenant) -> None:
    seeded = await singles(database, tenant, 9, closed=[None] * 8 + [2])
    hub, *others = seeded.records
    weights = [0.6, 0.9, 0.7, 0.8, 0.65, 0.95, 0.99]
    await seed_similarity(database, seeded, [(r, hub, w) for r, w in zip(others[:4], weights, strict=False)])
    await seed_similarity(database, seeded, [(hub, r, w) for r, w in zip(others[4:7], weights[4:], strict=True)])
    await seed_similarity(database, seeded, [(hub, others[7], 1.0)])
    best = {others[6]: 0.99, others[5]: 0.95, others[1]: 0.9, others[3]: 0.8, others[2]: 0.7}
    assert await walk(database, seeded, [hub], hops=1) == {hub: (1, 0)} | {r: (w, 1) for r, w in best.items()}
    assert await walk(database, seeded, [others[0]], hops=1) == {others[0]: (1, 0), hub: (0.6, 1)}


async def test_the_best_path_wins_though_it_is_longer(database: Database, tenant: Tenant) -> None:
    seeded = await singles(database, tenant, 3)
    a, b, c = seeded.records
    await seed_similarity(database, seeded, [(a, c, 0.6), (a, b, 0.9), (b, c, 0.9)])
    assert await walk(database, seeded, [a], hops=1) == {a: (1, 0), b: (0.9, 1), c: (0.6, 1)}
    assert await walk(database, seeded, [a], hops=2) == {a: (1, 0), b: (0.9, 1), c: (0.81, 2)}


async def test_a_hop_keeps_only_the_best_of_its_frontier(database: Database, tenant: Tenant) -> None:
    seeded = await singles(database, tenant, 6)
    a, b, c, d, e, f = seeded.records
    await seed_similarity(database, seeded, [(a, b, 0.9), (a, c, 0.8), (a, d, 0.7), (b, e, 0.9), (d, f, 0.99)])
    found = await walk(database, seeded, [a], hops=2, frontier=2)
    assert found == {a: (1, 0), b: (0.9, 1), c: (0.8, 1), e: (0.81, 2)}


async def test_seeds_are_only_the_live_and_visible_ones(database: Database, tenant: Tenant) -> None:
    maya = await seed_group(database, tenant.number, MAYA, 3, closed=[None, None, 2])
    liam = await seed_group(database, tenant.number, Namespace(user_id="liam"), 2)
    seeds = [maya.records[0], maya.records[0], maya.records[2], liam.records[0], 10**12]
    assert await walk(database, maya, seeds, hops=0) == {maya.records[0]: (1, 0)}
    assert await walk(database, maya, seeds, spaces=[]) == {}
    assert await walk(database, maya, []) == {}


async def test_no_edge_leads_out_of_the_visible_spaces(database: Database, tenant: Tenant) -> None:
    maya = await seed_group(database, tenant.number, MAYA, 2)
    liam = await seed_group(database, tenant.number, Namespace(user_id="liam"), 2)
    for seeded in (maya, liam):
        await seed_entities(database, seeded, [(record, "atlas") for record in seeded.records])
    await seed_similarity(database, maya, [(maya.records[0], liam.records[0], 0.9)])
    assert set(await walk(database, maya, maya.records[:1], hops=3)) == set(maya.records)
    both = await walk(database, maya, maya.records[:1], hops=1, spaces=[maya.space, liam.space])
    assert set(both) == {*maya.records, liam.records[0]}


async def test_the_view_shows_the_same_edges(database: Database, tenant: Tenant) -> None:
    seeded = await seed_group(database, tenant.number, MAYA, 4, closed=[None, None, 7, None])
    a, b, closed, d = seeded.records
    await seed_entities(database, seeded, [(a, "atlas"), (closed, "atlas"), (d, "atlas"), (a, "maya"), (d, "maya")])
    await seed_similarity(database, seeded, [(d, b, 0.75), (closed, a, 0.9)])
    assert await edges(database, seeded) == {
        (a, b, "followed_by", 1.0),
        (b, d, "followed_by", 1.0),
        (b, a, "followed_by", 0.8),
        (d, b, "followed_by", 0.8),
        (a, d, "about_same_entity", 0.92),
        (d, a, "about_same_entity", 0.92),
        (b, d, "similar_to", 0.75),
        (d, b, "similar_to", 0.75),
    }


def by_hand(graph: dict[str, object], seeds: set[int], hops: int) -> dict[int, float]:
    """Every path of at most ``hops`` edges, one after the other; the edges built from their definition."""
    count: int = graph["count"]  # type: ignore[assignment]
    groups: list[int] = graph["groups"]  # type: ignore[assignment]
    live = [record for record in range(count) if record not in graph["closed"]]  # type: ignore[operator]
    weights: dict[tuple[int, int], float] = {}

    def edge(a: int, b: int, weight: float) -> None:
        if a != b:
            weights[a, b] = max(weights.get((a, b), 0), weight)

    for group in set(groups):
        members = [record for record in live if groups[record] == group]
        for a, b in itertools.pairwise(members):
            edge(a, b, 1.0)
            edge(b, a, 0.8)
    for entity in {entity for _, entity in graph["entities"]}:  # type: ignore[attr-defined]
        named = sorted({record for record, name in graph["entities"] if name == entity and record in live})  # type: ignore[attr-defined]
        for a in named:
            for b in named[-6:]:
                edge(a, b, 0.92)
    stored: dict[int, dict[int, float]] = {record: {} for record in live}
    for (a, b), weight in graph["similar"].items():  # type: ignore[attr-defined]
        if a != b and a in stored and b in stored:
            stored[a][b] = max(weight, stored[a].get(b, 0))
            stored[b][a] = max(weight, stored[b].get(a, 0))
    for a, near in stored.items():
        for b, weight in sorted(near.items(), key=lambda item: (-item[1], item[0]))[:5]:
            edge(a, b, weight)
    best: dict[int, float] = {}

    def follow(node: int, score: float, left: int) -> None:
        best[node] = max(score, best.get(node, 0))
        if left:
            for (a, b), weight in weights.items():
                if a == node:
                    follow(b, score * weight, left - 1)

    for seed in seeds & set(live):
        follow(seed, 1.0, hops)
    return best


@st.composite
def graphs(draw: st.DrawFn) -> dict[str, object]:
    count = draw(st.integers(2, 14))
    record = st.integers(0, count - 1)
    cosine = st.integers(58, 99).map(lambda number: float(np.float32(number / 100)))
    return {
        "count": count,
        "groups": sorted(draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))),
        "closed": draw(st.sets(record, max_size=count // 3)),
        "entities": draw(st.lists(st.tuples(record, st.sampled_from("abc")), max_size=20)),
        "similar": draw(st.dictionaries(st.tuples(record, record), cosine, max_size=25)),
    }


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graph=graphs(), picks=st.sets(st.integers(0, 13), min_size=1, max_size=4), hops=st.integers(1, 3))
def test_the_walk_finds_the_best_product_of_any_path(
    app_url: str, graph: dict[str, object], picks: set[int], hops: int
) -> None:
    async def check() -> None:
        database = Database(app_url, Settings(pool_size=2))
        try:
            await compare(database)
        finally:
            await database.close()

    async def compare(database: Database) -> None:
        tenant = await create_tenant(database, "random")
        groups: list[int] = graph["groups"]  # type: ignore[assignment]
        records: list[int] = []
        for group in sorted(set(groups)):
            members = [n for n, of in enumerate(groups) if of == group]
            closed = [2 if n in graph["closed"] else None for n in members]  # type: ignore[operator]
            seeded = await seed_group(database, tenant.number, MAYA, len(members), closed=closed)
            records.extend(seeded.records)
        everything = Seeded(tenant.number, seeded.space, 0, records)
        await seed_entities(database, everything, [(records[n], name) for n, name in graph["entities"]])  # type: ignore[attr-defined]
        pairs = [(records[a], records[b], w) for (a, b), w in graph["similar"].items() if a != b]  # type: ignore[attr-defined]
        await seed_similarity(database, everything, pairs)
        seeds = {n for n in picks if n < len(records)}
        found = await walk(database, everything, [records[n] for n in seeds], hops=hops, frontier=10_000)
        expected = by_hand(graph, seeds, hops)
        assert {record: score for record, (score, _) in found.items()} == {
            records[n]: pytest.approx(score, abs=1e-6) for n, score in expected.items()
        }

    asyncio.run(check())


async def test_another_tenants_records_never_appear(database: Database, tenant: Tenant, other_tenant: Tenant) -> None:
    """Numbers are per tenant, so the same ones exist on both sides: only policy and predicate tell them apart."""
    mine = await seed_group(database, tenant.number, MAYA, 3)
    theirs = await seed_group(database, other_tenant.number, MAYA, 6)
    await seed_entities(database, theirs, [(record, "atlas") for record in theirs.records])
    await seed_similarity(database, theirs, [(theirs.records[0], theirs.records[5], 0.9)])
    found = await walk(database, mine, theirs.records, hops=3, spaces=[mine.space, theirs.space])
    assert set(found) <= set(mine.records)
    assert await edges(database, mine) == {
        (a, b, "followed_by", w) for a, b in itertools.pairwise(mine.records) for a, b, w in ((a, b, 1.0), (b, a, 0.8))
    }
    async with database.scope(tenant.number) as scope:
        forged = text("select * from muniment.walk_graph(:other, array[:space], :seeds, null, 3, 80)")
        rows = await scope.connection.execute(
            forged, {"other": other_tenant.number, "space": theirs.space, "seeds": theirs.records}
        )
        assert rows.all() == []
