"""Searches take turns in the order in which they came; writes let them pass, and not for ever."""

import asyncio
import time

import pytest

from muniment.database.traffic import Traffic
from muniment.errors import MunimentError


async def test_so_many_searches_are_under_way_at_once_and_in_their_order() -> None:
    traffic, began, at_once, most = Traffic(2, 1.0), [], 0, 0

    async def search(number: int) -> None:
        nonlocal at_once, most
        async with traffic.search(1, 5):
            began.append(number)
            at_once += 1
            most = max(most, at_once)
            await asyncio.sleep(0.01)
            at_once -= 1

    await asyncio.gather(*(search(number) for number in range(9)))
    assert began == list(range(9)) and most == 2


async def test_a_search_that_waits_too_long_is_refused_and_leaves_its_place() -> None:
    traffic = Traffic(1, 1.0)
    async with traffic.search(1, 5):
        with pytest.raises(MunimentError) as caught:
            async with traffic.search(1, 0.01):
                raise AssertionError("it had no turn")
        assert caught.value.code == "store.busy"
        cancelled = asyncio.create_task(traffic.search(1, 5).__aenter__())
        await asyncio.sleep(0)
        cancelled.cancel()
        await asyncio.wait([cancelled])
    async with asyncio.timeout(1), traffic.search(1, 1):
        pass
    assert await traffic.give_way(1) < 0.5


async def test_a_search_that_fails_gives_its_turn_back() -> None:
    traffic = Traffic(1, 1.0)
    for _ in range(3):
        with pytest.raises(KeyError):
            async with traffic.search(1, 1):
                raise KeyError
    assert await traffic.give_way(1) < 0.5


async def test_a_write_waits_for_searches_until_they_end_or_its_patience_does() -> None:
    traffic, ended = Traffic(1, 5.0), False

    async def search() -> None:
        nonlocal ended
        async with traffic.search(1, 5):
            await asyncio.sleep(0.05)
            ended = True

    searching = asyncio.create_task(search())
    await asyncio.sleep(0.01)
    await traffic.give_way(1)
    assert ended
    await searching
    hurried = Traffic(1, 0.02)
    async with hurried.search(1, 5):
        start = time.perf_counter()
        await hurried.give_way(1)
        assert time.perf_counter() - start >= 0.02
