"""A login that floods the server's queue of notifications, and one that keeps it from emptying: jobs still come in."""

from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import pytest
from psycopg import errors
from psycopg.sql import SQL, Literal

from muniment.database.embedded import EmbeddedServer
from muniment.database.migrate import migrate
from muniment.database.pool import Database
from muniment.database.setup import driver_conninfo
from muniment.errors import MunimentError
from muniment.model.sql_logins import SqlLoginRequest
from muniment.queue import enqueue
from muniment.settings import Settings
from muniment.tenancy.sql_logins import create_login
from muniment.tenancy.sql_watchdog import SqlWatchdog
from muniment.tenancy.tenants import create_tenant


@pytest.fixture
async def small(tmp_path: Path) -> AsyncIterator[EmbeddedServer]:
    """A server whose queue of notifications is the smallest that there is: 64 pages of 8 KiB."""
    with EmbeddedServer(tmp_path / "store", {"fsync": "off", "max_notify_queue_pages": "64"}) as server:
        migrate(server.url(database="postgres"))
        yield server


async def test_a_flood_of_notifications_stops_no_job(small: EmbeddedServer, settings: Settings) -> None:
    url = small.url(database="postgres")
    database = Database(small.url("muniment_app", "postgres"), settings)
    watchdog = SqlWatchdog(database, settings)
    tenant = (await create_tenant(database, "one")).number
    made = await create_login(database, url, tenant, SqlLoginRequest(), seconds=60)
    conninfo = driver_conninfo(small.url(made.name, "postgres"))
    with psycopg.connect(conninfo, autocommit=True) as holding, psycopg.connect(conninfo) as flooding:
        holding.execute("listen flood")
        holding.execute("begin")
        holding.execute("select 1")
        flooding.autocommit = True
        flood = SQL("notify flood, {}").format(Literal("x" * 7900))
        with pytest.raises(errors.ProgramLimitExceeded, match="too many notifications"):
            for _ in range(1000):
                flooding.execute(flood)
        with pytest.raises(MunimentError):
            await _enqueue(database, tenant, "before")
        assert await watchdog.look() == 1
        with pytest.raises(psycopg.OperationalError):
            holding.execute("select 1")
        await watchdog.look()  # which also lets the queue forget what everybody has read
        await _enqueue(database, tenant, "after")
        flooding.execute(flood)
    await database.close()


async def _enqueue(database: Database, tenant: int, dedup: str) -> None:
    async with database.scope(tenant) as scope:
        await enqueue(scope, "merge", {}, dedup=dedup)
