"""Jobs of a tenant seen and managed: listed, cancelled, and put back after they died."""

from typing import Any, Final, get_args
from uuid import UUID

from muniment.audit.chain import record_act
from muniment.database.pool import Database, Scope
from muniment.errors import MunimentError
from muniment.model.identifiers import JOB, parse_id, public_id
from muniment.model.job import Job, JobPage, JobProgress, JobState
from muniment.queue.extraction import abandon, take_up

LARGEST_PAGE: Final = 500
_LAST: Final = UUID(int=2**128 - 1)
_IN_QUEUE: Final = ("queued", "running", "dead")


async def list_jobs(
    database: Database,
    tenant: int,
    *,
    state: str | None = None,
    kind: str | None = None,
    limit: int = 50,
    cursor: str | None = None,
) -> JobPage:
    """The tenant's jobs, the latest first, of a state and a kind where they are named; raises ``input.invalid``."""
    if not 1 <= limit <= LARGEST_PAGE:
        raise MunimentError("input.invalid", f"limit must lie between 1 and {LARGEST_PAGE}", limit=LARGEST_PAGE)
    if state is not None and state not in get_args(JobState):
        raise MunimentError("input.invalid", "there is no such state of jobs", states=list(get_args(JobState)))
    before = _LAST if cursor is None else parse_id(JOB, cursor)
    if before is None:
        raise MunimentError("input.invalid", "the cursor is none that a list gave", field="cursor")
    asked: dict[str, Any] = {"before": before, "limit": limit + 1}
    async with database.scope(tenant) as scope:
        if state in _IN_QUEUE:
            rows = await scope.rows("jobs.list_open", state=state, kind=kind, **asked)
        elif state is not None:
            rows = await scope.rows("jobs.list_ended", state=state, kind=kind, **asked)
        elif kind is not None:
            rows = await scope.rows("jobs.list_kind", kind=kind, **asked)
        else:
            rows = await scope.rows("jobs.list", **asked)
    jobs = [_shown(row) for row in rows[:limit]]
    return JobPage(jobs=jobs, next=jobs[-1].id if len(rows) > limit else None)


async def get_job(database: Database, tenant: int, job_id: str) -> Job:
    """One job; raises ``job.not_found``."""
    job = _identifier(job_id)
    async with database.scope(tenant) as scope:
        return await _read(scope, job)


async def cancel_job(database: Database, tenant: int, job_id: str) -> Job:
    """Takes a job that waits, runs or is dead out of the queue; one that runs is ended within seconds.

    What it has done stays done; what it was to read for facts counts as failed, and can be asked for again. Raises
    ``job.not_found`` and ``job.ended``.
    """
    job = _identifier(job_id)
    async with database.scope(tenant) as scope:
        found = await _read(scope, job)
        if await scope.value("jobs.cancel", job=job) is None:
            raise MunimentError("job.ended", f"the job is {found.state}", state=found.state)
        await abandon(scope, job, found.kind, "job.cancelled")
        await scope.execute("jobs.end_as", job=job, outcome="cancelled")
        await record_act(scope, "job.cancel", job_id, kind=found.kind)
        return await _read(scope, job)


async def requeue_job(database: Database, tenant: int, job_id: str) -> Job:
    """Puts a dead job back into the queue, with all its attempts before it; raises ``job.not_found``, ``job.not_dead``.

    Where the same job waits already, this one is superseded by it.
    """
    job = _identifier(job_id)
    async with database.scope(tenant) as scope:
        found = await _read(scope, job)
        became = await scope.value("jobs.revive", job=job)
        if became is None:
            raise MunimentError("job.not_dead", f"the job is {found.state}", state=found.state)
        await take_up(scope, job, found.kind)
        if became == "queued":
            await scope.execute("jobs.reopen", job=job)
        else:
            await scope.execute("jobs.end_as", job=job, outcome=became)
        await record_act(scope, "job.requeue", job_id, kind=found.kind)
        return await _read(scope, job)


async def _read(scope: Scope, job: UUID) -> Job:
    row = await scope.row("jobs.read", job=job)
    if row is None:
        raise MunimentError("job.not_found", "there is no such job")
    return _shown(row)


def _identifier(job_id: str) -> UUID:
    job = parse_id(JOB, job_id)
    if job is None:
        raise MunimentError("job.not_found", "there is no such job")
    return job


def _shown(row: Any) -> Job:
    progress = None
    if row["progress_done"] is not None:
        progress = JobProgress(done=row["progress_done"], total=row["progress_total"])
    return Job(
        id=public_id(JOB, row["job_id"]),
        kind=row["kind"],
        state=row["state"],
        attempts=row["attempts"],
        created_at=row["created_at"],
        run_at=row["run_at"] if row["state"] == "queued" else None,
        finished_at=row["finished_at"],
        progress=progress,
        result=row["result"],
        error=row["error"],
    )
