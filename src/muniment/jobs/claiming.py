"""Claiming jobs across tenants, and taking them from runners that went away."""

from typing import Any
from uuid import UUID

from muniment.database.pool import Database
from muniment.database.queries import query
from muniment.jobs.outcome import Claim
from muniment.queue.extraction import abandon
from muniment.settings import Settings


async def claim_due(database: Database, settings: Settings, kinds: list[str], limit: int) -> list[Claim]:
    """At most ``limit`` due jobs of these kinds, tenants in turn, under leases. Raises ``store.*``."""
    values: dict[str, Any] = {"limit": limit, "lease": settings.job_lease, "kinds": kinds}
    async with database.transaction() as connection:
        rows = (await connection.execute(query("jobs.claim"), values)).all()
    return [Claim(*row) for row in rows]


async def claim_one(database: Database, settings: Settings, kinds: list[str], job: UUID) -> Claim | None:
    """This job under a lease, None where it is not there, or another's, or not due. Raises ``store.*``."""
    values: dict[str, Any] = {"job": job, "lease": settings.job_lease, "kinds": kinds}
    async with database.transaction() as connection:
        row = (await connection.execute(query("jobs.claim_one"), values)).one_or_none()
    return None if row is None else Claim(*row)


async def reap(database: Database, settings: Settings) -> None:
    """Puts back, or ends, the jobs whose leases ran out, and writes down why. Raises ``store.*``."""
    async with database.transaction() as connection:
        values = {"max_attempts": settings.job_max_attempts}
        reaped = (await connection.execute(query("jobs.reap"), values)).all()
    for job, tenant, became in reaped:
        async with database.scope(tenant) as scope:
            outcome = None if became == "queued" else became
            await scope.execute("jobs.record_error", job=job, error="the runner of this job went away", outcome=outcome)
            if became == "dead" and (ended := await scope.row("jobs.read", job=job)) is not None:
                await abandon(scope, job, ended["kind"], "job.dead")
