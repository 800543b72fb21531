"""The relay: hands the ids of queued jobs to Redis, where arq's workers wait for them.

PostgreSQL stays the source of truth. Few ids are in Redis at a time, tenants in turn, so that nobody's thousand jobs
stand before another's one there either. An id that is lost in Redis is handed over again; one that comes twice finds
its job taken. Any number of relays may run at once.
"""

import asyncio
import logging
import time
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

from arq.connections import ArqRedis

from muniment.database.pool import Database
from muniment.database.queries import query
from muniment.errors import MunimentError
from muniment.jobs.claiming import reap
from muniment.jobs.execution import end_task, error_code
from muniment.jobs.expiring import AFTER_START, schedule_expiry
from muniment.jobs.listener import listen
from muniment.jobs.redis_queue import UNREACHABLE, hand_over, open_redis
from muniment.jobs.reporting import schedule_report
from muniment.settings import Settings

_MARK: Final = "muniment:relay"
_FULL_PAUSE: Final = 0.02  # seconds until a look whether a full window has room again
_LONGEST_PAUSE: Final = 5.0

_log = logging.getLogger("muniment.jobs")


class JobRelay:
    """Relays between ``start`` and ``stop``. Redis and the database may be away at any time."""

    def __init__(self, database: Database, settings: Settings, kinds: list[str]) -> None:
        """``kinds`` are those that workers can run."""
        self._database = database
        self._settings = settings
        self._kinds = kinds
        self._wake = asyncio.Event()
        self._redis: ArqRedis | None = None
        self._loop: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._stopping = False
        self._reap_at = 0.0
        self._expire_at = self._report_at = time.monotonic() + AFTER_START

    async def start(self) -> None:
        """Starts in the background."""
        self._stopping = False
        self._loop = asyncio.create_task(self._work(), name="muniment relay")
        if not self._settings.pgbouncer:
            self._listening = asyncio.create_task(
                listen(self._database.engine.url, self._wake.set), name="muniment relay listener"
            )

    async def stop(self) -> None:
        """Hands nothing more over."""
        self._stopping = True
        self._wake.set()
        await end_task(self._listening)
        if self._loop is not None:  # to its end, where it can: a connection that is cut off is a connection less
            await asyncio.wait([self._loop], timeout=self._settings.job_stop_grace)
            await end_task(self._loop)
        self._loop = self._listening = None
        await self._drop_redis()

    async def _work(self) -> None:
        pause = 0.1
        while not self._stopping:
            self._wake.clear()
            try:
                full = await self._relay()
            except (*UNREACHABLE, MunimentError) as error:
                _log.warning("jobs wait to be handed over: %s", error_code(error))
                if not isinstance(error, MunimentError):
                    await self._drop_redis()
                await self._wait(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
                continue
            pause = 0.1
            await self._wait(_FULL_PAUSE if full else self._settings.job_poll)

    async def _wait(self, seconds: float) -> None:
        if self._stopping:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()

    async def _relay(self) -> bool:
        """Hands over what the window has room for; whether more may wait."""
        if self._redis is None:
            self._redis = await open_redis(self._settings)
        if time.monotonic() >= self._reap_at:
            self._reap_at = time.monotonic() + self._settings.job_lease / 4
            await reap(self._database, self._settings)
        if time.monotonic() >= self._expire_at:
            await schedule_expiry(self._database)
            self._expire_at = time.monotonic() + self._settings.expiry_period
        if time.monotonic() >= self._report_at:
            await schedule_report(self._database)
            self._report_at = time.monotonic() + self._settings.ops_period
        # a mark that is gone says that Redis lost what it held
        lost = await self._redis.set(_MARK, "1", nx=True)
        jobs = await self._dispatch(0.0 if lost else self._settings.job_redispatch)
        try:
            for job, attempts in jobs:
                await hand_over(self._redis, job, attempts)
        except BaseException:
            with suppress(MunimentError):  # then they are dispatched again after job_redispatch
                await self._recall([job for job, _ in jobs])
            raise
        return bool(jobs)

    async def _dispatch(self, again: float) -> list[tuple[UUID, int]]:
        values: dict[str, Any] = {"window": self._settings.job_window, "again": again, "kinds": self._kinds}
        async with self._database.transaction() as connection:
            return [(job, attempts) for job, attempts in await connection.execute(query("jobs.dispatch"), values)]

    async def _recall(self, jobs: list[UUID]) -> None:
        async with self._database.transaction() as connection:
            await connection.execute(query("jobs.recall"), {"jobs": jobs})

    async def _drop_redis(self) -> None:
        redis, self._redis = self._redis, None
        if redis is not None:
            with suppress(*UNREACHABLE):
                await redis.aclose(close_connection_pool=True)
