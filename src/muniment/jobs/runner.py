"""The runner in this process: claims due jobs of all tenants under leases and runs their handlers.

Any number of runners, in any number of processes, may share a database. A runner that dies loses its leases, and
another takes its jobs over; a runner that stops gives them back.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from muniment.database.pool import Database
from muniment.database.queries import query
from muniment.errors import MunimentError
from muniment.jobs.context import Handlers, JobContext
from muniment.jobs.listener import listen
from muniment.jobs.outcome import Claim, fail, finish, give_back
from muniment.providers.embedding import Embedder
from muniment.settings import Settings

_LONGEST_PAUSE = 5.0

_log = logging.getLogger("muniment.jobs")


@dataclass(slots=True)
class _Run:
    claim: Claim
    lease_lost: bool = False


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
        revive: Callable[[], object] | None = None,
    ) -> None:
        """Claims only the kinds in ``handlers``. ``revive`` is called in a thread when the database is away."""
        self._context = JobContext(database, settings, embedder, model_no, admin_url)
        self._database = database
        self._handlers = handlers
        self._settings = settings
        self._revive = revive
        self._running: dict[asyncio.Task[None], _Run] = {}
        self._wake = asyncio.Event()
        self._claiming = asyncio.Lock()
        self._loop: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._stopping = False
        self._reap_at = 0.0

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

    async def stop(self) -> None:
        """Claims nothing more, lets what runs end within ``settings.job_stop_grace``, and gives back the rest."""
        self._stopping = True
        self._wake.set()
        deadline = time.monotonic() + self._settings.job_stop_grace
        await _end(self._listening)
        if self._loop is not None:
            await asyncio.wait([self._loop], timeout=self._settings.job_stop_grace)
            await _end(self._loop)
        self._loop = self._listening = None
        if self._running:
            await asyncio.wait(self._running, timeout=max(0.0, deadline - time.monotonic()))
        cut_short = dict(self._running)
        for task in cut_short:
            task.cancel()
        await asyncio.gather(*cut_short, return_exceptions=True)
        for task, run in cut_short.items():
            if task.cancelled() and not run.lease_lost:
                with suppress(MunimentError):  # then the lease runs out by itself
                    await give_back(self._database, run.claim)
        self._stopping = False

    async def drain(self, seconds: float | None = None) -> bool:
        """Runs jobs until none is due and none runs here, retries that wait for their time aside.

        False when ``seconds`` went by first. Raises ``store.*`` when the database is away.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        await self._reap()
        while True:
            await self._claim()
            if not self._running:
                return True
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                return False
            await asyncio.wait(self._running, timeout=left, return_when=asyncio.FIRST_COMPLETED)

    async def _work(self) -> None:
        pause = 0.1
        while not self._stopping:
            self._wake.clear()
            try:
                if time.monotonic() >= self._reap_at:
                    await self._reap()
                await self._claim()
            except Exception as error:
                _log.warning("jobs wait, the database does not answer: %s", _code(error))
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
        if self._revive is None or self._stopping or _code(error) != "store.unavailable":
            return
        try:
            await asyncio.to_thread(self._revive)
        except Exception as failure:
            _log.warning("the database could not be started again: %s", _code(failure))

    async def _claim(self) -> None:
        """Fills the free places with due jobs, and starts them."""
        async with self._claiming:
            free = self._settings.job_concurrency - len(self._running)
            if free <= 0 or self._stopping:
                return
            values: dict[str, Any] = {
                "limit": free,
                "lease": self._settings.job_lease,
                "kinds": sorted(self._handlers),
            }
            async with self._database.transaction() as connection:
                rows = (await connection.execute(query("jobs.claim"), values)).all()
            for job, tenant, kind, attempts, lease_token in rows:
                run = _Run(Claim(job, tenant, kind, attempts, lease_token))
                task = asyncio.create_task(self._run(run), name=f"muniment job {kind}")
                self._running[task] = run
                task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.pop(task, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.warning("a job could not be settled, its lease will run out: %s", _code(error))
        self._wake.set()

    async def _run(self, run: _Run) -> None:
        claim = run.claim
        task = asyncio.current_task()
        assert task is not None
        keeper = asyncio.create_task(self._keep_lease(run, task))
        try:
            async with self._database.scope(claim.tenant) as scope:
                arguments = await scope.value("jobs.arguments", job=claim.job)
            try:
                result = {} if arguments is None else await self._handlers[claim.kind](
                    self._context, claim.tenant, arguments
                )  # fmt: skip
            except Exception as error:
                await fail(self._database, self._settings, claim, error)
            else:
                await finish(self._database, claim, result)
        finally:
            await _end(keeper)

    async def _keep_lease(self, run: _Run, task: asyncio.Task[None]) -> None:
        values = {"job": run.claim.job, "lease_token": run.claim.lease_token, "lease": self._settings.job_lease}
        while True:
            await asyncio.sleep(self._settings.job_lease / 3)
            with suppress(MunimentError):  # the database is away, for the others too
                async with self._database.transaction() as connection:
                    held = (await connection.execute(query("jobs.extend"), values)).scalar()
                if not held:
                    run.lease_lost = True
                    task.cancel()
                    return

    async def _reap(self) -> None:
        self._reap_at = time.monotonic() + self._settings.job_lease / 4
        async with self._database.transaction() as connection:
            values = {"max_attempts": self._settings.job_max_attempts}
            reaped = (await connection.execute(query("jobs.reap"), values)).all()
        for job, tenant, dead in reaped:
            await self._note_reaped(job, tenant, dead)

    async def _note_reaped(self, job: UUID, tenant: int, dead: bool) -> None:
        async with self._database.scope(tenant) as scope:
            await scope.execute("jobs.record_error", job=job, error="the runner of this job went away", dead=dead)


def _code(error: BaseException) -> str:
    return error.code if isinstance(error, MunimentError) else type(error).__name__


async def _end(task: asyncio.Task[None] | None) -> None:
    """Cancels a task of ours and waits until it has ended; our own cancellation is not swallowed."""
    if task is not None:
        task.cancel()
        await asyncio.wait([task])
