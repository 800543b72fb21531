"""Jobs seen and managed: listed by state and kind, cancelled, and put back after they died."""

import asyncio
from typing import Any

import pytest
from job_store import Ran, Store, put, recording, until

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.jobs.administration import cancel_job, get_job, list_jobs, requeue_job
from muniment.jobs.context import JobContext
from muniment.jobs.runner import JobRunner
from muniment.jobs.watching import JobWatch
from muniment.model.identifiers import JOB, public_id
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant


async def _failing(_context: JobContext, _tenant: int, _arguments: dict[str, Any]) -> dict[str, Any]:
    raise MunimentError("internal", "it does not work")


async def _code(awaitable: Any) -> str:
    with pytest.raises(MunimentError) as caught:
        await awaitable
    return caught.value.code


async def _dead(database: Database, tenant: Tenant, quick: Settings, **options: Any) -> str:
    """A job that has died."""
    job = public_id(JOB, await put(database, tenant, **options))
    await JobRunner(database, {"note": _failing}, quick.model_copy(update={"job_max_attempts": 1})).drain()
    return job


async def test_a_list_pages_through_ones_own_jobs_the_latest_first(
    database: Database, tenant: Tenant, other_tenant: Tenant, quick: Settings
) -> None:
    mine = [public_id(JOB, await put(database, tenant, n=n)) for n in range(5)]
    theirs = public_id(JOB, await put(database, other_tenant))
    first = await list_jobs(database, tenant.number, limit=3)
    rest = await list_jobs(database, tenant.number, limit=3, cursor=first.next)
    assert [job.id for job in first.jobs + rest.jobs] == mine[::-1]
    assert rest.next is None
    assert await _code(get_job(database, tenant.number, theirs)) == "job.not_found"
    assert await _code(cancel_job(database, tenant.number, theirs)) == "job.not_found"
    assert (await get_job(database, other_tenant.number, theirs)).state == "queued"


async def test_states_and_kinds_narrow_a_list(database: Database, tenant: Tenant, quick: Settings) -> None:
    ran: Ran = []
    dead = await _dead(database, tenant, quick)
    done = public_id(JOB, await put(database, tenant, n=2))
    await JobRunner(database, {"note": recording(ran)}, quick).drain()
    other = public_id(JOB, await put(database, tenant, kind="other"))
    gone = public_id(JOB, await put(database, tenant, kind="other"))
    await cancel_job(database, tenant.number, gone)
    for state, expected in {
        "queued": [other],
        "running": [],
        "dead": [dead],
        "done": [done],
        "cancelled": [gone],
        "superseded": [],
    }.items():
        assert [job.id for job in (await list_jobs(database, tenant.number, state=state)).jobs] == expected, state
    assert [job.id for job in (await list_jobs(database, tenant.number, kind="note")).jobs] == [done, dead]
    assert [job.id for job in (await list_jobs(database, tenant.number, kind="other", state="queued")).jobs] == [other]
    assert (await list_jobs(database, tenant.number, kind="note", state="queued")).jobs == []
    shown = await get_job(database, tenant.number, dead)
    assert (shown.error, shown.finished_at is not None) == ("internal: it does not work", True)
    assert await _code(list_jobs(database, tenant.number, state="lost")) == "input.invalid"
    assert await _code(list_jobs(database, tenant.number, cursor="nonsense")) == "input.invalid"


async def test_a_dead_job_is_requeued_with_all_its_attempts_before_it(
    database: Database, tenant: Tenant, quick: Settings, store: Store
) -> None:
    ran: Ran = []
    job = await _dead(database, tenant, quick)
    again = await requeue_job(database, tenant.number, job)
    assert (again.state, again.attempts, again.error) == ("queued", 0, None)
    assert await _code(requeue_job(database, tenant.number, job)) == "job.not_dead"
    await JobRunner(database, {"note": recording(ran)}, quick).drain()
    assert (await get_job(database, tenant.number, job)).state == "done"
    assert len(ran) == 1


async def test_a_requeued_job_wakes_a_runner(database: Database, tenant: Tenant, quick: Settings) -> None:
    ran: Ran = []
    job = await _dead(database, tenant, quick)
    runner = JobRunner(database, {"note": recording(ran)}, quick)
    await runner.start()
    try:
        await asyncio.sleep(0.2)
        await requeue_job(database, tenant.number, job)
        await until(lambda: ran)
    finally:
        await runner.stop()


async def test_a_dead_job_whose_like_waits_already_is_superseded(
    database: Database, tenant: Tenant, quick: Settings, store: Store
) -> None:
    job = await _dead(database, tenant, quick, dedup="space 1")
    assert await put(database, tenant, dedup="space 1") is not None
    assert (await requeue_job(database, tenant.number, job)).state == "superseded"
    assert len(store.queue()) == 1


async def test_a_cancelled_job_never_runs_and_one_that_runs_is_ended(
    database: Database, tenant: Tenant, quick: Settings, store: Store
) -> None:
    started, ended = asyncio.Event(), asyncio.Event()

    async def handler(_context: JobContext, _tenant: int, arguments: dict[str, Any]) -> dict[str, Any]:
        assert arguments["n"] == 2
        started.set()
        try:
            await asyncio.sleep(3600)
        finally:
            ended.set()
        return {}

    waiting = public_id(JOB, await put(database, tenant, n=1))
    await cancel_job(database, tenant.number, waiting)
    runner = JobRunner(database, {"note": handler}, quick.model_copy(update={"job_lease": 0.6}))
    await runner.start()
    try:
        running = public_id(JOB, await put(database, tenant, n=2))
        await started.wait()
        assert (await get_job(database, tenant.number, running)).state == "running"
        assert (await cancel_job(database, tenant.number, running)).state == "cancelled"
        await asyncio.wait_for(ended.wait(), 20)
    finally:
        await runner.stop()
    assert (await get_job(database, tenant.number, running)).state == "cancelled"
    assert store.queue() == []
    assert await _code(cancel_job(database, tenant.number, running)) == "job.ended"


async def test_a_watched_job_tells_its_progress_and_its_end(
    database: Database, tenant: Tenant, quick: Settings
) -> None:
    seen, go_on = asyncio.Event(), asyncio.Event()

    async def handler(context: JobContext, _tenant: int, _arguments: dict[str, Any]) -> dict[str, Any]:
        await context.progress(3, 7)
        await go_on.wait()
        return {"all": 7}

    job = public_id(JOB, await put(database, tenant))
    told = []

    async def watch() -> None:
        async for state in JobWatch(database).watch(tenant.number, job):
            told.append(state)
            if state.progress is not None:
                seen.set()

    watching = asyncio.create_task(watch())
    await until(lambda: told)
    draining = asyncio.create_task(JobRunner(database, {"note": handler}, quick).drain())
    await asyncio.wait_for(seen.wait(), 20)
    go_on.set()
    await asyncio.wait_for(watching, 20)
    await draining
    assert told[0].state == "queued"
    assert (told[-1].state, told[-1].result) == ("done", {"all": 7})
    assert next((p.done, p.total) for state in told if (p := state.progress)) == (3, 7)


async def test_closing_ends_a_watch_of_a_job_that_does_not(database: Database, tenant: Tenant) -> None:
    job = public_id(JOB, await put(database, tenant))
    watch = JobWatch(database)
    states = watch.watch(tenant.number, job)
    assert (await anext(states)).state == "queued"
    watch.close()
    assert await asyncio.wait_for(anext(states, None), 10) is None
