"""Running claimed jobs: each under its lease, which is kept for as long as it runs, to an end that is written down."""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from typing import Final

from muniment.audit.acting import acting_as
from muniment.database.queries import query
from muniment.errors import MunimentError
from muniment.jobs.context import Handlers, JobContext
from muniment.jobs.outcome import Claim, fail, finish, give_back
from muniment.model.identifiers import JOB, public_id
from muniment.telemetry.context import noting
from muniment.telemetry.metrics import count_job
from muniment.telemetry.tracing import traced

_LONGEST_LOOK: Final = 5.0  # seconds, after which a runner has noticed that its job was cancelled
_PROGRESS_EVERY: Final = 0.5  # seconds between two notes of how far a job is

_log = logging.getLogger("muniment.jobs")


@dataclass(slots=True)
class _Run:
    claim: Claim
    lease_lost: bool = False


class Execution:
    """The jobs that run in this process. ``ended`` is called after each."""

    def __init__(self, context: JobContext, handlers: Handlers, ended: Callable[[], None]) -> None:
        self._context = context
        self._database = context.database
        self._settings = context.settings
        self._handlers = handlers
        self._on_end = ended
        self._running: dict[asyncio.Task[None], _Run] = {}

    @property
    def kinds(self) -> list[str]:
        """What can be run here."""
        return sorted(self._handlers)

    @property
    def running(self) -> int:
        """How many jobs run now."""
        return len(self._running)

    def begin(self, claim: Claim) -> asyncio.Task[None]:
        """Runs a claimed job. The task's errors are told to the log: then the lease runs out."""
        run = _Run(claim)
        task = asyncio.create_task(self._run(run), name=f"muniment job {claim.kind}")
        self._running[task] = run
        task.add_done_callback(self._ended)
        return task

    async def wait_for_one(self, seconds: float | None) -> None:
        """Waits until one of the running jobs has ended, or for so long."""
        if self._running:
            await asyncio.wait(self._running, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)

    async def stop(self, seconds: float) -> None:
        """Lets what runs end within ``seconds``, and gives back the rest, uncounted."""
        if self._running:
            await asyncio.wait(self._running, timeout=max(0.0, seconds))
        cut_short = dict(self._running)
        for task in cut_short:
            task.cancel()
        await asyncio.gather(*cut_short, return_exceptions=True)
        for task, run in cut_short.items():
            if task.cancelled() and not run.lease_lost:
                with suppress(MunimentError):  # then the lease runs out by itself
                    await give_back(self._database, run.claim)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.pop(task, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.warning("a job could not be settled, its lease will run out: %s", error_code(error))
        self._on_end()

    async def _run(self, run: _Run) -> None:
        claim, began, outcome = run.claim, time.perf_counter(), "given_back"
        task = asyncio.current_task()
        assert task is not None
        ended = asyncio.Event()
        keeper = asyncio.create_task(self._keep_lease(run, task, ended))
        context = replace(self._context, progress=_Progress(self._context, claim).note)
        telling = ExitStack()
        telling.enter_context(noting(job=public_id(JOB, claim.job), kind=claim.kind))
        span = telling.enter_context(traced(f"job {claim.kind}"))
        span.tell(job=public_id(JOB, claim.job))
        try:
            async with self._database.scope(claim.tenant) as scope:
                arguments = await scope.value("jobs.arguments", job=claim.job)
            try:
                handler = self._handlers[claim.kind]
                with acting_as(f"job:{claim.kind}"), self._database.traffic.background(claim.tenant):
                    result = {} if arguments is None else await handler(context, claim.tenant, arguments)
            except Exception as error:
                outcome = "failed"
                span.failed(error_code(error))
                await fail(self._database, self._settings, claim, error)
            else:
                await finish(self._database, claim, result)
                outcome = "done"
        finally:
            telling.close()
            count_job(claim.kind, outcome, time.perf_counter() - began)
            ended.set()
            await asyncio.wait([keeper])

    async def _keep_lease(self, run: _Run, task: asyncio.Task[None], ended: asyncio.Event) -> None:
        """Keeps the lease until the job has ended; ends the task where it is gone: cancelled, or another's."""
        values = {"job": run.claim.job, "lease_token": run.claim.lease_token, "lease": self._settings.job_lease}
        while not ended.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(min(self._settings.job_lease / 3, _LONGEST_LOOK)):
                    await ended.wait()
                    return
            with suppress(MunimentError):  # the database is away, for the others too
                async with self._database.transaction() as connection:
                    held = (await connection.execute(query("jobs.extend"), values)).scalar()
                if not held and not ended.is_set():
                    run.lease_lost = True
                    task.cancel()
                    return


class _Progress:
    """How far a job is, written down now and then."""

    def __init__(self, context: JobContext, claim: Claim) -> None:
        self._database = context.database
        self._claim = claim
        self._next = 0.0

    async def note(self, done: int, total: int | None) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _PROGRESS_EVERY
        async with self._database.scope(self._claim.tenant) as scope:
            await scope.execute("jobs.progress", job=self._claim.job, done=done, total=total)


def error_code(error: BaseException) -> str:
    """What can be told of an error without telling anything of what is stored."""
    return error.code if isinstance(error, MunimentError) else type(error).__name__


async def end_task(task: "asyncio.Task[None] | None") -> None:
    """Cancels a task of ours and waits until it has ended; our own cancellation is not swallowed."""
    if task is not None:
        task.cancel()
        await asyncio.wait([task])
