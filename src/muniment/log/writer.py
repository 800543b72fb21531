"""The writer: what enters the log enters here, a source or a batch of messages at a time, each whole or not at all."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from muniment.database.numbers import allocate
from muniment.database.pool import Database
from muniment.database.spaces import intern_space
from muniment.errors import MunimentError
from muniment.log import idempotency
from muniment.log.admission import AdmittedMessage, admit_idempotency_key, admit_messages, admit_name, content_hash
from muniment.log.attempts import persist
from muniment.log.batches import Batch
from muniment.log.idempotency import Claim
from muniment.log.ingestion import SourceIngestion
from muniment.log.lifecycle import correct
from muniment.log.messages import Numbers, number_batch, store_batch
from muniment.log.recognition import Incoming, recognise
from muniment.log.runs import AlreadyFinished, Ticket, find_run, get_run, read_runs
from muniment.log.screening import screen_messages, screen_of, screen_sources
from muniment.log.vectors import Embedding, Wait, embed_early
from muniment.model.identifiers import RUN, parse_id
from muniment.model.lifecycle import LifecycleEvent
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.source import IngestionRun, SourceInput
from muniment.providers.embedding import Embedder
from muniment.settings import Settings

_Result = TypeVar("_Result")
_THREAD_FROM: Final = 64  # messages; below, a thread costs more than it frees
_POLLS: Final = (0.02, 0.05, 0.1, 0.2, 0.5)  # seconds between looks; the last repeats


class Writer:
    """Writes into the logs of all tenants through one pool. Safe to use from many tasks at once."""

    def __init__(self, database: Database, embedder: Embedder | None, model_no: int | None, settings: Settings) -> None:
        """Without an embedder records are found by their words only, and nothing waits for vectors."""
        self.database = database
        self.settings = settings
        self._embedding = Embedding(embedder, model_no)

    async def ingest_sources(
        self,
        tenant: int,
        namespace: Namespace,
        sources: Sequence[SourceInput],
        *,
        idempotency_key: str | None = None,
        wait: Wait = "default",
        run: str | None = None,
        more: bool = False,
        upload: bytes | None = None,
    ) -> IngestionRun:
        """Ingests sources, each alone: one that fails leaves the others be, and can be retried.

        What is inside a source, as in an archive, is a source of its own and an item behind those of the request. With
        ``run`` they are added to that run, which is given back with the items of this request only. With ``more`` the
        run has no end yet: others follow, of which the last does not say so. ``upload`` are the bytes of the only
        source, which then has no other content.

        ``tenant`` is the tenant's number. ``wait`` says what is done on return: ``lexical`` found by words,
        ``indexed`` by meaning too (for at most ``settings.index_wait_timeout`` seconds), ``default`` both for small
        input. Raises ``input.invalid``, ``input.too_many``, ``run.not_found``, ``idempotency.*`` and, where not even a
        failure could be written, ``store.*``.
        """
        self._check_sources(sources, idempotency_key)
        self.database.usage.count(tenant)  # so that what is stored is added up
        screen = await screen_of(self.database, tenant)
        refusals: list[MunimentError | None] = [None] * len(sources)
        if screen is not None:
            screen.name(idempotency_key, "Idempotency-Key")
            screened = await screen_sources(screen, sources)
            sources, refusals = [source for source, _ in screened], [error for _, error in screened]
        idempotency_key = idempotency.of_pin(idempotency_key)
        space = await persist(lambda: intern_space(self.database, tenant, namespace))
        ingestion = SourceIngestion(self.database, tenant, space, namespace, self._embedding, wait, screen)
        if run is not None:
            return await self._add_to_run(
                tenant, space, ingestion, namespace, sources, refusals, run, more, upload, idempotency_key
            )
        request = await _off_the_loop(len(upload or b""), _sources_hash, namespace, sources, upload, None, more)
        run_no = (await persist(lambda: allocate(self.database, tenant, "run")))[0]
        claimed = await self._claim(tenant, space, idempotency_key, request, run_no)
        async with idempotency.held(self.database, tenant, idempotency_key, claimed, release=False):
            if claimed.state != "finished":
                await self.database.quotas.require_room(tenant)
            run_id = await ingestion.open_run(claimed.run_no, len(sources), more)
            if claimed.state != "finished":
                done = await ingestion.finished_items(claimed.run_no) if claimed.state == "resumed" else set()
                for index, source in enumerate(sources):
                    if index not in done:
                        await ingestion.ingest(source, Ticket(claimed.run_no, index), refusals[index], upload)
                await self._finish(tenant, idempotency_key)
        if wait == "indexed":
            await self._until_indexed(tenant, run_id)
        return await self._read(tenant, claimed.run_no)

    async def ingest_messages(
        self,
        tenant: int,
        namespace: Namespace,
        messages: Sequence[Message],
        *,
        group_id: str,
        idempotency_key: str | None = None,
        wait: Wait = "default",
    ) -> IngestionRun:
        """Ingests messages into the conversation ``group_id``, all of them or none.

        Raises, with the ``index`` of the message at fault, the codes of ``admit_messages`` and
        ``input.message_invalid``; also ``source.key_taken``, ``idempotency.*`` and ``store.*``.
        """
        admit_name(group_id, "group_id")
        if idempotency_key is not None:
            admit_idempotency_key(idempotency_key)
        self.database.usage.count(tenant)  # so that what is stored is added up
        screen = await screen_of(self.database, tenant)
        if screen is not None:
            screen.name(idempotency_key, "Idempotency-Key")
            messages = await screen_messages(screen, messages, group_id)
        idempotency_key = idempotency.of_pin(idempotency_key)
        admitted = await _off_the_loop(len(messages), admit_messages, messages, self.settings)
        numbers = await persist(lambda: number_batch(self.database, tenant, namespace, group_id, len(messages)))
        request = b""
        if idempotency_key is not None:
            request = await _off_the_loop(len(messages), _messages_hash, namespace, group_id, messages)
        claimed = await self._claim(tenant, numbers.space, idempotency_key, request, numbers.run_no)
        numbers = replace(numbers, run_no=claimed.run_no)
        run: IngestionRun | None = None
        async with idempotency.held(self.database, tenant, idempotency_key, claimed, release=True):
            if claimed.state != "finished":
                await self.database.quotas.require_room(tenant)
                async with self.database.traffic.write(tenant):
                    batch = await self._batch(tenant, namespace, group_id, admitted, wait)
                    run = await self._store_batch(tenant, namespace, batch, numbers, idempotency_key)
        if run is None:
            run = await self._read(tenant, claimed.run_no)
        if wait == "indexed":
            await self._until_indexed(tenant, run.id)
        return run

    async def correct(self, tenant: int, record_id: str, text: str, *, reason: str) -> LifecycleEvent:
        """Puts a correction in the place of a record; raises what ``lifecycle.correct`` raises."""
        screen = await screen_of(self.database, tenant)
        marks: dict[str, bool] = {}
        if screen is not None:
            screen.name(reason, "reason")
            text = screen.text(text, "text")
            marks = screen.marks([text])
        return await correct(self.database, tenant, self._embedding, record_id, text, reason, marks)

    async def retry(self, tenant: int, run_id: str) -> IngestionRun:
        """Tries the failed items of a run again, from the bytes that were kept.

        Raises ``run.not_found``, and ``source.retry_impossible`` where no item failed or nothing of any was kept.
        """
        async with self.database.scope(tenant) as scope:
            number = await find_run(scope, run_id)
            row = (await scope.rows("runs.read", runs=[number]))[0]
            failed = await scope.rows("runs.failed", run_no=number)
        namespace = Namespace(project_id=row["project_id"], user_id=row["user_id"], agent_id=row["agent_id"])
        screen = await screen_of(self.database, tenant)
        ingestion = SourceIngestion(
            self.database, tenant, row["space_id"], namespace, self._embedding, "default", screen
        )
        possible = [item for item in failed if ingestion.can_retry(item)]
        if not possible:
            raise MunimentError(
                "source.retry_impossible", "no item of this run failed with its input kept", run_id=run_id
            )
        for item in possible:
            await ingestion.retry(item, Ticket(number, item["item_no"], item["attempts"]))
        return await get_run(self.database, tenant, run_id)

    async def _add_to_run(
        self, tenant: int, space: int, ingestion: SourceIngestion, namespace: Namespace, sources: Sequence[SourceInput],
        refusals: Sequence[MunimentError | None], run: str, more: bool, upload: bytes | None, key: str | None,
    ) -> IngestionRun:  # fmt: skip
        """Ingests sources as further items of a run; without a key the second time finds their contents unchanged."""
        request = b""
        if key is not None:
            request = await _off_the_loop(len(upload or b""), _sources_hash, namespace, sources, upload, run, more)
        async with self.database.scope(tenant) as scope:
            number = await find_run(scope, run)
        claimed = await self._claim_addition(tenant, space, key, request, number, ingestion, len(sources), more)
        async with idempotency.held(self.database, tenant, key, claimed, release=False):
            if claimed.state != "finished":
                done = await ingestion.finished_items(number) if claimed.state == "resumed" else set()
                for item, (source, refusal) in enumerate(zip(sources, refusals, strict=True), claimed.first):
                    if item not in done:
                        await ingestion.ingest(source, Ticket(number, item), refusal, upload)
                await self._finish(tenant, key)
        return await self._read(tenant, number, claimed.first)

    async def _claim_addition(
        self, tenant: int, space: int, key: str | None, request: bytes, run_no: int, ingestion: SourceIngestion,
        items: int, more: bool,
    ) -> Claim:  # fmt: skip
        tries = 0

        async def attempt() -> Claim:
            nonlocal tries
            tries += 1
            return await idempotency.claim_addition(
                self.database, tenant, key, space, request, run_no,
                lambda scope: ingestion.make_room(scope, run_no, items, more), again=tries > 1,
            )  # fmt: skip

        return await persist(attempt)

    def _check_sources(self, sources: Sequence[SourceInput], idempotency_key: str | None) -> None:
        if idempotency_key is not None:
            admit_idempotency_key(idempotency_key)
        if not sources:
            raise MunimentError("input.invalid", "there are no sources")
        limit = self.settings.max_sources_per_request
        if len(sources) > limit:
            raise MunimentError(
                "input.too_many",
                f"the request has {len(sources)} sources, the limit is {limit}",
                limit=limit,
                setting="MUNIMENT_MAX_SOURCES_PER_REQUEST",
                count=len(sources),
            )

    async def _claim(self, tenant: int, space: int, key: str | None, request: bytes, run_no: int) -> Claim:
        return await persist(lambda: idempotency.claim(self.database, tenant, key, space, request, run_no))

    async def _batch(
        self, tenant: int, namespace: Namespace, group_id: str, messages: Sequence[AdmittedMessage], wait: Wait
    ) -> Batch:
        said = [Incoming(each.content, each.speaker, each.role, each.metadata) for each in messages]
        served = await recognise(self.database, tenant, namespace, said)
        texts = [message.content for message in messages[: self.settings.embed_inline_limit + 1]]
        return Batch(group_id, messages, await embed_early(self._embedding, texts, wait, self.settings), served)

    async def _store_batch(
        self, tenant: int, namespace: Namespace, batch: Batch, numbers: Numbers, key: str | None
    ) -> IngestionRun | None:
        """The run, or None where it had been written before: by a try whose answer was lost, or another process."""
        try:
            return await persist(
                lambda: store_batch(self.database, tenant, namespace, batch, numbers, self._embedding, key)
            )
        except AlreadyFinished:
            await self._finish(tenant, key)
            return None

    async def _finish(self, tenant: int, key: str | None) -> None:
        if key is None:
            return

        async def attempt() -> None:
            async with self.database.scope(tenant) as scope:
                await idempotency.finish(scope, key)

        await persist(attempt)

    async def _read(self, tenant: int, run_no: int, first: int = 0) -> IngestionRun:
        async with self.database.scope(tenant) as scope:
            return (await read_runs(scope, [run_no], with_ids=True, first=first))[0]

    async def _until_indexed(self, tenant: int, run_id: str) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.settings.index_wait_timeout
        for poll in range(10**9):
            async with self.database.scope(tenant) as scope:
                if not await scope.value("runs.waits_for_vectors", run_id=parse_id(RUN, run_id)):
                    return
            if loop.time() > deadline:
                return
            await asyncio.sleep(_POLLS[min(poll, len(_POLLS) - 1)])


async def _off_the_loop(size: int, work: Callable[..., _Result], *arguments: Any) -> _Result:
    """The result of CPU work, which a thread does where it is much."""
    return work(*arguments) if size < _THREAD_FROM else await asyncio.to_thread(work, *arguments)


def _sources_hash(
    namespace: Namespace, sources: Sequence[SourceInput], upload: bytes | None, run: str | None, more: bool
) -> bytes:
    absent = [{name for name in ("language", "commit") if getattr(source, name) is None} for source in sources]
    request: dict[str, Any] = {
        "sources": [source.model_dump(exclude=without) for source, without in zip(sources, absent, strict=True)],
        "namespace": namespace.model_dump(),
    }
    if upload is not None:
        request["upload"] = content_hash(upload).hex()
    if run is not None:
        request["run"] = run
    if more:  # the same without it ends the run, which is another request
        request["more"] = True
    return idempotency.request_hash(request)


def _messages_hash(namespace: Namespace, group_id: str, messages: Sequence[Message]) -> bytes:
    request: dict[str, Any] = {
        "namespace": namespace.model_dump(),
        "group_id": group_id,
        "messages": [
            message.model_dump(exclude={"language"} if message.language is None else None) for message in messages
        ],
    }
    return idempotency.request_hash(request)
