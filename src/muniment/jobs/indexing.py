"""The job ``vector_index``: the HNSW index of a tenant that has outgrown the exact scan of its vectors."""

from typing import Any, Final

from muniment.database.pool import Scope
from muniment.database.vector_index import ensure_index, index_lacking
from muniment.jobs.context import JobContext
from muniment.queue import enqueue

KIND: Final = "vector_index"


async def index_vectors(context: JobContext, tenant: int, arguments: dict[str, Any]) -> dict[str, Any]:
    """Builds the index of ``arguments["model"]`` where it is still wanted; ``store.busy`` while another is built.

    Cut short, it leaves an index that no search uses and that the next attempt replaces.
    """
    built = await ensure_index(context.database, context.admin_url, tenant, arguments["model"], patience=0.0)
    return {"built": built}


async def enqueue_index(scope: Scope, context: JobContext, model_no: int) -> None:
    """Enqueues the job where the scope's tenant needs an index; once, however many writes find that out."""
    if await index_lacking(scope, model_no, context.settings.vector_exact_limit):
        await enqueue(scope, KIND, {"model": model_no}, dedup=f"model {model_no}")
