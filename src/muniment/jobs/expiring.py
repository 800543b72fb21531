"""The job ``expire``: what is kept for a time only is deleted when that is over.

Every process that looks after the queue has it run for each tenant a minute after its start, and then every
``settings.expiry_period`` seconds; several at once do no more than one.
"""

import time
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from muniment.database.pool import Database
from muniment.database.queries import query
from muniment.jobs.context import JobContext
from muniment.jobs.rederiving import schedule_rederiving
from muniment.jobs.removing import go_on
from muniment.jobs.retention import keep_policy
from muniment.jobs.vacuuming import KIND as VACUUM
from muniment.log.policies import EXPIRE as KIND
from muniment.queue import enqueue
from muniment.queue.extraction import resume_postponed

AFTER_START: Final = 60.0  # seconds; a program that ends sooner leaves it to others
__all__ = ["AFTER_START", "KIND", "expire", "schedule_expiry"]

_STEP: Final = 500  # rows a transaction, so that nothing is locked for long
_ENDED: Final = ("done", "cancelled", "superseded")
_DAY: Final = 86_400.0


async def expire(context: JobContext, tenant: int, _arguments: dict[str, Any]) -> dict[str, Any]:
    """Closes and erases what the tenant's policy keeps no longer, and deletes ended jobs and query runs that are older
    than the settings say; how many of each.

    What an earlier version of the program derived is put into the queue to be derived anew.
    Dead jobs stay, since they wait for somebody. Where files of the database were to be rewritten after an erasure
    and are not yet, that is put into the queue again.
    """
    settings = context.settings
    gone = {"jobs": 0, "query_runs": 0, **await keep_policy(context, tenant)}
    for outcome in _ENDED:
        gone["jobs"] += await _delete(context, tenant, "expiry.jobs", settings.job_retention_days, outcome=outcome)
    gone["query_runs"] = await _delete(context, tenant, "expiry.query_runs", settings.query_run_retention_days)
    await _delete_served(context, tenant)
    await schedule_rederiving(context.database, tenant)
    async with context.database.scope(tenant) as scope:
        await resume_postponed(scope)  # the settings may name another budget than before the start
        own = await scope.value("tenants.default_number") == tenant
    # whole tenants are the business of the store's own one
    unwritten = await go_on(context.database, context.admin_url) if own else False
    async with context.database.scope(tenant) as scope:
        if unwritten or await scope.value("expiry.unwritten_erasures"):
            await enqueue(scope, VACUUM, {}, dedup="vacuum")
    return gone


async def schedule_expiry(database: Database) -> None:
    """Puts the job into the queue for every tenant that ever had one there. Raises ``store.*``."""
    async with database.transaction() as connection:
        tenants = (await connection.execute(query("expiry.tenants"))).scalars().all()
    for tenant in tenants:
        async with database.scope(tenant) as scope:
            await enqueue(scope, KIND, {}, dedup=KIND, priority=-2)


async def _delete(context: JobContext, tenant: int, statement: str, days: float, **parameters: Any) -> int:
    """Deletes step by step what is older than so many days, 0 for nothing; how much that was."""
    if days == 0:
        return 0
    before, deleted = _first_id(time.time() - days * _DAY), 0
    while True:
        async with context.database.scope(tenant, seconds=context.settings.write_timeout) as scope:
            count: int = await scope.value(statement, before=before, limit=_STEP, **parameters)
        deleted += count
        if count < _STEP:
            return deleted
        await context.progress(deleted, None)


async def _delete_served(context: JobContext, tenant: int) -> None:
    """Deletes the fingerprints of what was served too long ago to be known again."""
    days = context.settings.served_retention_days
    moment = datetime.now(UTC) - timedelta(days=days)
    while True:
        async with context.database.scope(tenant, seconds=context.settings.write_timeout) as scope:
            if await scope.value("served.expire", moment=moment, limit=_STEP) < _STEP:
                return


def _first_id(moment: float) -> UUID:
    """The lowest identifier (UUID version 7) that can have been made at a moment, in seconds since 1970."""
    return UUID(int=max(0, int(moment * 1000)) << 80)
