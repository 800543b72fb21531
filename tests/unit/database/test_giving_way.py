"""Writes stop between their steps while somebody searches, for as long as they have earned and not for ever."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import Context

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.database import giving_way, traffic
from muniment.database.giving_way import LONGEST, STRETCH, GivingWay, hurry, in_steps, step
from muniment.database.traffic import Traffic


async def test_a_write_stops_between_its_steps_while_a_search_is_under_way() -> None:
    turns, order = Traffic(2, 5.0), []
    searching = asyncio.Event()

    async def write() -> None:
        async with turns.write(1):
            order.append("first step")
            await searching.wait()
            await step()
            order.append("second step")

    async def search() -> None:
        async with turns.search(1, 5):
            searching.set()
            await asyncio.sleep(0.03)
            await step()  # what a search asks of the database waits for no search
            order.append("search")

    writing = asyncio.create_task(write())
    await asyncio.sleep(0)
    async with asyncio.timeout(2):
        await search()
        await writing
    assert order == ["first step", "search", "second step"]


@settings(deadline=None, max_examples=12)
@given(patience=st.floats(0, 0.02), work=st.lists(st.floats(0, 0.004), min_size=1, max_size=12))
def test_beside_searches_that_never_end_a_write_takes_a_few_times_as_long_and_no_longer(
    patience: float, work: list[float]
) -> None:
    held_up = worked = 0.0

    async def until_calm(seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def write() -> None:
        nonlocal held_up, worked
        start = time.perf_counter()
        giving = GivingWay(lambda: True, until_calm, patience)
        for seconds in work:
            began = time.perf_counter()
            await giving.step()
            held_up += time.perf_counter() - began
            time.sleep(seconds)  # noqa: ASYNC251 - work, which holds the loop
        worked = time.perf_counter() - start - held_up

    asyncio.run(write())
    late = 0.02 * len(work)  # the loop may come late to the end of a pause
    assert held_up <= patience + STRETCH * (worked + late) + late


async def test_nobody_is_held_up_longer_than_a_second_whatever_was_earned() -> None:
    allowed: list[float] = []

    async def until_calm(seconds: float) -> None:
        allowed.append(seconds)

    giving = GivingWay(lambda: True, until_calm, 0.0)
    giving._since -= 3600  # a model took an hour to answer
    await giving.step()
    assert allowed == [LONGEST]


@asynccontextmanager
async def somebody_searches(turns: Traffic) -> AsyncIterator[None]:
    """A search of another task is under way while the block runs."""
    began, ended = asyncio.Event(), asyncio.Event()

    async def search() -> None:
        async with turns.search(1, 5):
            began.set()
            await ended.wait()

    searching = asyncio.create_task(search(), context=Context())
    await began.wait()
    try:
        yield
    finally:
        ended.set()
        await searching


async def test_a_write_for_which_others_wait_stops_no_more() -> None:
    turns = Traffic(1, 60.0)
    async with turns.write(1), somebody_searches(turns):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.02):
                await step()
        hurry()
        async with asyncio.timeout(1):
            await step()


async def test_nor_does_a_task_that_a_write_left_behind() -> None:
    turns, ended = Traffic(1, 60.0), asyncio.Event()

    async def go_on() -> None:
        await ended.wait()
        await step()

    async with turns.write(1):
        left_behind = asyncio.create_task(go_on())
    async with somebody_searches(turns), asyncio.timeout(1):
        ended.set()
        await left_behind


async def test_what_a_thread_computes_for_a_write_waits_for_searches_and_the_loop_never_does() -> None:
    turns, taken = Traffic(2, 60.0), []
    async with turns.write(1):
        async with somebody_searches(turns):
            assert list(in_steps(range(100))) == list(range(100))  # here, on the loop
            computing = asyncio.create_task(asyncio.to_thread(lambda: taken.extend(in_steps(range(100)))))
            await asyncio.sleep(0.05)
            assert taken == []
        async with asyncio.timeout(5):
            await computing
        assert taken == list(range(100))


def test_outside_of_any_write_steps_are_nothing() -> None:
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.extend(in_steps(range(30))))
    thread.start()
    thread.join(5)
    assert found == list(range(30))
    asyncio.run(giving_way.step())


async def test_while_people_search_one_write_of_a_tenant_is_under_way_and_then_as_many_as_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(traffic, "_CALM", 0.05)
    turns, under_way, held = Traffic(2, 0.0), 0, asyncio.Event()

    async def write() -> None:
        nonlocal under_way
        async with turns.write(1):
            under_way += 1
            await held.wait()

    async with turns.search(2, 5):
        writes = [asyncio.create_task(write()) for _ in range(3)]
        await asyncio.sleep(0.1)
        assert under_way == 1
    await asyncio.sleep(0.2)
    assert under_way == 3
    held.set()
    await asyncio.gather(*writes)
