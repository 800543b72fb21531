"""Who goes first in one process: a few searches at a time, each to its end, and writes when none is under way.

Searches that all begin at once all end late: with as many at a time as there are cores, each takes hardly longer than
alone, and the others wait less than they would have taken. A write is long against a search and nobody waits for its
last millisecond, so it lets searches pass, but not for ever.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from muniment.errors import MunimentError

_LEAST_AT_ONCE = 2


class Traffic:
    """The turns of one process. Searches are served in the order in which they came."""

    def __init__(self, at_once: int, patience: float) -> None:
        """``at_once`` searches at a time, 0 for as many as the process has cores, at least two; a write lets searches
        pass for at most ``patience`` seconds."""
        self._slots = asyncio.Semaphore(at_once or max(_LEAST_AT_ONCE, os.cpu_count() or 1))
        self._patience = patience
        self._searches = 0
        self._quiet = asyncio.Event()
        self._quiet.set()

    @asynccontextmanager
    async def search(self, seconds: float) -> AsyncIterator[None]:
        """A search's turn, for which it waits at most so many seconds; raises ``store.busy`` after them."""
        self._searches += 1
        self._quiet.clear()
        try:
            try:
                async with asyncio.timeout(seconds):
                    await self._slots.acquire()
            except TimeoutError:
                raise MunimentError("store.busy", "too many searches were before this one") from None
            try:
                yield
            finally:
                self._slots.release()
        finally:
            self._searches -= 1
            if not self._searches:
                self._quiet.set()

    async def give_way(self) -> float:
        """Returns when no search is under way, or patience has ended; how many seconds that took."""
        start = time.perf_counter()
        try:
            async with asyncio.timeout(self._patience):
                await self._quiet.wait()
        except TimeoutError:
            pass
        return time.perf_counter() - start
