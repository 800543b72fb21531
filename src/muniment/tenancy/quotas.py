"""A tenant's quota, read and set, and its usage by days."""

from datetime import UTC, datetime, time, timedelta
from typing import Final

from muniment.audit.chain import record_act
from muniment.database.pool import Database, Row, Scope
from muniment.database.quotas import Limits, limits_of, model_tokens_today
from muniment.errors import MunimentError
from muniment.model.quotas import LIMITS, Allowance, Quota, QuotaChange, Usage, UsageDay
from muniment.queue.extraction import resume_postponed
from muniment.settings import Settings

MOST_DAYS: Final = 1000


async def get_quota(database: Database, tenant: int) -> Quota:
    """The limits in force, with what is in use of each."""
    async with database.scope(tenant) as scope:
        limits = limits_of(await scope.row("quotas.read"), database.settings)
        held = await scope.row("quotas.held")
        assert held is not None
        used: dict[str, int] = {
            "records": held["records"],
            "bytes": held["bytes"],
            "concurrent_searches": await database.searches.under_way(scope),
            "model_tokens_per_day": await model_tokens_today(scope),
            "requests_per_minute": await _requests(database, scope, limits),
        }
    return Quota(
        **{
            name: Allowance(used=used[name], limit=getattr(limits, name) or None, default=name not in limits.own)
            for name in LIMITS
        }
    )


async def put_quota(database: Database, tenant: int, change: QuotaChange) -> Quota:
    """Sets all limits of the tenant, an act that its audit log tells; other processes go by them within seconds."""
    async with database.scope(tenant) as scope:
        await scope.execute("quotas.put", **change.model_dump())
        await record_act(scope, "quota.put", **change.model_dump())
        await resume_postponed(scope)
    database.quotas.forget(tenant)
    return await get_quota(database, tenant)


async def get_usage(database: Database, tenant: int, days: int) -> Usage:
    """What the tenant used on each of the last days, today among them; raises ``input.invalid`` for more than
    ``MOST_DAYS``."""
    if not 1 <= days <= MOST_DAYS:
        raise MunimentError("input.invalid", f"days must be from 1 to {MOST_DAYS}", field="days", limit=MOST_DAYS)
    await database.usage.note()
    first = datetime.now(UTC).date() - timedelta(days=days - 1)
    since = datetime.combine(first, time(), UTC)
    async with database.scope(tenant) as scope:
        rows = await scope.rows("usage.days", day=first, since=since)
    return Usage(days=[_day(row, database.settings) for row in rows])


async def _requests(database: Database, scope: Scope, limits: Limits) -> int:
    limit = limits.requests_per_minute
    return 0 if not limit else await database.requests.used(scope, limit)


def _day(row: Row, settings: Settings) -> UsageDay:
    prompt, completion = settings.prompt_token_price, settings.completion_token_price
    cost = (row["prompt_tokens"] * prompt + row["completion_tokens"] * completion) / 1_000_000
    return UsageDay(**row, cost=round(cost, 6) if prompt or completion else None)
