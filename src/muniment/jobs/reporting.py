"""The job ``report``: computes the operators' dashboards anew.

It is about all tenants; it is queued as the default tenant's, of whom there is one in a store. Every process that looks
after the queue asks for it a minute after its start, and then every ``settings.ops_period`` seconds; several at once do
no more than one.
"""

from typing import Any, Final

from muniment.database.pool import Database
from muniment.database.queries import query
from muniment.jobs.context import JobContext
from muniment.queue import enqueue

KIND: Final = "report"


async def report(context: JobContext, tenant: int, _arguments: dict[str, Any]) -> dict[str, Any]:
    """Refreshes the materialized views of the schema ops."""
    async with context.database.scope(tenant, seconds=context.settings.write_timeout) as scope:
        await scope.execute("ops.refresh")
    return {}


async def schedule_report(database: Database) -> None:
    """Puts the job into the queue. Raises ``store.*``."""
    async with database.transaction() as connection:
        tenant = (await connection.execute(query("tenants.default_number"))).scalar()
    if tenant is None:
        return
    async with database.scope(tenant) as scope:
        await enqueue(scope, KIND, {}, dedup=KIND, priority=-2)
