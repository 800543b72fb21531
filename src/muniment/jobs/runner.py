"""The runner in this process: claims due jobs of all tenants under leases and runs their handlers.

Any number of runners, in any number of processes, may share a database. A runner that dies loses its leases, and
another takes its jobs over; a runner that stops gives them back.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress

from muniment.database.pool import Database
from muniment.jobs.claiming import claim_due, reap
from muniment.jobs.context import Handlers, JobContext
from muniment.jobs.execution import Execution, end_task, error_code
from muniment.jobs.expiring import AFTER_START, schedule_expiry
from muniment.jobs.listener import listen
from muniment.jobs.reporting import schedule_report
from muniment.providers.chat import ChatModel
from muniment.providers.embedding import Embedder
from muniment.settings import Settings

_LONGEST_PAUSE = 5.0

_log = logging.getLogger("muniment.jobs")


class JobRunner:
    """Runs jobs between ``start`` and ``stop``, or only inside ``drain``."""

    def __init__(
        self,
        database: Database,
        handlers: Handlers,
        settings: Settings,
        *,
        embedder: Embedder | None = None,
        model_no: int | None = None,
        admin_url: str | None = None,
        chat: ChatModel | None = None,
        summary_chat: ChatModel | None = None,
        vision_chat: ChatModel | None = None,
        revive: Callable[[], object] | None = None,
    ) -> None:
        """Claims only the kinds in ``handlers``. ``revive`` is called in a thread when the database is away."""
        self._database = database
        self._settings = settings
        self._revive = revive
        self._wake = asyncio.Event()
        context = JobContext(
            database, settings, embedder, model_no, admin_url, chat=chat, summary_chat=summary_chat,
            vision_chat=vision_chat,
        )  # fmt: skip
        self._execution = Execution(context, handlers, self._wake.set)
        self._claiming = asyncio.Lock()
        self._loop: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._stopping = False
        self._stop_by: float | None = None
        self._reap_at = 0.0
        self._expire_at = self._report_at = time.monotonic() + AFTER_START

    @property
    def started(self) -> bool:
        """Whether jobs are being run in the background."""
        return self._loop is not None

    async def start(self) -> None:
        """Starts running jobs in the background; the database may be away at the time."""
        if self._loop is not None:
            return
        self._stopping = False
        self._loop = asyncio.create_task(self._work(), name="muniment jobs")
        if not self._settings.pgbouncer:
            self._listening = asyncio.create_task(
                listen(self._database.engine.url, self._wake.set), name="muniment jobs listener"
            )

    def wind_down(self) -> None:
        """Claims nothing more: ``stop`` will come, and what runs then has ``settings.job_stop_grace`` from now on."""
        if self._stop_by is None:
            self._stopping, self._stop_by = True, time.monotonic() + self._settings.job_stop_grace
            self._wake.set()

    async def stop(self) -> None:
        """Claims nothing more, lets what runs end within ``settings.job_stop_grace``, and gives back the rest."""
        self.wind_down()
        assert self._stop_by is not None
        deadline, self._stop_by = self._stop_by, None
        await end_task(self._listening)
        if self._loop is not None:
            await asyncio.wait([self._loop], timeout=max(0.0, deadline - time.monotonic()))
            await end_task(self._loop)
        self._loop = self._listening = None
        await self._execution.stop(deadline - time.monotonic())
        self._stopping = False

    async def drain(self, seconds: float | None = None) -> bool:
        """Runs jobs until none is due and none runs here, retries that wait for their time aside.

        False when ``seconds`` went by first. Raises ``store.*`` when the database is away.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        await self._reap()
        while True:
            await self._claim()
            if not self._execution.running:
                return True
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                return False
            await self._execution.wait_for_one(left)

    async def _work(self) -> None:
        pause = 0.1
        while not self._stopping:
            self._wake.clear()
            try:
                if time.monotonic() >= self._reap_at:
                    await self._reap()
                if time.monotonic() >= self._expire_at:
                    await schedule_expiry(self._database)
                    self._expire_at = time.monotonic() + self._settings.expiry_period
                if time.monotonic() >= self._report_at:
                    await schedule_report(self._database)
                    self._report_at = time.monotonic() + self._settings.ops_period
                await self._claim()
            except Exception as error:
                _log.warning("jobs wait, the database does not answer: %s", error_code(error))
                await self._wait(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
                await self._try_to_revive(error)
            else:
                pause = 0.1
                await self._wait(self._settings.job_poll)

    async def _wait(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()

    async def _try_to_revive(self, error: Exception) -> None:
        if self._revive is None or self._stopping or error_code(error) != "store.unavailable":
            return
        try:
            await asyncio.to_thread(self._revive)
        except Exception as failure:
            _log.warning("the database could not be started again: %s", error_code(failure))

    async def _claim(self) -> None:
        """Fills the free places with due jobs, and starts them."""
        async with self._claiming:
            free = self._settings.job_concurrency - self._execution.running
            if free <= 0 or self._stopping:
                return
            for claim in await claim_due(self._database, self._settings, self._execution.kinds, free):
                self._execution.begin(claim)

    async def _reap(self) -> None:
        self._reap_at = time.monotonic() + self._settings.job_lease / 4
        await reap(self._database, self._settings)
