"""Turns that tenants share fairly: so many at a time, and the next one to who had least of late.

Start-time fair queueing (Goyal, Vin and Cheng, "Start-time Fair Queuing", SIGCOMM 1996) over the seconds that the turns
of a tenant took: a tenant that asks a thousand times waits for itself, one that asks now and then goes next.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

_REMEMBERED: Final = 1024  # tenants with nothing to do whose share is looked at again before more are kept


@dataclass(slots=True)
class _Share:
    """What one tenant had. ``spent`` is in seconds of turns, on the clock of all shares."""

    spent: float
    under_way: int = 0
    waiting: deque["asyncio.Future[None]"] = field(default_factory=deque)

    @property
    def idle(self) -> bool:
        return not self.under_way and not self.waiting

    def somebody_waits(self) -> bool:
        """Whether its next in line is still there; those that gave up are let go of."""
        while self.waiting and self.waiting[0].cancelled():
            self.waiting.popleft()
        return bool(self.waiting)


class FairTurns:
    """So many turns at a time. A tenant's own are in the order in which they came."""

    def __init__(self, at_once: int, of_one: int | None = None) -> None:
        """``of_one`` is how many of them one tenant may have, default all."""
        self.at_once = at_once
        self._of_one = of_one or at_once
        self._under_way = 0
        self._clock = 0.0  # what the tenant had spent whose turn began last: who comes anew begins there
        self._shares: dict[int, _Share] = {}

    def resize(self, at_once: int, of_one: int) -> None:
        """From now on so many at a time; what is under way goes on."""
        self.at_once, self._of_one = at_once, of_one
        self._let_begin()

    def queued(self, tenant: int) -> int:
        """How many of a tenant wait for a turn."""
        share = self._shares.get(tenant)
        return 0 if share is None else len(share.waiting)

    @asynccontextmanager
    async def turn(self, tenant: int) -> AsyncIterator[None]:
        """One turn, for which it waits as long as it takes."""
        await self.begin(tenant)
        start = time.perf_counter()
        try:
            yield
        finally:
            self.end(tenant, time.perf_counter() - start)

    async def begin(self, tenant: int) -> None:
        """Waits for a turn; whoever gets one ends it."""
        share = self._shares.get(tenant)
        if share is None:
            share = self._shares[tenant] = _Share(self._clock)
        elif share.idle:
            share.spent = max(share.spent, self._clock)
        if self._under_way < self.at_once and share.under_way < self._of_one:  # then none of it waits
            self._grant(share)
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        share.waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled():  # its turn had come just then
                self.end(tenant, 0.0)
            elif place in share.waiting:
                share.waiting.remove(place)
            raise

    def end(self, tenant: int, seconds: float) -> None:
        """Ends a turn that took so many seconds, and lets the next begin."""
        share = self._shares[tenant]
        share.under_way -= 1
        share.spent += seconds
        self._under_way -= 1
        self._let_begin()
        if len(self._shares) > _REMEMBERED:
            self._shares = {
                number: each for number, each in self._shares.items() if not each.idle or each.spent > self._clock
            }

    def _let_begin(self) -> None:
        while self._under_way < self.at_once:
            shares = self._shares.values()
            waiting = [each for each in shares if each.under_way < self._of_one and each.somebody_waits()]
            if not waiting:
                return
            following = min(waiting, key=lambda each: (each.under_way, each.spent))
            self._grant(following)
            following.waiting.popleft().set_result(None)

    def _grant(self, share: _Share) -> None:
        self._under_way += 1
        share.under_way += 1
        self._clock = max(self._clock, share.spent)
