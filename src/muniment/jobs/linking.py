"""The job ``link``: similarity edges of records that have their vectors."""

from typing import Any, Final

from muniment.jobs.context import JobContext
from muniment.jobs.embedding import embedding_model
from muniment.jobs.indexing import enqueue_index

BATCH: Final = 32  # records a statement, each of which searches its space once


async def link(context: JobContext, tenant: int, arguments: dict[str, Any]) -> dict[str, Any]:
    """Links ``arguments["records"]`` with their nearest; edges that are there stay.

    Every new vector comes by here, so this is also where a tenant is seen to need a vector index.
    """
    _, model_no = embedding_model(context)
    records: list[int] = sorted(arguments["records"])
    edges = 0
    for start in range(0, len(records), BATCH):
        async with context.database.scope(tenant, seconds=context.settings.write_timeout) as scope:
            edges += await scope.value("graph.link", model=model_no, records=records[start : start + BATCH])
        await context.progress(min(start + BATCH, len(records)), len(records))
    async with context.database.scope(tenant) as scope:
        await enqueue_index(scope, context, model_no)
    return {"edges": edges}
