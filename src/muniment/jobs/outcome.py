"""How a run of a job ends: done, tried again later, dead, or given back."""

import json
import logging
import random
from dataclasses import dataclass
from pathlib import PurePath
from traceback import extract_tb
from typing import Any, Final
from uuid import UUID

from muniment.database.pool import Database, Scope
from muniment.database.queries import query
from muniment.errors import MunimentError
from muniment.queue.extraction import abandon
from muniment.settings import Settings

TRANSIENT: Final = frozenset(
    {"provider.unavailable", "provider.refused", "store.busy", "store.full", "store.unavailable"}
)
"""What passes by itself, or once a key is put right, so that a job is tried again for as long as it takes."""

_LONGEST_DELAY: Final = 300.0
_COUNTED_ATTEMPTS: Final = 1000  # the column is a smallint

_log = logging.getLogger("muniment.jobs")


@dataclass(frozen=True, slots=True)
class Claim:
    """A job that is ours until its lease runs out. ``attempts`` counts this one."""

    job: UUID
    tenant: int
    kind: str
    attempts: int
    lease_token: UUID


async def finish(database: Database, claim: Claim, result: dict[str, Any]) -> None:
    """Keeps the result and takes the job out of the queue, unless the lease was lost."""
    async with database.scope(claim.tenant) as scope:
        if await _settle(scope, claim, dead=False):
            await scope.execute("jobs.finish", job=claim.job, result=json.dumps(result))


async def fail(database: Database, settings: Settings, claim: Claim, error: Exception) -> None:
    """Keeps why it failed, and puts the job back with a delay, or ends it after the last attempt."""
    reason = describe(error)
    transient = isinstance(error, MunimentError) and error.code in TRANSIENT
    dead = claim.attempts >= settings.job_max_attempts and not transient
    _log.warning("job %s (%s) failed, attempt %d: %s", claim.job, claim.kind, claim.attempts, reason)
    async with database.scope(claim.tenant) as scope:
        if dead:
            became = "dead" if await _settle(scope, claim, dead=True) else None
        else:
            delay = retry_delay(settings, claim.attempts)
            became = await _requeue(scope, claim, delay, claim.attempts >= _COUNTED_ATTEMPTS)
        if became is not None:
            outcome = None if became == "queued" else became
            await scope.execute("jobs.record_error", job=claim.job, error=reason, outcome=outcome)
        if became == "dead":
            await abandon(scope, claim.job, claim.kind, "job.dead")


async def give_back(database: Database, claim: Claim) -> None:
    """Puts the job back as it was before the claim: being stopped is no failure of the job."""
    async with database.scope(claim.tenant) as scope:
        if await _requeue(scope, claim, 0.0, uncounted=True) == "superseded":
            await scope.execute("jobs.end_as", job=claim.job, outcome="superseded")


def retry_delay(settings: Settings, attempts: int) -> float:
    """Seconds until the next attempt: doubling from ``job_retry_delay`` up to five minutes, a quarter either way."""
    delay = min(_LONGEST_DELAY, settings.job_retry_delay * 2.0 ** min(attempts - 1, 30))
    return delay * random.uniform(0.75, 1.25)


def describe(error: Exception) -> str:
    """What failed and where, from our own words only: other messages may quote what was stored."""
    if isinstance(error, MunimentError):
        return f"{error.code}: {error.detail}"
    frames = extract_tb(error.__traceback__)
    where = f" at {PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{where}"


async def _settle(scope: Scope, claim: Claim, *, dead: bool) -> bool:
    values = {"job": claim.job, "lease_token": claim.lease_token, "dead": dead}
    return bool((await scope.connection.execute(query("jobs.settle"), values)).scalar())


async def _requeue(scope: Scope, claim: Claim, delay: float, uncounted: bool) -> str | None:
    """``queued``, or ``superseded`` where the same job waits already; None where the lease was lost."""
    values = {
        "job": claim.job,
        "lease_token": claim.lease_token,
        "delay": delay,
        "attempts": 1 if uncounted else 0,
    }
    became: str | None = (await scope.connection.execute(query("jobs.requeue"), values)).scalar()
    return became
