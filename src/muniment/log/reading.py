"""Whose turn it is to have a source read: a few at a time, in threads that nothing else waits for."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Any, TypeVar

from muniment.settings import Settings

_Result = TypeVar("_Result")
_Item = TypeVar("_Item")


async def read_in_turn(apart: bool, settings: Settings, work: Callable[..., _Result], *arguments: Any) -> _Result:
    """What ``work`` on a source gives, done in a thread.

    Of sources that are read ``apart``, in children, at most ``settings.parses_at_once`` are read at a time, in threads
    of their own: a child that takes its time holds up no other work.
    """
    if not apart:
        return await asyncio.to_thread(work, *arguments)
    return await asyncio.get_running_loop().run_in_executor(
        _threads(settings.parses_at_once), partial(work, *arguments)
    )


@asynccontextmanager
async def one_by_one(made: Iterator[_Item], settings: Settings) -> AsyncIterator[AsyncIterator[_Item]]:
    """The items of an iterator that blocks, which has a turn only while it makes one."""
    loop, threads = asyncio.get_running_loop(), _threads(settings.parses_at_once)

    async def items() -> AsyncIterator[_Item]:
        while True:
            item = await loop.run_in_executor(threads, next, made, _END)
            if item is _END:
                return
            yield item  # type: ignore[misc]

    try:
        yield items()
    finally:
        close = getattr(made, "close", None)
        if close is not None:
            await loop.run_in_executor(threads, close)


_END = object()


@cache
def _threads(at_once: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(at_once or max(1, (os.cpu_count() or 1) - 1), thread_name_prefix="muniment-read")
