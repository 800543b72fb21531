"""The watchdog: what SQL logins do for too long is ended, whatever they set; nobody else is."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from typing import LiteralString

import psycopg
import pytest
from psycopg import errors
from sqlalchemy import make_url

from muniment.database.pool import Database
from muniment.database.setup import driver_conninfo
from muniment.model.sql_logins import SqlLoginRequest
from muniment.runtime import open_runtime
from muniment.settings import Settings
from muniment.tenancy.sql_logins import create_login, drop_login
from muniment.tenancy.sql_watchdog import SqlWatchdog
from muniment.tenancy.tenants import Tenant

Connect = Callable[[], psycopg.Connection]


@pytest.fixture
async def login(database: Database, tenant: Tenant, admin_url: str) -> AsyncIterator[str]:
    made = await create_login(database, admin_url, tenant.number, SqlLoginRequest(), seconds=60)
    yield made.name
    await drop_login(database, admin_url, tenant.number, made.name)


@pytest.fixture
def connect(login: str, admin_url: str) -> Connect:
    """Opens a session of the login that has lifted each limit which it can."""

    def open_session() -> psycopg.Connection:
        connection = psycopg.connect(driver_conninfo(make_url(admin_url).set(username=login)), autocommit=True)
        for name in ("statement_timeout", "transaction_timeout", "idle_in_transaction_session_timeout"):
            connection.execute(f"set {name} = 0".encode())
        return connection

    return open_session


def _watchdog(database: Database, settings: Settings, *, statement: float, transaction: float = 1000) -> SqlWatchdog:
    limits = {"sql_login_statement_limit": statement, "sql_login_transaction_limit": transaction}
    return SqlWatchdog(database, settings.model_copy(update=limits))


class _Busy:
    """A statement that runs in a session of its own, and what became of it."""

    def __init__(self, connection: psycopg.Connection, statement: LiteralString) -> None:
        self.connection = connection
        self.failed: psycopg.Error | None = None
        self._thread = threading.Thread(target=self._run, args=(statement,))
        self._thread.start()

    def _run(self, statement: LiteralString) -> None:
        try:
            self.connection.execute(statement)
        except psycopg.Error as error:
            self.failed = error

    def ended(self) -> psycopg.Error | None:
        self._thread.join(timeout=30)
        assert not self._thread.is_alive()
        return self.failed


async def test_a_statement_over_the_limit_is_cancelled_and_a_session_that_goes_on_is_not_ended(
    database: Database, settings: Settings, connect: Connect
) -> None:
    with connect() as connection:
        busy = _Busy(connection, "select pg_sleep(60)")
        await asyncio.sleep(0.5)
        assert await _watchdog(database, settings, statement=100).look() == 0
        assert await _watchdog(database, settings, statement=0.2).look() == 1
        assert isinstance(busy.ended(), errors.QueryCanceled)
        assert connection.execute("select 1").fetchone() == (1,)


async def test_a_session_that_is_busy_well_beyond_the_limit_is_ended(
    database: Database, settings: Settings, connect: Connect
) -> None:
    with connect() as connection:
        busy = _Busy(connection, "select count(*) from generate_series(1, 100000000000)")
        await asyncio.sleep(0.5)
        assert await _watchdog(database, settings, statement=-5).look() == 1
        assert isinstance(busy.ended(), errors.AdminShutdown)


async def test_many_short_statements_do_not_stretch_a_transaction(
    database: Database, settings: Settings, connect: Connect
) -> None:
    with connect() as connection:
        connection.execute("begin")
        await asyncio.sleep(0.5)
        connection.execute("select 1")
        assert await _watchdog(database, settings, statement=100, transaction=0.3).look() == 1
        with pytest.raises(psycopg.OperationalError):
            connection.execute("select 1")


async def test_idling_in_a_transaction_ends_the_session_also_after_an_error(
    database: Database, settings: Settings, connect: Connect
) -> None:
    with connect() as connection, connect() as failed, connect() as idle:
        connection.execute("begin")
        failed.execute("begin")
        with pytest.raises(errors.DivisionByZero):
            failed.execute("select 1 / 0")
        await asyncio.sleep(0.5)
        assert await _watchdog(database, settings, statement=0.2).look() == 2
        for ended in (connection, failed):
            with pytest.raises(psycopg.OperationalError):
                ended.execute("select 1")
        assert idle.execute("select 1").fetchone() == (1,), "an open session that does nothing holds nothing"


async def test_an_expired_login_is_shown_out(
    database: Database, settings: Settings, tenant: Tenant, admin_url: str
) -> None:
    end = datetime.now(UTC) + timedelta(seconds=0.5)
    made = await create_login(database, admin_url, tenant.number, SqlLoginRequest(valid_until=end), seconds=60)
    with psycopg.connect(driver_conninfo(make_url(admin_url).set(username=made.name))) as connection:
        await asyncio.sleep(0.6)
        assert await _watchdog(database, settings, statement=100).look() == 1
        with pytest.raises(psycopg.OperationalError):
            connection.execute("select 1")
    await drop_login(database, admin_url, tenant.number, made.name)


async def test_nobody_but_the_logins_of_the_store_is_ended(
    database: Database, settings: Settings, connect: Connect, admin_url: str, app_url: str
) -> None:
    with (
        psycopg.connect(driver_conninfo(app_url)) as app,
        psycopg.connect(driver_conninfo(admin_url)) as administrator,
        connect(),
    ):
        app.execute("select 1")
        administrator.execute("select 1")
        await asyncio.sleep(0.4)
        assert await _watchdog(database, settings, statement=0.1, transaction=0.1).look() == 0
        assert app.execute("select 1").fetchone() == administrator.execute("select 1").fetchone() == (1,)


async def test_a_service_watches_by_itself(settings: Settings) -> None:
    changes = {
        "embedding_provider": "none",
        "sql_login_statement_limit": 0.2,
        "sql_login_period": 0.2,
    }
    async with open_runtime(settings.model_copy(update=changes), run_jobs=True) as runtime:
        admin_url = runtime.prepared.admin_url
        made = await create_login(runtime.database, admin_url, runtime.tenant.number, SqlLoginRequest(), seconds=60)
        assert made.gaps == [], "the embedded server forbids all that it should"
        assert runtime.prepared.server is not None
        with psycopg.connect(driver_conninfo(runtime.prepared.server.url(user=made.name))) as connection:
            connection.execute("set statement_timeout = 0")
            failed = await _in_thread(connection, "select pg_sleep(60)")
        assert isinstance(failed, errors.QueryCanceled)
        for other in ("postgres", "template1"):
            with pytest.raises(psycopg.OperationalError, match="permission denied"):
                psycopg.connect(driver_conninfo(runtime.prepared.server.url(user=made.name, database=other)))


async def _in_thread(connection: psycopg.Connection, statement: LiteralString) -> psycopg.Error | None:
    return await asyncio.to_thread(_Busy(connection, statement).ended)
