"""The runner: each committed job is run to an end that is written down, whatever dies in between."""

import asyncio
import os
import signal
import time
from pathlib import Path
from typing import Any

import psycopg
import pytest
from job_store import Ran, Store, put, recording, until

from muniment.database.embedded import EmbeddedServer
from muniment.database.pool import Database
from muniment.database.setup import driver_conninfo
from muniment.errors import MunimentError
from muniment.jobs.context import JobContext
from muniment.jobs.runner import JobRunner
from muniment.queue import enqueue
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant


async def test_drain_runs_what_was_committed_and_nothing_that_was_rolled_back(
    database: Database, tenant: Tenant, other_tenant: Tenant, quick: Settings, store: Store
) -> None:
    ran: Ran = []
    await put(database, tenant, n=1)
    await put(database, other_tenant, n=2)
    with pytest.raises(ZeroDivisionError):
        async with database.scope(tenant.number) as scope:
            await enqueue(scope, "note", {"n": 3})
            raise ZeroDivisionError
    assert await JobRunner(database, {"note": recording(ran)}, quick).drain()
    assert sorted(ran) == [(tenant.number, 1), (other_tenant.number, 2)]
    assert store.queue() == []
    assert store.jobs() == [("note", {"seen": 1}, None, True), ("note", {"seen": 2}, None, True)]


async def test_a_job_that_waits_under_a_name_is_not_queued_twice_and_one_that_runs_is(
    database: Database, tenant: Tenant, other_tenant: Tenant, quick: Settings
) -> None:
    started, go_on, runs = asyncio.Event(), asyncio.Event(), []

    async def handler(_context: JobContext, _tenant: int, _arguments: dict[str, Any]) -> dict[str, Any]:
        runs.append(1)
        started.set()
        await go_on.wait()
        return {}

    assert await put(database, tenant, dedup="space 1") is not None
    assert await put(database, tenant, dedup="space 1") is None
    assert await put(database, other_tenant, dedup="space 1") is not None
    runner = JobRunner(database, {"note": handler}, quick)
    draining = asyncio.create_task(runner.drain())
    await started.wait()
    await until(lambda: len(runs) == 2)
    assert await put(database, tenant, dedup="space 1") is not None
    go_on.set()
    await draining
    assert len(runs) == 3


async def test_higher_priorities_go_first_and_delayed_jobs_wait(
    database: Database, tenant: Tenant, quick: Settings, store: Store
) -> None:
    ran: Ran = []
    await put(database, tenant, n=1)
    await put(database, tenant, n=2, priority=5)
    await put(database, tenant, n=3, delay=3600)
    alone = quick.model_copy(update={"job_concurrency": 1})
    await JobRunner(database, {"note": recording(ran)}, alone).drain()
    assert [n for _, n in ran] == [2, 1]
    assert store.queue() == [("note", "queued", 0)]


async def test_a_started_runner_is_woken_by_a_commit_and_not_only_by_polling(
    database: Database, tenant: Tenant, quick: Settings
) -> None:
    ran: Ran = []
    runner = JobRunner(database, {"note": recording(ran)}, quick)
    await runner.start()
    try:
        await put(database, tenant, n=1)
        await until(lambda: ran)
        for n in range(2, 12):
            await put(database, tenant, n=n)
        await until(lambda: len(ran) == 11)
    finally:
        await runner.stop()


async def test_behind_pgbouncer_it_polls(database: Database, tenant: Tenant, quick: Settings) -> None:
    ran: Ran = []
    runner = JobRunner(
        database, {"note": recording(ran)}, quick.model_copy(update={"pgbouncer": True, "job_poll": 0.02})
    )
    await runner.start()
    try:
        await asyncio.sleep(0.1)
        await put(database, tenant)
        await until(lambda: ran)
        assert runner._listening is None
    finally:
        await runner.stop()


async def test_a_failing_job_is_tried_again_and_then_dead_with_a_reason_that_quotes_nothing(
    database: Database, tenant: Tenant, quick: Settings, store: Store
) -> None:
    attempts = []

    async def handler(_context: JobContext, _tenant: int, _arguments: dict[str, Any]) -> dict[str, Any]:
        attempts.append(1)
        raise ValueError("the patient's secret")

    await put(database, tenant)
    runner = JobRunner(database, {"note": handler}, quick.model_copy(update={"job_poll": 0.02}))
    await runner.start()
    await until(lambda: [state for _, state, _ in store.queue()] == ["dead"])
    await runner.stop()
    assert len(attempts) == quick.job_max_attempts
    ((_, result, error, finished),) = store.jobs()
    assert (result, finished) == (None, True)
    assert error.startswith("ValueError at test_runner.py:")
    assert "secret" not in error


async def test_a_job_that_recovers_leaves_its_result_and_no_error(
    database: Database, tenant: Tenant, quick: Settings, store: Store
) -> None:
    attempts = []

    async def handler(_context: JobContext, _tenant: int, _arguments: dict[str, Any]) -> dict[str, Any]:
        attempts.append(1)
        if len(attempts) < 3:
            raise MunimentError("internal", "not yet")
        return {"attempt": len(attempts)}

    await put(database, tenant)
    runner = JobRunner(database, {"note": handler}, quick.model_copy(update={"job_retry_delay": 3600.0}))
    await runner.drain()
    assert store.jobs() == [("note", None, "internal: not yet", False)]
    while store.queue():
        store.rows("update muniment_jobs.queue set run_at = now()")
        await runner.drain()
    assert store.jobs() == [("note", {"attempt": 3}, None, True)]


async def test_what_passes_by_itself_never_ends_a_job(
    database: Database, tenant: Tenant, quick: Settings, store: Store
) -> None:
    async def handler(_context: JobContext, _tenant: int, _arguments: dict[str, Any]) -> dict[str, Any]:
        raise MunimentError("provider.unavailable", "the model cannot be reached")

    await put(database, tenant)
    patient = quick.model_copy(update={"job_max_attempts": 1, "job_retry_delay": 3600.0})
    runner = JobRunner(database, {"note": handler}, patient)
    for _ in range(3):
        store.rows("update muniment_jobs.queue set run_at = now()")
        await runner.drain()
    assert store.queue() == [("note", "queued", 3)]


async def test_a_kind_without_a_handler_waits_for_a_process_that_has_one(
    database: Database, tenant: Tenant, quick: Settings, store: Store
) -> None:
    ran: Ran = []
    await put(database, tenant, kind="embed")
    await JobRunner(database, {"note": recording(ran)}, quick).drain()
    assert store.queue() == [("embed", "queued", 0)]
    await JobRunner(database, {"embed": recording(ran)}, quick).drain()
    assert len(ran) == 1


async def test_stop_lets_short_jobs_end_and_gives_long_ones_back_uncounted(
    database: Database, tenant: Tenant, quick: Settings, store: Store
) -> None:
    running = []

    async def handler(_context: JobContext, _tenant: int, arguments: dict[str, Any]) -> dict[str, Any]:
        running.append(arguments["n"])
        await asyncio.sleep(arguments["n"])
        return {}

    await put(database, tenant, n=0)
    await put(database, tenant, n=3600)
    runner = JobRunner(database, {"note": handler}, quick)
    await runner.start()
    await until(lambda: len(running) == 2)
    await runner.stop()
    assert store.queue() == [("note", "queued", 0)]
    assert not runner.started


async def test_drain_with_a_time_limit_says_that_it_did_not_finish(
    database: Database, tenant: Tenant, quick: Settings, store: Store
) -> None:
    async def handler(_context: JobContext, _tenant: int, _arguments: dict[str, Any]) -> dict[str, Any]:
        await asyncio.sleep(3600)
        return {}

    await put(database, tenant)
    runner = JobRunner(database, {"note": handler}, quick.model_copy(update={"job_stop_grace": 0.0}))
    assert not await runner.drain(0.2)
    await runner.stop()
    assert store.queue() == [("note", "queued", 0)]


async def test_two_runners_never_run_a_job_twice(
    database: Database, tenant: Tenant, other_tenant: Tenant, quick: Settings, store: Store
) -> None:
    ran: Ran = []
    for n in range(60):
        await put(database, (tenant, other_tenant)[n % 2], n=n)
    runners = [JobRunner(database, {"note": recording(ran)}, quick) for _ in range(3)]
    await asyncio.gather(*(runner.drain() for runner in runners))
    assert sorted(n for _, n in ran) == list(range(60))
    assert store.queue() == []


async def test_a_broken_listening_connection_is_made_anew(
    database: Database, tenant: Tenant, quick: Settings, admin_url: str
) -> None:
    ran: Ran = []
    runner = JobRunner(database, {"note": recording(ran)}, quick)
    listening = (
        "select pid from pg_stat_activity where application_name = 'muniment jobs' and datname = current_database()"
    )
    await runner.start()
    try:
        with psycopg.connect(driver_conninfo(admin_url), autocommit=True) as admin:
            await until(lambda: admin.execute(listening).fetchone())
            (pid,) = admin.execute(listening).fetchone() or (None,)
            admin.execute("select pg_terminate_backend(%s)", (pid,))
            await until(lambda: (admin.execute(listening).fetchone() or (pid,))[0] != pid)
        await put(database, tenant)
        await until(lambda: ran)
    finally:
        await runner.stop()


async def test_it_survives_postgresql_going_away_and_coming_back(tmp_path: Path, settings: Settings) -> None:
    from muniment.database.migrate import migrate
    from muniment.database.setup import _create_database
    from muniment.tenancy.tenants import create_tenant

    ran: Ran = []
    with EmbeddedServer(tmp_path / "store", {"fsync": "off"}) as server:
        _create_database(server)
        migrate(server.url())
        database = Database(server.url("muniment_app"), settings)
        runner = JobRunner(
            database,
            {"note": recording(ran)},
            settings.model_copy(update={"job_poll": 0.1}),
            revive=server.ensure_running,
        )
        try:
            tenant = await create_tenant(database, "first")
            await runner.start()
            await put(database, tenant, n=1)
            await until(lambda: ran)
            pid = int((server.data / "postmaster.pid").read_text(encoding="ascii").split()[0])
            await asyncio.to_thread(_crash, server, pid)
            await until(server.ready, 60)  # nobody but the runner starts it
            await put(database, tenant, n=2)
            await until(lambda: len(ran) == 2)
        finally:
            await runner.stop()
            await database.close()


def _crash(server: EmbeddedServer, pid: int) -> None:
    os.kill(pid, signal.SIGQUIT)
    deadline = time.monotonic() + 20
    while server.ready() and time.monotonic() < deadline:
        time.sleep(0.01)


async def test_a_job_lets_searches_pass_between_its_steps_and_ends_beside_those_that_never_do(
    database: Database, tenant: Tenant, quick: Settings
) -> None:
    steps: list[int] = []

    async def handler(_context: JobContext, tenant_no: int, _arguments: dict[str, Any]) -> dict[str, Any]:
        for number in range(3):
            steps.append(number)
            async with database.scope(tenant_no) as scope:
                await scope.execute("quotas.read")
        return {}

    searching, ended = asyncio.Event(), asyncio.Event()

    async def search() -> None:
        async with database.traffic.search(tenant.number, 60):
            searching.set()
            await ended.wait()

    database.traffic._patience = 0.5
    asked = asyncio.create_task(search())
    await searching.wait()
    await put(database, tenant, n=1)
    runner = JobRunner(database, {"note": handler}, quick)
    draining = asyncio.create_task(runner.drain())
    await until(lambda: bool(steps))
    assert steps == [0] and not draining.done()
    async with asyncio.timeout(30):
        await draining
    assert steps == [0, 1, 2]
    ended.set()
    await asked
