"""Turns are shared between tenants by the time that they take, whatever comes and gives up in between."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.database.traffic import Traffic
from muniment.database.turns import FairTurns


async def _in_order(turns: FairTurns, asked: list[int], seconds: dict[int, float]) -> list[int]:
    """The tenants in the order in which they had their turns, all of them having asked before the first ended."""
    had: list[int] = []
    held = asyncio.Event()
    await turns.begin(0)

    async def one(tenant: int) -> None:
        await turns.begin(tenant)
        had.append(tenant)
        held.set()
        turns.end(tenant, seconds[tenant])

    tasks = [asyncio.create_task(one(tenant)) for tenant in asked]
    await asyncio.sleep(0)
    turns.end(0, 0.0)
    await asyncio.gather(*tasks)
    return had


async def test_who_asks_once_goes_next_however_many_another_has_waiting() -> None:
    had = await _in_order(FairTurns(1), [1] * 50 + [2], {1: 0.01, 2: 0.01})
    assert had.index(2) <= 1


async def test_equal_tenants_alternate() -> None:
    had = await _in_order(FairTurns(1), [1] * 10 + [2] * 10, {1: 0.01, 2: 0.01})
    assert all(abs(had[:n].count(1) - had[:n].count(2)) <= 1 for n in range(20))


async def test_a_tenant_whose_turns_take_longer_has_fewer() -> None:
    had = await _in_order(FairTurns(1), [1] * 20 + [2] * 20, {1: 0.4, 2: 0.1})
    first = had[:20]
    assert 3 <= first.count(1) <= 5


async def test_who_was_away_does_not_save_up_turns() -> None:
    turns = FairTurns(1)
    for _ in range(100):
        await turns.begin(1)
        turns.end(1, 1.0)
    had = await _in_order(turns, [1] * 10 + [2] * 10, {1: 1.0, 2: 1.0})
    assert had[:4].count(1) == 2


async def test_one_tenant_cannot_have_all_turns_where_some_are_kept_for_others() -> None:
    turns = FairTurns(3, 2)
    await turns.begin(1)
    await turns.begin(1)
    third = asyncio.create_task(turns.begin(1))
    await asyncio.sleep(0)
    assert not third.done()
    async with asyncio.timeout(1):
        await turns.begin(2)
        turns.end(2, 0.0)
        assert not third.done()
        turns.end(1, 0.0)
        await third


async def test_turns_that_are_taken_away_are_not_given_anew_and_come_back() -> None:
    turns = FairTurns(3, 3)
    for _ in range(3):
        await turns.begin(1)
    turns.resize(1, 1)
    waiting = [asyncio.create_task(turns.begin(tenant)) for tenant in (1, 2)]
    await asyncio.sleep(0)
    turns.end(1, 0.0)
    turns.end(1, 0.0)
    await asyncio.sleep(0)
    assert not any(task.done() for task in waiting)
    turns.resize(3, 2)
    async with asyncio.timeout(1):
        await asyncio.gather(*waiting)


@settings(deadline=None, max_examples=60)
@given(
    at_once=st.integers(1, 3),
    of_one=st.integers(1, 3),
    actions=st.lists(st.tuples(st.integers(1, 4), st.sampled_from(["ask", "end", "cancel"])), max_size=60),
)
def test_no_turn_is_lost_or_made_up_whatever_gives_up(
    at_once: int, of_one: int, actions: list[tuple[int, str]]
) -> None:
    asyncio.run(_play(FairTurns(at_once, min(at_once, of_one)), at_once, min(at_once, of_one), actions))


async def _play(turns: FairTurns, at_once: int, of_one: int, actions: list[tuple[int, str]]) -> None:
    asking: list[tuple[int, asyncio.Task[None]]] = []

    def under_way() -> list[tuple[int, asyncio.Task[None]]]:
        return [each for each in asking if each[1].done() and not each[1].cancelled()]

    for tenant, action in actions:
        if action == "ask":
            asking.append((tenant, asyncio.create_task(turns.begin(tenant))))
        elif action == "end" and (ended := under_way()):
            turns.end(ended[0][0], 0.5)
            asking.remove(ended[0])
        elif action == "cancel" and (waits := [task for _, task in asking if not task.done()]):
            waits[-1].cancel()
        if action != "cancel":  # a turn may come in the very moment in which it is given up
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        counts = [tenant for tenant, _ in under_way()]
        assert len(counts) <= at_once
        assert all(counts.count(tenant) <= of_one for tenant in counts)
    while left := under_way():
        turns.end(left[0][0], 0.1)
        asking.remove(left[0])
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert all(task.cancelled() for _, task in asking)
    async with asyncio.timeout(1):
        await asyncio.gather(*(turns.begin(tenant) for tenant in range(10, 10 + at_once)))


async def test_a_write_lets_the_searches_of_its_own_tenant_pass_but_no_flood_of_another() -> None:
    traffic = Traffic(1, 30.0)
    async with traffic.search(1, 5):
        flood = [asyncio.create_task(_search(traffic, 1)) for _ in range(5)]
        await asyncio.sleep(0)
        async with asyncio.timeout(1), traffic.write(2):
            pass
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05), traffic.write(1):
                raise AssertionError("it passed its own searches")
    await asyncio.gather(*flood)


async def _search(traffic: Traffic, tenant: int) -> None:
    async with traffic.search(tenant, 5):
        pass
