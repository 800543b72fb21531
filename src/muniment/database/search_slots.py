"""How many searches at once: slots that each process holds under a lease in PostgreSQL.

A process asks for a slot more when it needs one, for several where the limit is large, and gives back what it does not
need; all of a tenant's, when it searched no more for a third of the lease. What a process that died held comes back
when its lease ends.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Final
from uuid import uuid4

from muniment.database.quotas import Quotas
from muniment.database.scope import Scope, Scopes
from muniment.database.usage import UsageCounter
from muniment.errors import MunimentError

_SPARE: Final = 16  # one slot in so many may be held without being needed
_CLOSING: Final = 2.0  # seconds
_FULL_SECONDS: Final = 0.05  # for which nobody asks again after there was none


@dataclass(slots=True)
class _Held:
    """The slots of one tenant in this process. ``until`` is when the lease ends, on the monotonic clock."""

    under_way: int = 0
    slots: int = 0
    limit: int = 0
    until: float = 0.0
    full_until: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class SearchSlots:
    """The slots of one process."""

    def __init__(self, scopes: Scopes, quotas: Quotas, usage: UsageCounter) -> None:
        self._scopes, self._quotas, self._usage = scopes, quotas, usage
        self._holder = uuid4()
        self._lease = scopes.settings.search_lease
        self._held: dict[int, _Held] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._keeper: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def search(self, tenant: int) -> AsyncIterator[None]:
        """One search, counted; raises ``quota.searches_exceeded``."""
        limit = (await self._quotas.limits(tenant)).concurrent_searches
        self._usage.count(tenant, searches=1)
        if not limit:
            yield
            return
        held = self._held.setdefault(tenant, _Held())
        held.limit = limit
        await self._begin(tenant, held)
        try:
            yield
        finally:
            held.under_way -= 1
            if held.slots > max(held.under_way, limit // _SPARE):
                self._spawn(self._give_back(tenant, held))

    async def under_way(self, scope: Scope) -> int:
        """The searches of the scope's tenant in all processes: here now, elsewhere as they said it at most a third of a
        lease ago."""
        held = self._held.get(scope.tenant)
        others: int = await scope.value("quotas.searching", holder=self._holder)
        return others + (0 if held is None else held.under_way)

    async def close(self) -> None:
        """Gives all slots back."""
        if self._keeper is not None:
            self._keeper.cancel()
        with suppress(TimeoutError, MunimentError):  # the leases end anyway
            async with asyncio.timeout(_CLOSING):
                while self._tasks:
                    await asyncio.wait(self._tasks)
                for tenant, held in self._held.items():
                    if held.slots and time.monotonic() < held.until:
                        with suppress(MunimentError):  # of a tenant that was deleted there is nothing to give back
                            await self._hold(tenant, held, 0)

    async def _begin(self, tenant: int, held: _Held) -> None:
        if not _free(held):
            async with held.lock:
                if not _free(held) and held.under_way < held.limit and time.monotonic() >= held.full_until:
                    spare = held.limit // _SPARE
                    wanted = min(held.limit, held.under_way + 1 + spare)
                    await self._hold(tenant, held, wanted, under_way=held.under_way + 1)
        if not _free(held):
            held.full_until = max(held.full_until, time.monotonic() + _FULL_SECONDS)
            self._usage.count(tenant, refused=1)
            raise MunimentError(
                "quota.searches_exceeded",
                f"the tenant has {held.limit} searches under way, which is the limit",
                limit=held.limit,
                retry_after=1,
            )
        held.under_way += 1
        if self._keeper is None or self._keeper.done():
            self._keeper = asyncio.create_task(self._keep())

    async def _hold(self, tenant: int, held: _Held, slots: int, *, under_way: int | None = None) -> None:
        now = time.monotonic()
        async with self._scopes.scope(tenant) as scope:
            held.slots = await scope.value(
                "quotas.hold_searches", holder=self._holder, slots=slots, limit=held.limit, lease=self._lease,
                under_way=held.under_way if under_way is None else under_way,
            )  # fmt: skip
        held.until = now + self._lease

    async def _give_back(self, tenant: int, held: _Held) -> None:
        async with held.lock:
            if held.slots > max(held.under_way, held.limit // _SPARE):
                with suppress(MunimentError):  # the lease ends anyway
                    await self._hold(tenant, held, max(held.under_way, held.limit // _SPARE))

    async def _keep(self) -> None:
        """Prolongs the leases under which searches are, and gives the others back, until there are none."""
        while self._held:
            await asyncio.sleep(self._lease / 3)
            for tenant, held in list(self._held.items()):
                idle = not held.under_way and not (held.slots and time.monotonic() < held.until)
                if idle and not held.lock.locked():
                    del self._held[tenant]
                elif held.slots:
                    async with held.lock:
                        with suppress(MunimentError):
                            await self._hold(tenant, held, max(held.under_way, held.slots) if held.under_way else 0)

    def _spawn(self, work: "asyncio._CoroutineLike[None]") -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _free(held: _Held) -> bool:
    return held.under_way < held.slots and time.monotonic() < held.until
