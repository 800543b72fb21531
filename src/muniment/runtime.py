"""The runtime: everything that a process opens to serve one store, opened and closed in order."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from muniment.database.pool import Database
from muniment.database.replica import Replica
from muniment.database.setup import PreparedDatabase, prepare, replica_url
from muniment.errors import MunimentError
from muniment.jobs.context import JobContext
from muniment.jobs.embedding import resume
from muniment.jobs.handlers import HANDLERS, handlers_for
from muniment.jobs.removing import replay_departures
from muniment.jobs.runner import JobRunner
from muniment.jobs.watching import JobWatch
from muniment.model.result import ValidationReport
from muniment.model.source import AskedMethod, ExtractionRequest
from muniment.providers.chat import ChatModel
from muniment.providers.completion import open_chat, open_extraction_chat, open_summary_chat, open_vision_chat
from muniment.providers.embedding import Embedder, open_embedder
from muniment.providers.models import register_model
from muniment.settings import Settings
from muniment.telemetry.metrics import serve_metrics
from muniment.telemetry.tracing import configure_tracing
from muniment.tenancy.keys import settle_uses
from muniment.tenancy.sql_watchdog import SqlWatchdog
from muniment.tenancy.tenants import Tenant, default_tenant

if TYPE_CHECKING:
    from muniment.log.writer import Writer
    from muniment.retrieval.engine import Retriever


@dataclass(slots=True)
class Runtime:
    """An open store. ``embedder`` and ``model_no`` are None with the embedding provider ``none``.

    ``tenant`` is the default tenant, whom a local store opens.
    """

    settings: Settings
    prepared: PreparedDatabase
    database: Database
    embedder: Embedder | None
    model_no: int | None
    writer: "Writer"
    retriever: "Retriever"
    runner: JobRunner
    watch: JobWatch
    tenant: Tenant
    extraction_chat: ChatModel | None = None
    summary_chat: ChatModel | None = None
    replica: Replica | None = None
    vision_chat: ChatModel | None = None

    async def checkpoint(self, tenant: int) -> str:
        """Signs the tenant's log as it stands, keeps and exports the note, and returns it; raises ``log.invalid``."""
        from muniment.log.checkpoints import sign_checkpoint

        return (await sign_checkpoint(self.database, tenant)).note

    async def extract(self, tenant: int, method: AskedMethod | None = None) -> ExtractionRequest:
        """Has jobs read what the method has not read, or failed to read, or read by another version of it.

        Without a method by those that ``MUNIMENT_EXTRACTION`` names, by rules where it is off. Raises ``input.invalid``
        where a model is to and none is set up.
        """
        from muniment.extraction.model.reading import extractor_of
        from muniment.extraction.rules.extractor import EXTRACTOR
        from muniment.log.extraction import ask_for_facts, spent_on_facts

        if method == "vision":
            return await self._describe(tenant)
        named: dict[str, tuple[Literal["rules", "model"], ...]] = {
            "rules": ("rules",), "model": ("model",), "both": ("rules", "model"),
        }  # fmt: skip
        asked = named[method] if method else self.settings.extraction_methods or ("rules",)
        extractors = {"rules": EXTRACTOR}
        if "model" in asked:
            if self.extraction_chat is None:
                raise MunimentError("input.invalid", "MUNIMENT_EXTRACTION sets up no model that extracts facts")
            extractors["model"] = extractor_of(self.extraction_chat)
        records = max([await ask_for_facts(self.database, tenant, each, extractors[each]) for each in asked])
        tokens, calls = await spent_on_facts(self.database, tenant)
        budget = self.settings.extraction_budget
        method = "both" if len(asked) > 1 else asked[0]
        return ExtractionRequest(method=method, records=records, tokens=tokens, calls=calls, budget=budget)

    async def _describe(self, tenant: int) -> ExtractionRequest:
        from muniment.extraction.vision.prompt import describer_of
        from muniment.log.descriptions import ask_for_descriptions, spent_on_descriptions

        if self.vision_chat is None:
            raise MunimentError("input.invalid", "MUNIMENT_VISION sets up no model that describes images")
        records = await ask_for_descriptions(self.database, tenant, describer_of(self.vision_chat))
        tokens, calls = await spent_on_descriptions(self.database, tenant)
        budget = self.settings.vision_budget
        return ExtractionRequest(method="vision", records=records, tokens=tokens, calls=calls, budget=budget)

    async def validate(self, tenant: int, *, checkpoint: str | None = None) -> ValidationReport:
        """Checks the tenant's log and projections, also against a checkpoint kept outside."""
        from muniment.derivation.summaries.checking import check_summaries
        from muniment.jobs.rederiving import outdated_derivations, told_outdated
        from muniment.log.validate import validate

        report = await validate(self.database, tenant, checkpoint=checkpoint, model_no=self.model_no)
        report.notes += told_outdated(await outdated_derivations(self.database, tenant))
        return await check_summaries(self.database, tenant, report, self.model_no)


@asynccontextmanager
async def open_runtime(settings: Settings, *, run_jobs: bool) -> AsyncIterator[Runtime]:
    """Opens the store that the settings name, and closes all of it at the end, also when opening fails half way.

    The database is started and migrated first, so that any error is one of ``store.*``, ``provider.*`` or
    ``queue.invalid``. With ``run_jobs`` jobs of all tenants run in the background, and the embedding model is loaded
    there; where a Redis is configured they are handed to it instead, unless ``settings.run_jobs_here`` says that they
    run here too. Without ``run_jobs`` they run in ``runner.drain()``.
    """
    from muniment.log.replaying import replay_erasures
    from muniment.log.writer import Writer
    from muniment.retrieval.engine import Retriever

    async with AsyncExitStack() as opened:
        prepared = await _prepare(settings)
        opened.callback(prepared.close)
        if prepared.server is not None:
            prepared.server.start_watching()
        database = Database(prepared.app_url, settings)
        opened.push_async_callback(database.close)
        opened.push_async_callback(settle_uses, database)
        await database.check()
        models = await _open_models(opened, database, settings)
        tenant = await default_tenant(database)
        await replay_erasures(database)
        await replay_departures(database, prepared.admin_url)
        runner = _runner_of(prepared, database, settings, models)
        opened.push_async_callback(runner.stop)
        if run_jobs:
            await _run_jobs(opened, database, settings, models.embedder, runner, tenant)
        embedder, model_no = models.embedder, models.model_no
        writer = Writer(database, embedder, model_no, settings)
        replica = await _open_replica(opened, database, settings)
        retriever = Retriever(database, embedder, model_no, settings, chat=models.chat, replica=replica)
        yield Runtime(
            settings,
            prepared,
            database,
            embedder,
            model_no,
            writer,
            retriever,
            runner,
            JobWatch(database),
            tenant,
            models.extraction_chat,
            models.summary_chat,
            replica,
            models.vision_chat,
        )


@dataclass(frozen=True, slots=True)
class _Models:
    """What the settings set up to embed, answer, extract facts, summarize and describe images; each may be None."""

    embedder: Embedder | None
    model_no: int | None
    chat: ChatModel | None
    extraction_chat: ChatModel | None
    summary_chat: ChatModel | None
    vision_chat: ChatModel | None


async def _open_models(opened: AsyncExitStack, database: Database, settings: Settings) -> _Models:
    """The models, to be closed with the rest."""
    embedder = open_embedder(settings)
    model_no: int | None = None
    if embedder is not None:
        opened.push_async_callback(embedder.close)
        model_no = await register_model(database, embedder)
    chats: list[ChatModel | None] = []
    for open_one in (open_chat, open_extraction_chat, open_summary_chat, open_vision_chat):
        chat = open_one(settings)
        if chat is not None:
            opened.push_async_callback(chat.close)
        chats.append(chat)
    return _Models(embedder, model_no, *chats)


def _runner_of(prepared: PreparedDatabase, database: Database, settings: Settings, models: _Models) -> JobRunner:
    return JobRunner(
        database,
        handlers_for(
            embedding=models.embedder is not None,
            administrator=prepared.admin_url is not None,
            extraction=models.extraction_chat is not None,
            vision=models.vision_chat is not None,
        ),
        settings,
        embedder=models.embedder,
        model_no=models.model_no,
        admin_url=prepared.admin_url,
        chat=models.extraction_chat,
        summary_chat=models.summary_chat,
        vision_chat=models.vision_chat,
        revive=None if prepared.server is None else prepared.server.ensure_running,
    )


async def _run_jobs(
    opened: AsyncExitStack, database: Database, settings: Settings, embedder: Embedder | None, runner: JobRunner,
    tenant: Tenant,
) -> None:  # fmt: skip
    """Starts what works in the background, to be stopped with the rest: here, or through Redis elsewhere."""
    _start_watchdog(opened, database, settings)
    if embedder is not None:
        await resume(database, tenant.number)
        warming = asyncio.create_task(_warm(embedder))
        opened.callback(warming.cancel)
    if settings.redis_url is not None:
        await _start_relay(opened, database, settings)
    if settings.runs_jobs:
        await runner.start()


async def _open_replica(opened: AsyncExitStack, database: Database, settings: Settings) -> Replica | None:
    """The replica that the settings name, watched until the rest is closed."""
    url = replica_url(settings)
    if url is None:
        return None
    replica = Replica(url, database, settings)
    opened.push_async_callback(replica.close)
    await replica.start()
    _start_watchdog(opened, replica.database, settings)  # logins may sign in there too
    return replica


@asynccontextmanager
async def open_worker(settings: Settings) -> AsyncIterator[Runtime]:
    """The store, with jobs taken from Redis and run here for as long as it is open; raises as ``open_runtime``."""
    from muniment.jobs.redis_queue import redis_settings
    from muniment.jobs.worker import JobWorker

    redis_settings(settings)  # what cannot be used is told before anything is opened
    async with AsyncExitStack() as opened:
        runtime = await opened.enter_async_context(open_runtime(settings, run_jobs=False))
        admin_url = runtime.prepared.admin_url
        handlers = handlers_for(
            embedding=runtime.embedder is not None,
            administrator=admin_url is not None,
            extraction=runtime.extraction_chat is not None,
            vision=runtime.vision_chat is not None,
        )
        context = JobContext(
            runtime.database,
            settings,
            runtime.embedder,
            runtime.model_no,
            admin_url,
            chat=runtime.extraction_chat,
            summary_chat=runtime.summary_chat,
            vision_chat=runtime.vision_chat,
        )
        opened.callback(configure_tracing(settings, "muniment-worker"))
        await opened.enter_async_context(serve_metrics(settings, runtime.database, HANDLERS))
        worker = JobWorker(context, handlers)
        if runtime.embedder is not None:
            await _warm(runtime.embedder)
        await _start_relay(opened, runtime.database, settings)
        _start_watchdog(opened, runtime.database, settings)
        opened.push_async_callback(worker.stop)
        await worker.start()
        yield runtime


async def _start_relay(opened: AsyncExitStack, database: Database, settings: Settings) -> None:
    """Starts handing jobs to Redis, to be stopped with the rest."""
    from muniment.jobs.redis_queue import redis_settings
    from muniment.jobs.relay import JobRelay  # late: without Redis nobody waits for the import

    redis_settings(settings)
    relay = JobRelay(database, settings, sorted(HANDLERS))
    opened.push_async_callback(relay.stop)
    await relay.start()


def _start_watchdog(opened: AsyncExitStack, database: Database, settings: Settings) -> None:
    """Starts looking after SQL logins, to be stopped with the rest."""
    watchdog = SqlWatchdog(database, settings)
    opened.push_async_callback(watchdog.stop)
    watchdog.start()


async def _warm(embedder: Embedder) -> None:
    with suppress(MunimentError):  # whoever embeds first is told
        await embedder.warm()


async def _prepare(settings: Settings) -> PreparedDatabase:
    """``setup.prepare`` in a thread; cancelled meanwhile, what it then opens is closed again."""
    preparing = asyncio.ensure_future(asyncio.to_thread(prepare, settings))
    try:
        return await asyncio.shield(preparing)
    except asyncio.CancelledError:
        preparing.add_done_callback(_close_unused)
        raise


def _close_unused(preparing: "asyncio.Future[PreparedDatabase]") -> None:
    if not preparing.cancelled() and preparing.exception() is None:
        preparing.result().close()
