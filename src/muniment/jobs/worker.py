"""The arq worker: takes ids of jobs from Redis, claims their rows in PostgreSQL, and runs them.

An id is only a hint. The row decides: whoever claims it first runs the job, under a lease, as the runner in the
server's process would; an id that comes twice, late or after a crash of Redis finds the row taken, done or queued.
"""

import asyncio
import logging
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from arq.connections import ArqRedis
from arq.constants import in_progress_key_prefix
from arq.worker import Worker, func

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.jobs.claiming import claim_one
from muniment.jobs.context import Handlers, JobContext
from muniment.jobs.execution import Execution, end_task, error_code
from muniment.jobs.outcome import Claim
from muniment.jobs.redis_queue import FUNCTION, QUEUE, UNREACHABLE, from_bytes, open_redis, to_bytes
from muniment.settings import Settings

_LONGEST: Final = timedelta(days=365)  # arq shall not end a job: its lease in PostgreSQL does
_CLAIM_PAUSES: Final = (0.1, 0.3, 1.0, 3.0, 5.0)  # seconds between attempts while the database is away
_LONGEST_PAUSE: Final = 5.0

_log = logging.getLogger("muniment.jobs")


class JobWorker:
    """Runs jobs between ``start`` and ``stop``; ``job_concurrency`` at once. Redis may be away at any time."""

    def __init__(self, context: JobContext, handlers: Handlers) -> None:
        """Claims only the kinds in ``handlers``: workers of one queue should all know the same."""
        self._settings: Settings = context.settings
        self._database: Database = context.database
        self._execution = Execution(context, handlers, lambda: None)
        self._places = asyncio.Semaphore(self._settings.job_concurrency)
        self._loop: asyncio.Task[None] | None = None
        self._workers: list[Worker] = []
        self._beginning: set[asyncio.Task[asyncio.Task[None] | None]] = set()

    async def start(self) -> None:
        """Starts taking jobs in the background."""
        self._loop = asyncio.create_task(self._work(), name="muniment worker")

    async def stop(self) -> None:
        """Takes nothing more, lets what runs end within ``settings.job_stop_grace``, and gives back the rest."""
        await end_task(self._loop)
        self._loop = None
        await asyncio.gather(*self._beginning, return_exceptions=True)
        await self._execution.stop(self._settings.job_stop_grace)
        for worker in self._workers:
            await _leave(worker)
        self._workers = []

    async def _work(self) -> None:
        pause = 0.1
        while True:
            try:
                redis = await open_redis(self._settings)
                pause = 0.1
                await self._take_from(redis)
            except UNREACHABLE as error:
                _log.warning("no jobs come, Redis does not answer: %s", error_code(error))
            except Exception as error:
                _log.error("taking jobs failed, and is begun anew: %s", error_code(error))
            await self._leave_idle()
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _leave_idle(self) -> None:
        """Lets go of what served connections that broke, once the last job that came over them has ended."""
        idle = [worker for worker in self._workers if all(task.done() for task in worker.tasks.values())]
        self._workers = [worker for worker in self._workers if worker not in idle]
        for worker in idle:
            await _leave(worker)

    async def _take_from(self, redis: ArqRedis) -> None:
        """Takes jobs until Redis goes away; those that run then go on."""
        worker = Worker(
            functions=[func(self._run, name=FUNCTION)],
            queue_name=QUEUE,
            redis_pool=redis,
            handle_signals=False,
            max_jobs=self._settings.job_concurrency,
            job_timeout=_LONGEST,
            keep_result=0,
            poll_delay=self._settings.redis_poll,
            max_tries=1_000_000,
            job_serializer=to_bytes,
            job_deserializer=from_bytes,
            log_results=False,
        )
        worker.in_progress_timeout_s = self._settings.job_lease  # as long as another must leave the id alone
        self._workers.append(worker)
        await worker.async_run()

    async def _run(self, ctx: dict[str, Any], job: str) -> None:
        """What arq calls: one job by its id. Ends when the job has, or at once where there is nothing to do."""
        async with self._places:
            beginning = asyncio.create_task(self._begin(UUID(hex=job)))
            self._beginning.add(beginning)
            beginning.add_done_callback(self._beginning.discard)
            running = await asyncio.shield(beginning)  # a stop waits for it: what it claims must be given back
            if running is None:
                return
            keeper = asyncio.create_task(self._keep_from_others(ctx["redis"], ctx["job_id"]))
            try:
                await asyncio.wait([running])
            finally:
                await end_task(keeper)

    async def _begin(self, job: UUID) -> asyncio.Task[None] | None:
        claim = await self._claim(job)
        return None if claim is None else self._execution.begin(claim)

    async def _claim(self, job: UUID) -> Claim | None:
        """The job's row; None as well where the database stays away, after which the relay sends the id again."""
        for pause in _CLAIM_PAUSES:
            try:
                return await claim_one(self._database, self._settings, self._execution.kinds, job)
            except MunimentError as error:
                _log.warning("a job cannot be claimed: %s", error.code)
                await asyncio.sleep(pause)
        return None

    async def _keep_from_others(self, redis: ArqRedis, job_id: str) -> None:
        """Tells other workers for as long as the job runs that they need not try it."""
        milliseconds = int(1000 * self._settings.job_lease)
        while True:
            await asyncio.sleep(self._settings.job_lease / 3)
            with suppress(*UNREACHABLE):
                await redis.pexpire(in_progress_key_prefix + job_id, milliseconds)


async def _leave(worker: Worker) -> None:
    """Ends what arq itself still does, and its connections."""
    for task in worker.tasks.values():
        task.cancel()
    await asyncio.gather(*worker.tasks.values(), return_exceptions=True)
    with suppress(*UNREACHABLE):
        await worker.pool.aclose(close_connection_pool=True)
