"""What a tenant may use: the limits in force, and whether there is room for what a write brought."""

import math
import time
from collections import OrderedDict
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from muniment.database.scope import Row, Scope, Scopes
from muniment.errors import MunimentError
from muniment.model.quotas import LIMITS
from muniment.settings import Settings

CACHE_SECONDS: Final = 5.0
"""For which a process goes on with the limits that it knows."""

_CACHED: Final = 4096


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a tenant in force; 0 is none. ``own`` are those that were set for it, the others are defaults."""

    records: int
    bytes: int
    requests_per_minute: int
    concurrent_searches: int
    model_tokens_per_day: int
    own: frozenset[str] = frozenset()


def limits_of(row: Row | None, settings: Settings) -> Limits:
    """The limits of a row of ``quota``, or of none, with the defaults of the settings where it says nothing."""
    own = {} if row is None else {name: row[name] for name in LIMITS if row[name] is not None}
    defaults = {name: getattr(settings, f"quota_{name}") for name in LIMITS}
    return Limits(**(defaults | own), own=frozenset(own))


class Quotas:
    """The limits of tenants, as far as one process knows them."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes
        self._known: OrderedDict[int, tuple[float, Limits]] = OrderedDict()

    async def limits(self, tenant: int) -> Limits:
        """The limits in force, or those of at most ``CACHE_SECONDS`` ago."""
        now = time.monotonic()
        known = self._known.get(tenant)
        if known is not None and now - known[0] < CACHE_SECONDS:
            return known[1]
        async with self._scopes.scope(tenant) as scope:
            return await self._read(scope)

    async def limits_in(self, scope: Scope) -> Limits:
        """The same, read in a scope that is open already where they are not known: who waits for another connection
        while holding one, and its locks, waits for ever where all connections are held so."""
        known = self._known.get(scope.tenant)
        if known is not None and time.monotonic() - known[0] < CACHE_SECONDS:
            return known[1]
        return await self._read(scope)

    async def _read(self, scope: Scope) -> Limits:
        now = time.monotonic()
        limits = limits_of(await scope.row("quotas.read"), self._scopes.settings)
        self._known[scope.tenant] = now, limits
        self._known.move_to_end(scope.tenant)
        if len(self._known) > _CACHED:
            self._known.popitem(last=False)
        return limits

    def forget(self, tenant: int) -> None:
        """Looks the limits up anew next time."""
        self._known.pop(tenant, None)

    async def require_room(self, tenant: int, scope: Scope | None = None) -> None:
        """Raises ``quota.records_exceeded`` or ``quota.bytes_exceeded`` where nothing more fits, before work is done
        for nothing. A ``scope`` of the tenant that is open already serves for it."""
        limits = await (self.limits(tenant) if scope is None else self.limits_in(scope))
        if limits.records or limits.bytes:
            async with nullcontext(scope) if scope is not None else self._scopes.scope(tenant) as used:
                await _require(used, limits, full=True)

    async def require_fit(self, scope: Scope) -> None:
        """Raises the same where what the scope's transaction stored was too much. The transaction must have sealed it:
        no other is then before it that is not counted."""
        limits = await self.limits_in(scope)
        if limits.records or limits.bytes:
            await _require(scope, limits, full=False)

    async def require_model_tokens(self, tenant: int) -> None:
        """Raises ``quota.model_tokens_exceeded`` where language models took what they may on this day."""
        limit = (await self.limits(tenant)).model_tokens_per_day
        if not limit:
            return
        async with self._scopes.scope(tenant) as scope:
            used = await model_tokens_today(scope)
        if used >= limit:
            raise MunimentError(
                "quota.model_tokens_exceeded",
                f"language models took {used} tokens today (UTC), the limit is {limit}",
                limit=limit,
                used=used,
                retry_after=_until_tomorrow(),
            )


async def model_tokens_today(scope: Scope) -> int:
    """The tokens that language models took and wrote for the tenant since the day began, in UTC."""
    start = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    tokens: int = await scope.value("quotas.model_tokens", since=start, day=start.date())
    return tokens


async def _require(scope: Scope, limits: Limits, *, full: bool) -> None:
    held = await scope.row("quotas.held")
    assert held is not None
    for name, limit in (("records", limits.records), ("bytes", limits.bytes)):
        if limit and (held[name] >= limit if full else held[name] > limit):
            there = "the store holds" if full else "with this the store would hold"
            raise MunimentError(
                f"quota.{name}_exceeded",
                f"{there} {held[name]} {name} of the tenant, the limit is {limit}; nothing was stored",
                limit=limit,
                used=held[name],
            )


def _until_tomorrow() -> int:
    now = datetime.now(UTC)
    tomorrow = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return math.ceil((tomorrow - now).total_seconds())
