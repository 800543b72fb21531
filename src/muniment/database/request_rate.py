"""How many requests a minute: a token bucket in PostgreSQL, out of which each process takes some at a time.

A process takes what a second brings, a sixtieth of the limit: so a tenant costs at most one statement a second and
process at its full rate, and one a request where the limit is small. What a process took and did not need it keeps.
"""

import asyncio
import math
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from muniment.database.quotas import Quotas
from muniment.database.scope import Scope, Scopes
from muniment.database.usage import UsageCounter
from muniment.errors import MunimentError

WINDOW: Final = 60
"""Seconds in which the bucket fills."""

_TENANTS: Final = 4096


@dataclass(frozen=True, slots=True)
class Rate:
    """The rate of a tenant after a request: ``remaining`` of ``limit`` are left, in ``reset`` seconds all again."""

    limit: int
    remaining: int
    reset: int


@dataclass(slots=True)
class _Bucket:
    limit: int
    permits: int = 0
    tokens: float = 0.0
    closed_until: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def rate(self) -> Rate:
        left = min(self.limit, int(self.tokens) + self.permits)
        return Rate(self.limit, left, math.ceil((self.limit - left) * WINDOW / self.limit))


class RequestRates:
    """The buckets of tenants, as far as one process took from them."""

    def __init__(self, scopes: Scopes, quotas: Quotas, usage: UsageCounter) -> None:
        self._scopes, self._quotas, self._usage = scopes, quotas, usage
        self._buckets: OrderedDict[int, _Bucket] = OrderedDict()

    async def take(self, tenant: int) -> Rate | None:
        """Takes one request and counts it; None where the tenant has no limit. Raises ``quota.requests_exceeded``."""
        rate = await self._take(tenant)
        self._usage.count(tenant, requests=1)
        return rate

    async def _take(self, tenant: int) -> Rate | None:
        limit = (await self._quotas.limits(tenant)).requests_per_minute
        if not limit:
            return None
        bucket = self._bucket(tenant, limit)
        if not bucket.permits:
            async with bucket.lock:
                if not bucket.permits:
                    await self._fetch(tenant, bucket)
                bucket.permits -= 1
        else:
            bucket.permits -= 1
        return bucket.rate()

    async def used(self, scope: Scope, limit: int) -> int:
        """How many of its limit the scope's tenant has used, without those that this process took in advance."""
        kept = self._buckets.get(scope.tenant)
        lacking: int = await scope.value("quotas.requests", limit=limit) or 0
        return max(0, lacking - (0 if kept is None else kept.permits))

    def _bucket(self, tenant: int, limit: int) -> _Bucket:
        bucket = self._buckets.get(tenant)
        if bucket is None or bucket.limit != limit:
            bucket = self._buckets[tenant] = _Bucket(limit)
            if len(self._buckets) > _TENANTS:
                self._buckets.popitem(last=False)
        return bucket

    async def _fetch(self, tenant: int, bucket: _Bucket) -> None:
        now = time.monotonic()
        if now >= bucket.closed_until:
            async with self._scopes.scope(tenant) as scope:
                row = await scope.row("quotas.take_requests", limit=bucket.limit, share=max(1, bucket.limit // WINDOW))
            assert row is not None
            bucket.permits, bucket.tokens = row["granted"], row["remaining"]
            if bucket.permits:
                return
            bucket.closed_until = now + row["seconds"]
        wait = max(1, math.ceil(bucket.closed_until - now))
        self._usage.count(tenant, refused=1)
        raise MunimentError(
            "quota.requests_exceeded",
            f"the tenant made {bucket.limit} requests within a minute, which is the limit",
            limit=bucket.limit,
            window=WINDOW,
            retry_after=wait,
        )
