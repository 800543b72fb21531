"""Leases: a running job belongs to one runner for as long as that lives, and to another afterwards."""

import asyncio
from typing import Any

from job_store import Ran, Store, put, recording, until

from muniment.database.pool import Database
from muniment.jobs.context import JobContext
from muniment.jobs.runner import JobRunner
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant


async def test_a_lease_is_kept_for_as_long_as_the_handler_runs(
    database: Database, tenant: Tenant, quick: Settings
) -> None:
    runs = []

    async def handler(_context: JobContext, _tenant: int, _arguments: dict[str, Any]) -> dict[str, Any]:
        runs.append(1)
        await asyncio.sleep(1.5)
        return {}

    await put(database, tenant)
    short = quick.model_copy(update={"job_lease": 0.5, "job_poll": 0.05})
    first, second = JobRunner(database, {"note": handler}, short), JobRunner(database, {"note": handler}, short)
    await first.start()
    await until(lambda: runs)
    await second.start()
    await first.drain()
    await first.stop()
    await second.stop()
    assert len(runs) == 1


async def test_a_job_whose_runner_died_is_taken_over_when_its_lease_runs_out(
    database: Database, tenant: Tenant, quick: Settings, store: Store
) -> None:
    ran: Ran = []
    await put(database, tenant)
    store.rows(
        "select * from muniment_jobs.claim_jobs(1, interval '0', array['note'])"  # and is never heard of again
    )
    assert store.queue() == [("note", "running", 1)]
    await JobRunner(database, {"note": recording(ran)}, quick).drain()
    assert len(ran) == 1
    assert store.queue() == []


async def test_a_job_that_kills_each_runner_ends_dead(
    database: Database, tenant: Tenant, quick: Settings, store: Store
) -> None:
    ran: Ran = []
    await put(database, tenant)
    store.rows(
        f"update muniment_jobs.queue set state = 'running', attempts = {quick.job_max_attempts}, "  # noqa: S608
        "lease_token = gen_random_uuid(), lease_until = now() - interval '1 s'"
    )
    await JobRunner(database, {"note": recording(ran)}, quick).drain()
    assert ran == []
    assert [state for _, state, _ in store.queue()] == ["dead"]
    assert store.jobs() == [("note", None, "the runner of this job went away", True)]


async def test_a_runner_that_lost_its_lease_stops_and_settles_nothing(
    database: Database, tenant: Tenant, quick: Settings, store: Store
) -> None:
    started, cancelled = asyncio.Event(), asyncio.Event()

    async def handler(_context: JobContext, _tenant: int, _arguments: dict[str, Any]) -> dict[str, Any]:
        started.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return {}

    await put(database, tenant)
    runner = JobRunner(database, {"note": handler}, quick.model_copy(update={"job_lease": 0.3}))
    draining = asyncio.create_task(runner.drain())
    await started.wait()
    store.rows(
        "update muniment_jobs.queue set lease_token = gen_random_uuid(), lease_until = now() + interval '1 hour'"
    )
    await asyncio.wait_for(cancelled.wait(), 20)
    await draining
    assert store.queue() == [("note", "running", 1)]
