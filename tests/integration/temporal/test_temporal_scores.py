"""The temporal functions: proximity to a window, the records near it, and their scores."""

import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from muniment.database.pool import Database
from muniment.model.namespace import Namespace
from muniment.tenancy.tenants import Tenant
from seeded import Seeded, seed_group

ATLAS = Namespace(project_id="atlas")
BOREALIS = Namespace(project_id="borealis")
DAY = 86400.0
WEIGHTS = [0.55, 0.35, 0.10, 0.45]


def day(month: int, number: int, year: int = 2023) -> datetime:
    return datetime(year, month, number, tzinfo=UTC)


def proximity(first: float, last: float, lower: float, upper: float, unit: float) -> float:
    """The definition, by summing over 20,000 moments."""
    moments = [first + (last - first) * (n + 0.5) / 20000 for n in range(20000)] if last > first else [first]
    return sum(1 / (1 + max(lower - at, at - upper, 0) / unit) for at in moments) / len(moments)


async def sql_proximity(database: Database, tenant: Tenant, *values: Any) -> float:
    statement = text("select muniment.time_proximity(:a, :b, cast(:c as timestamptz), cast(:d as timestamptz), :e)")
    async with database.scope(tenant.number) as scope:
        found: float = (await scope.connection.execute(statement, dict(zip("abcde", values, strict=True)))).scalar_one()
    return found


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (day(6, 9), day(6, 9), 1.0),  # a moment inside
        (day(6, 9), day(6, 10), 1.0),
        (day(6, 12), day(6, 12), 1 / 3),  # two days after the end
        (day(6, 7), day(6, 7), 1 / 3),  # two days before the beginning
        (day(6, 10), day(6, 11), math.log(2)),  # the day after
        (day(6, 8), day(6, 9), math.log(2)),
        (day(6, 7), day(6, 9), math.log(3) / 2),
        (day(6, 8), day(6, 11), 1.0),  # holds the window
        (day(5, 20), day(6, 20), 1.0),  # a month that does
    ],
)
async def test_proximity_is_the_mean_over_the_time_of_its_nearness_to_the_window(
    database: Database, tenant: Tenant, first: datetime, last: datetime, expected: float
) -> None:
    assert await sql_proximity(database, tenant, first, last, day(6, 9), day(6, 10), DAY) == pytest.approx(expected)


async def test_an_open_window_takes_in_all_on_its_side(database: Database, tenant: Tenant) -> None:
    long_ago, far = day(1, 1, 1980), day(1, 1, 2080)
    for first, lower, upper in ((long_ago, None, day(6, 9)), (far, day(6, 9), None)):
        inside = await sql_proximity(database, tenant, first, first + timedelta(days=1), lower, upper, DAY)
        assert inside == pytest.approx(1.0)
    outside = await sql_proximity(database, tenant, day(6, 10), day(6, 10), None, day(6, 9), DAY)
    assert outside == pytest.approx(0.5)


@given(
    first=st.integers(-400, 400), length=st.integers(0, 400), width=st.integers(1, 60), unit=st.sampled_from([1, 7, 30])
)
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_proximity_agrees_with_its_definition(
    database: Database, tenant: Tenant, first: int, length: int, width: int, unit: int
) -> None:
    start = day(6, 9) + timedelta(days=first)
    window = (day(6, 9), day(6, 9) + timedelta(days=width))
    found = await sql_proximity(database, tenant, start, start + timedelta(days=length), *window, unit * DAY)
    assert 0 < found <= 1
    holds = first <= 0 and first + length >= width and length <= 31
    assert found == pytest.approx(1.0 if holds else proximity(first, first + length, 0, width, unit), rel=2e-3)


async def set_times(
    database: Database, seeded: Seeded, rows: Sequence[tuple[int, datetime, datetime]], said: Sequence[datetime | None]
) -> None:
    """Times by the index of a record, and when each record was said."""
    async with database.scope(seeded.tenant) as scope:
        for ordinal, (index, start, end) in enumerate(rows):
            await scope.execute(
                "temporal.insert", records=[seeded.records[index]], ordinals=[ordinal], spaces=[seeded.space],
                froms=[start], tos=[end], grains=["day"], expressions=["then"],
            )  # fmt: skip
    assert len(said) == len(seeded.records)


async def search(database: Database, seeded: Seeded, question: str = "", **changed: Any) -> list[Any]:
    parameters = {
        "spaces": [seeded.space], "known_at": 1, "text": question, "language": "english", "from_at": day(6, 9),
        "to_at": day(6, 10), "unit": DAY, "asks_when": False, "weights": WEIGHTS, "near": 50, "also": [],
        "within": None, "limit": 50,
    }  # fmt: skip
    async with database.scope(seeded.tenant) as scope:
        return list(await scope.rows("temporal.search", **(parameters | changed)))


async def numbers(database: Database, seeded: Seeded, **changed: Any) -> list[int]:
    """The indexes of the records found, best first."""
    return [seeded.records.index(row["record_no"]) for row in await search(database, seeded, **changed)]


async def index_words(database: Database, seeded: Seeded) -> None:
    async with database.scope(seeded.tenant) as scope:
        await scope.execute("records.index", records=seeded.records, language="english")


async def test_the_score_adds_proximity_overlap_and_having_a_time(database: Database, tenant: Tenant) -> None:
    seeded = await seed_group(
        database, tenant.number, ATLAS, 4, texts=["the kayak race", "kayak", "the race and the kayak", "kayak race"]
    )
    await index_words(database, seeded)
    await set_times(
        database,
        seeded,
        [(0, day(6, 9), day(6, 10)), (1, day(6, 10), day(6, 11)), (2, day(6, 9), day(6, 10))],
        [None] * 4,
    )
    rows = await search(database, seeded, "kayak race", also=seeded.records)
    found = {seeded.records.index(row["record_no"]): row["score"] for row in rows}
    assert found[0] == pytest.approx(0.55 + 0.35 + 0.10)
    assert found[1] == pytest.approx(0.55 * math.log(2) + 0.35 / 2 + 0.10)
    assert found[3] == pytest.approx(0.35)
    rows = await search(database, seeded, "kayak race", also=seeded.records, asks_when=True)
    asked = {seeded.records.index(row["record_no"]): row["score"] for row in rows}
    assert asked[3] == pytest.approx(0.35 * 0.45)
    assert asked[0] == found[0]


async def test_of_several_times_the_nearest_counts(database: Database, tenant: Tenant) -> None:
    seeded = await seed_group(database, tenant.number, ATLAS, 1)
    await set_times(database, seeded, [(0, day(1, 1), day(1, 2)), (0, day(6, 9), day(6, 10))], [None])
    assert [row["proximity"] for row in await search(database, seeded)] == [1.0]


async def test_times_within_at_the_edges_and_around_the_window_are_found_nearest_first(
    database: Database, tenant: Tenant
) -> None:
    seeded = await seed_group(database, tenant.number, ATLAS, 6)
    spans = [
        (0, day(6, 20), day(6, 21)), (1, day(6, 9), day(6, 10)), (2, day(5, 1), day(5, 2)), (3, day(1, 1), day(12, 31)),
        (4, day(6, 8), day(6, 9)), (5, day(6, 7), day(6, 12)),
    ]  # fmt: skip
    await set_times(database, seeded, spans, [None] * 6)
    assert await numbers(database, seeded) == [1, 5, 4, 0, 3, 2]
    # with room for one a direction, what lies in the window is still found
    assert set(await numbers(database, seeded, near=1)) <= {1, 3, 4, 5}
    assert 1 in await numbers(database, seeded, near=3)


async def test_closed_foreign_and_unborn_records_are_not_found(
    database: Database, tenant: Tenant, other_tenant: Tenant
) -> None:
    spans = [(n, day(6, 9), day(6, 10)) for n in range(3)]
    mine = await seed_group(database, tenant.number, ATLAS, 3, born=[1, 1, 3], closed=[None, 2, None])
    await set_times(database, mine, spans, [None] * 3)
    for owner, namespace in ((tenant, BOREALIS), (other_tenant, ATLAS)):
        other = await seed_group(database, owner.number, namespace, 3)
        await set_times(database, other, spans, [None] * 3)
    assert await numbers(database, mine, known_at=1) == [0, 1]
    assert await numbers(database, mine, known_at=2) == [0]
    assert await numbers(database, mine, known_at=3) == [0, 2]
    assert await numbers(database, mine, known_at=3, also=mine.records) == [0, 2]


async def test_a_narrowed_search_scores_what_it_is_narrowed_to_and_nothing_else(
    database: Database, tenant: Tenant
) -> None:
    seeded = await seed_group(database, tenant.number, ATLAS, 3)
    await set_times(database, seeded, [(0, day(6, 9), day(6, 10)), (1, day(3, 9), day(3, 10))], [None] * 3)
    assert await numbers(database, seeded, within=seeded.records[1:]) == [1, 2]
