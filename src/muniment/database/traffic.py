"""Who goes first in one process: a few searches at a time, each to its end, and writes when none is under way.

Searches that all begin at once all end late: with as many at a time as there are cores, each takes hardly longer than
alone, and the others wait less than they would have taken. A write is long against a search and nobody waits for its
last millisecond, so it lets searches pass before it begins and between its steps, but not for ever; and while people
search, fewer writes are under way. Between tenants turns are shared by the time that they take: one who asks a
thousand times waits for itself.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final

from muniment.database.giving_way import GivingWay, giving_way
from muniment.database.turns import FairTurns
from muniment.errors import MunimentError

_LEAST_AT_ONCE: Final = 2
_WRITES_A_CORE: Final = 2  # a write also waits for the disk
_WRITES_BESIDE_SEARCHES: Final = 2  # one of a tenant
_CALM: Final = 1.0  # seconds without a search, after which as many writes as otherwise are under way


class NoTurn(MunimentError):
    """A search that had no turn in time. It asked nothing of the database, and nothing is to be asked on its behalf."""

    def __init__(self) -> None:
        super().__init__("store.busy", "too many searches were before this one")


class Traffic:
    """The turns of one process."""

    def __init__(self, at_once: int, patience: float, writes_at_once: int = 0) -> None:
        """``at_once`` searches at a time, 0 for as many as the process has cores, at least two; writes likewise, 0 for
        twice as many; a write lets searches pass for at most ``patience`` seconds."""
        cores = max(_LEAST_AT_ONCE, os.cpu_count() or 1)
        self._turns = FairTurns(at_once or cores)
        writes = writes_at_once or _WRITES_A_CORE * cores
        self._wide = writes, max(1, writes - 1)  # where one waits for its locks, another may go on
        self._narrow = min(_WRITES_BESIDE_SEARCHES, writes), 1
        self._writes = FairTurns(*self._wide)
        self._calm: asyncio.TimerHandle | None = None
        self._patience = patience
        self._searches: dict[int, int] = {}  # of each tenant, waiting or under way
        self._watching: set[asyncio.Event] = set()

    @asynccontextmanager
    async def search(self, tenant: int, seconds: float) -> AsyncIterator[None]:
        """A search's turn, for which it waits at most so many seconds; raises ``NoTurn`` after them."""
        self._search_begins(tenant)
        try:
            try:
                async with asyncio.timeout(seconds):
                    await self._turns.begin(tenant)
            except TimeoutError:
                raise NoTurn from None
            start = time.perf_counter()
            try:
                with giving_way(None):
                    yield
            finally:
                self._turns.end(tenant, time.perf_counter() - start)
        finally:
            self._search_ended(tenant)

    @asynccontextmanager
    async def write(self, tenant: int) -> AsyncIterator[None]:
        """A write's turn, after the searches that it lets pass. It lets others pass between its steps too."""
        await self.give_way(tenant)
        async with self._writes.turn(tenant):
            with self.background(tenant):
                yield

    @contextmanager
    def background(self, tenant: int) -> Iterator[None]:
        """Work that lets searches pass between its steps, as a write does, and has no turn."""
        work = GivingWay(
            lambda: self._somebody_first(tenant), lambda seconds: self._until_calm(tenant, seconds), self._patience
        )
        with giving_way(work):
            yield

    async def give_way(self, tenant: int) -> float:
        """Returns when no search is under way that a tenant's write lets pass, or patience has ended; how many seconds
        that took. It lets pass those of its own tenant, and those of others that do not queue."""
        return await self._until_calm(tenant, self._patience)

    async def _until_calm(self, tenant: int, seconds: float) -> float:
        start = time.perf_counter()
        changed = asyncio.Event()
        self._watching.add(changed)
        try:
            async with asyncio.timeout(seconds):
                while self._somebody_first(tenant):
                    changed.clear()
                    await changed.wait()
        except TimeoutError:
            pass
        finally:
            self._watching.discard(changed)
        return time.perf_counter() - start

    def _search_begins(self, tenant: int) -> None:
        self._searches[tenant] = self._searches.get(tenant, 0) + 1
        if self._calm is not None:
            self._calm.cancel()
            self._calm = None
        self._writes.resize(*self._narrow)

    def _search_ended(self, tenant: int) -> None:
        self._searches[tenant] -= 1
        if not self._searches[tenant]:
            del self._searches[tenant]
        for event in self._watching:
            event.set()
        if not self._searches:
            self._calm = asyncio.get_running_loop().call_later(_CALM, self._writes.resize, *self._wide)

    def _somebody_first(self, tenant: int) -> bool:
        return any(self._goes_first(other, tenant) for other in list(self._searches))  # also asked by threads

    def _goes_first(self, searching: int, writing: int) -> bool:
        # a flood of searches is not to hold up the writes of others
        return searching == writing or self._turns.queued(searching) <= self._turns.at_once
