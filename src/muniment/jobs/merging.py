"""The job ``merge``: the tail of a space's postings, packed into blocks."""

from typing import Any, Final

from muniment.jobs.context import JobContext

BLOCK_DOCUMENTS: Final = 256  # of a term in one block; from here on PostgreSQL compresses it to less than half


async def merge(context: JobContext, tenant: int, arguments: dict[str, Any]) -> dict[str, Any]:
    """Merges the tail of ``arguments["space"]`` until it is empty, each step in a transaction of its own."""
    space: int = arguments["space"]
    merged = 0
    while True:
        async with context.database.scope(tenant, seconds=context.settings.write_timeout) as scope:
            rows: int = await scope.value("jobs.merge_postings", space=space, block_documents=BLOCK_DOCUMENTS)
        merged += rows
        if rows == 0:
            return {"merged": merged}
