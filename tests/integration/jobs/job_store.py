"""What the tests of running jobs share: the job tables as they stand, and short forms of putting and waiting."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from sqlalchemy import create_engine, text

from muniment.database.pool import Database
from muniment.jobs.context import Handler, JobContext
from muniment.queue import enqueue
from muniment.tenancy.tenants import Tenant

Ran = list[tuple[int, Any]]


class Store:
    """The job tables as the administrator sees them."""

    def __init__(self, admin_url: str) -> None:
        self._engine = create_engine(admin_url)

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        with self._engine.begin() as connection:
            result = connection.execute(text(statement))
            return [tuple(row) for row in result] if result.returns_rows else []

    def queue(self) -> list[tuple[Any, ...]]:
        return self.rows("select kind, state, attempts from muniment_jobs.queue order by enqueued_at")

    def jobs(self) -> list[tuple[Any, ...]]:
        return self.rows(
            "select kind, result, error, finished_at is not null from muniment.job order by created_at, job_id"
        )

    def close(self) -> None:
        self._engine.dispose()


def recording(ran: Ran) -> Handler:
    async def handler(_context: JobContext, tenant: int, arguments: dict[str, Any]) -> dict[str, Any]:
        ran.append((tenant, arguments["n"]))
        return {"seen": arguments["n"]}

    return handler


async def until(condition: Callable[[], object], seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        await asyncio.sleep(0.01)


async def put(database: Database, tenant: Tenant, kind: str = "note", n: int = 1, **options: Any) -> Any:
    async with database.scope(tenant.number) as scope:
        return await enqueue(scope, kind, {"n": n}, **options)
