"""What tenants use, counted in the process and noted every few seconds: a request waits for none of it.

What a process that died had not noted yet is lost from the count; records and bytes are counted by the transactions
that store them, and are exact.
"""

import asyncio
import math
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import astuple, dataclass
from datetime import UTC, date, datetime
from typing import Final

from muniment.database.scope import Scopes
from muniment.errors import MunimentError

_CLOSING: Final = 2.0  # seconds, for what is only a count
_ADDED_UP_EVERY: Final = 30.0  # seconds: what is not added up yet is counted all the same
_REMEMBERED: Final = 4096  # tenants


@dataclass(slots=True)
class _Counts:
    requests: int = 0
    refused: int = 0
    searches: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


class UsageCounter:
    """The counts of one process that are not noted yet."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes
        self._counts: dict[int, dict[date, _Counts]] = {}
        self._added_up: OrderedDict[int, float] = OrderedDict()  # when, on the monotonic clock
        self._noting: asyncio.Task[None] | None = None
        self._closed = False
        self._lock = asyncio.Lock()

    def count(
        self,
        tenant: int,
        *,
        requests: int = 0,
        refused: int = 0,
        searches: int = 0,
        prompt_tokens: int = 0,
        completion_tokens: int = 0,
    ) -> None:
        """Counts what was done for a tenant now."""
        counts = self._counts.setdefault(tenant, {}).setdefault(datetime.now(UTC).date(), _Counts())
        counts.requests += requests
        counts.refused += refused
        counts.searches += searches
        counts.prompt_tokens += prompt_tokens
        counts.completion_tokens += completion_tokens
        if (self._noting is None or self._noting.done()) and not self._closed:
            self._noting = asyncio.create_task(self._note_later())

    async def note(self) -> None:
        """Notes what was counted, and adds up what all processes noted; what cannot be noted is kept for later."""
        await self._note_all(time.monotonic())

    async def _note_all(self, added_up_before: float) -> None:
        async with self._lock:
            taken, self._counts = self._counts, {}
            for tenant, days in taken.items():
                await self._note(tenant, days, self._added_up.get(tenant, -math.inf) <= added_up_before)

    async def _note(self, tenant: int, days: dict[date, _Counts], add_up: bool) -> None:
        columns = zip(*(astuple(counts) for counts in days.values()), strict=True)
        names = _Counts.__dataclass_fields__
        try:
            async with self._scopes.scope(tenant) as scope:
                values = {name: list(column) for name, column in zip(names, columns, strict=True)}
                await scope.execute("usage.note", days=list(days), **values)
                if add_up:
                    await scope.execute("usage.add_up")
                    self._remember(tenant)
        except MunimentError as error:
            if error.code == "tenant.not_found":
                return  # it was deleted
            for day, counts in days.items():
                self._merge(tenant, day, counts)

    async def close(self) -> None:
        """Notes the rest."""
        self._closed = True
        if self._noting is not None:
            self._noting.cancel()
            with suppress(asyncio.CancelledError):
                await self._noting
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSING):
                await self.note()

    async def _note_later(self) -> None:
        while self._counts:
            await asyncio.sleep(self._scopes.settings.usage_period)
            await asyncio.shield(self._note_all(time.monotonic() - _ADDED_UP_EVERY))

    def _remember(self, tenant: int) -> None:
        self._added_up[tenant] = time.monotonic()
        self._added_up.move_to_end(tenant)
        if len(self._added_up) > _REMEMBERED:
            self._added_up.popitem(last=False)

    def _merge(self, tenant: int, day: date, counts: _Counts) -> None:
        there = self._counts.setdefault(tenant, {}).setdefault(day, _Counts())
        for name in _Counts.__dataclass_fields__:
            setattr(there, name, getattr(there, name) + getattr(counts, name))
