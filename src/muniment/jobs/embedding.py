"""The job ``embed``: vectors for records that were stored without."""

from collections.abc import Sequence
from typing import Any, Final

from muniment.database.pool import Database
from muniment.database.vectors import PendingText, store_pending_vectors, take_pending, take_texts
from muniment.jobs.context import JobContext
from muniment.log.stale_summaries import enqueue_summaries
from muniment.providers.embedding import Embedder
from muniment.queue import enqueue

BATCH: Final = 128  # records a transaction; a runner that dies repeats at most these


def embedding_model(context: JobContext) -> tuple[Embedder, int]:
    """The embedder and its model number; a job that needs them runs nowhere else."""
    if context.embedder is None or context.model_no is None:
        raise RuntimeError("this process has no embedding model")
    return context.embedder, context.model_no


async def embed(context: JobContext, tenant: int, arguments: dict[str, Any]) -> dict[str, Any]:
    """Embeds ``arguments["records"]``, or where that is missing all that waits, and enqueues their ``link``.

    A record that has its vector already is left out, so that a second run costs a look.
    """
    records: list[int] | None = arguments.get("records")
    embedded = 0
    if records is None:
        while pending := await _pending(context, tenant):
            embedded += await _store(context, tenant, pending)
            await context.progress(embedded, None)
    else:
        for start in range(0, len(records), BATCH):
            lacking = await _lacking(context, tenant, records[start : start + BATCH])
            embedded += await _store(context, tenant, lacking)
            await context.progress(min(start + BATCH, len(records)), len(records))
    return {"embedded": embedded}


async def resume(database: Database, tenant: int) -> None:
    """Enqueues a sweep where records of the tenant wait for vectors that no job is to make."""
    async with database.scope(tenant) as scope:
        if await scope.value("jobs.orphans_wait"):
            await enqueue(scope, "embed", {}, dedup="sweep")


async def _pending(context: JobContext, tenant: int) -> list[PendingText]:
    _, model_no = embedding_model(context)
    async with context.database.scope(tenant) as scope:
        return await take_pending(scope, model_no, BATCH)


async def _lacking(context: JobContext, tenant: int, records: Sequence[int]) -> list[PendingText]:
    _, model_no = embedding_model(context)
    async with context.database.scope(tenant) as scope:
        return await take_texts(scope, model_no, records)


async def _store(context: JobContext, tenant: int, pending: Sequence[PendingText]) -> int:
    if not pending:
        return 0
    embedder, model_no = embedding_model(context)
    vectors = await embedder.embed([row.text for row in pending], background=True)
    async with context.database.scope(tenant, seconds=context.settings.write_timeout) as scope:
        await store_pending_vectors(scope, model_no, pending, vectors)
        await enqueue(scope, "link", {"records": [row.record_no for row in pending]})
        if context.settings.summaries != "off":  # where topics shift is seen by vectors
            await scope.execute("summaries.mark", records=[row.record_no for row in pending])
            await enqueue_summaries(scope)
    return len(pending)
