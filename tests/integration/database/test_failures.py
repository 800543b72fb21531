"""What a caller is told when the database fails, that nothing is half written then, and that the pool recovers."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url, text

from muniment.database.embedded import EmbeddedServer
from muniment.database.pool import Database
from muniment.database.setup import PreparedDatabase, driver_conninfo, prepare
from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant, create_tenant

SLEEP = text("select pg_sleep(60)")
LOCK = text("select pg_advisory_xact_lock(:key)")


@pytest.fixture
def superuser(admin_url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(driver_conninfo(admin_url), autocommit=True) as connection:
        yield connection


async def _write(database: Database, tenant: Tenant, space: int, then: object = None) -> None:
    """A transaction that writes a row and then runs a statement."""
    async with database.scope(tenant.number) as scope:
        await scope.execute("spaces.insert", space=space, project=f"p{space}", user=None, agent=None)
        if then is not None:
            await scope.connection.execute(then)  # type: ignore[call-overload]


async def _written(database: Database, tenant: Tenant) -> list[int]:
    async with database.scope(tenant.number) as scope:
        return [row["space_id"] for row in await scope.rows("spaces.visible", **_ANYWHERE)]


_ANYWHERE = {"project": None, "user": None, "agent": None, "shared": False}


@asynccontextmanager
async def _opened(url: str, settings: Settings, **changes: object) -> AsyncIterator[Database]:
    database = Database(url, settings.model_copy(update=changes))
    yield database
    await database.close()


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


# one statement fails ---------------------------------------------------------------------------------


async def test_a_statement_that_takes_too_long_is_cancelled(database: Database, tenant: Tenant) -> None:
    with pytest.raises(MunimentError, match="nothing was stored") as caught:
        async with database.scope(tenant.number, seconds=0.05) as scope:
            await scope.execute("spaces.insert", space=1, project="p1", user=None, agent=None)
            await scope.connection.execute(SLEEP)
    assert caught.value.code == "store.busy"
    assert await _written(database, tenant) == []


async def test_one_of_two_writers_that_wait_for_each_other_is_told_to_try_again(
    database: Database, tenant: Tenant, superuser: psycopg.Connection
) -> None:
    superuser.execute("alter role muniment_app set deadlock_timeout = '50ms'")
    try:
        locked = asyncio.Barrier(2)

        async def lock(first: int, second: int) -> str:
            try:
                async with database.scope(tenant.number) as scope:
                    await scope.connection.execute(LOCK, {"key": first})
                    await locked.wait()
                    await scope.connection.execute(LOCK, {"key": second})
            except MunimentError as error:
                return f"{error.code}: {error.detail}"
            return "done"

        ends = sorted(await asyncio.gather(lock(1, 2), lock(2, 1)))
    finally:
        superuser.execute("alter role muniment_app reset deadlock_timeout")
    assert ends == ["done", "store.busy: the database could not order the writes; nothing was stored"]


async def test_a_caller_who_goes_away_leaves_nothing_and_blocks_nobody(
    app_url: str, settings: Settings, superuser: psycopg.Connection
) -> None:
    async with _opened(app_url, settings, pool_size=1, pool_overflow=0, statement_timeout=20.0) as database:
        tenant = await create_tenant(database, "first")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await _write(database, tenant, 1, SLEEP)
        assert await _written(database, tenant) == []


async def test_an_error_of_a_statement_names_no_value_of_it(database: Database, tenant: Tenant) -> None:
    """Errors that nobody expected are logged; what tenants wrote must not be in them."""
    with pytest.raises(Exception) as caught:
        async with database.scope(tenant.number) as scope:
            await scope.connection.execute(text("select :content / 0"), {"content": 8675309})
    assert "8675309" not in str(caught.value)


# no connection ---------------------------------------------------------------------------------------


async def test_a_pool_that_is_all_in_use_is_busy(app_url: str, settings: Settings) -> None:
    async with _opened(app_url, settings, pool_size=1, pool_overflow=0, statement_timeout=0.2) as database:
        async with database.transaction():
            with pytest.raises(MunimentError, match="became free") as caught:
                async with database.transaction():
                    pass
        assert caught.value.code == "store.busy"
        async with database.transaction():
            pass


async def test_a_server_without_free_connections_is_unavailable_until_it_has_some(
    database: Database, superuser: psycopg.Connection
) -> None:
    superuser.execute("alter role muniment_app connection limit 0")
    try:
        with pytest.raises(MunimentError, match="cannot be used now") as caught:
            async with database.transaction():
                pass
    finally:
        superuser.execute("alter role muniment_app connection limit -1")
    assert caught.value.code == "store.unavailable"
    async with database.transaction():
        pass


async def test_a_server_that_is_not_there_is_unavailable(settings: Settings, tmp_path: Path) -> None:
    for url in (f"postgresql+psycopg://muniment_app@/x?host={tmp_path}", "postgresql+psycopg://a@127.0.0.1:1/x"):
        async with _opened(url, settings) as database:
            with pytest.raises(MunimentError) as caught:
                async with database.transaction():
                    pass
        assert caught.value.code == "store.unavailable"
        assert str(tmp_path) not in caught.value.detail


async def test_connections_that_an_administrator_ended_are_replaced_unseen(
    database: Database, tenant: Tenant, superuser: psycopg.Connection
) -> None:
    await _write(database, tenant, 1)
    superuser.execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'muniment_app'")
    assert await _written(database, tenant) == [1]


async def test_however_many_of_them_there_were(
    database: Database, tenant: Tenant, superuser: psycopg.Connection
) -> None:
    together = asyncio.Barrier(4)

    async def hold() -> None:
        async with database.scope(tenant.number):
            await together.wait()

    await asyncio.gather(*(hold() for _ in range(4)))
    superuser.execute("select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = 'muniment_app'")
    await asyncio.gather(*(hold() for _ in range(4)))
    async with database.transaction() as connection:
        assert (await connection.execute(text("select 1"))).scalar() == 1


async def test_a_transaction_that_an_administrator_ended_stores_nothing(
    database: Database, tenant: Tenant, superuser: psycopg.Connection
) -> None:
    end = text("select pg_terminate_backend(pg_backend_pid())")
    with pytest.raises(MunimentError, match="nothing was stored") as caught:
        await _write(database, tenant, 1, end)
    assert caught.value.code == "store.unavailable"
    assert await _written(database, tenant) == []


async def test_a_commit_without_an_answer_claims_nothing(
    database: Database, tenant: Tenant, superuser: psycopg.Connection
) -> None:
    with pytest.raises(MunimentError, match="unknown") as caught:
        async with database.scope(tenant.number) as scope:
            await scope.execute("spaces.insert", space=1, project="p1", user=None, agent=None)
            backend = (await scope.connection.execute(text("select pg_backend_pid()"))).scalar()
            superuser.execute("select pg_terminate_backend(%s, 5000)", (backend,))
    assert caught.value.code == "store.unavailable"
    assert await _written(database, tenant) == []


# the disk is full ------------------------------------------------------------------------------------


async def test_a_full_disk_is_told_as_such_and_stores_nothing(
    database: Database, tenant: Tenant, superuser: psycopg.Connection, server: EmbeddedServer
) -> None:
    """The table's file becomes /dev/full, where the kernel refuses every write as a full disk does."""
    found = superuser.execute("select pg_relation_filepath('muniment.record_content')").fetchone()
    assert found is not None
    file = server.data / found[0]
    assert file.stat().st_size == 0
    file.unlink()
    file.symlink_to("/dev/full")
    fill = text("""
        insert into muniment.record_content (tenant_id, record_no, space_id, salt, text)
        values (:tenant, 1, 1, decode(repeat('00', 32), 'hex'), 'evidence')""").bindparams(tenant=tenant.number)
    try:
        with pytest.raises(MunimentError, match="nothing was stored") as caught:
            await _write(database, tenant, 1, fill)
    finally:
        superuser.execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'muniment_app'")
        file.unlink()
        file.touch()
    assert caught.value.code == "store.full"
    assert await _written(database, tenant) == []
    await _write(database, tenant, 2)
    assert await _written(database, tenant) == [2]


# the server dies and comes back ----------------------------------------------------------------------


@pytest.fixture
async def own(store: Path, tmp_path: Path) -> AsyncIterator[tuple[PreparedDatabase, Database]]:
    """A store of the test's own, opened as a service opens it."""
    settings = Settings(data_dir=store, pool_size=2)
    prepared = prepare(settings)
    assert prepared.server is not None
    prepared.server.start_watching(0.05)
    database = Database(prepared.app_url, settings)
    yield prepared, database
    await database.close()
    prepared.close()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGQUIT])
async def test_a_server_that_dies_in_mid_write_comes_back_without_a_half(
    own: tuple[PreparedDatabase, Database], how: signal.Signals
) -> None:
    prepared, database = own
    server = prepared.server
    assert server is not None
    tenant = await create_tenant(database, "first")
    await _write(database, tenant, 1)
    postmaster = int((server.data / "postmaster.pid").read_text().splitlines()[0])
    writing = asyncio.create_task(_write(database, tenant, 2, SLEEP))
    await _until(lambda: _sleeping(prepared))
    os.kill(postmaster, how)
    with pytest.raises(MunimentError, match="nothing was stored") as caught:
        await writing
    assert caught.value.code == "store.unavailable"
    await _until(server.ready)
    assert await _written(database, tenant) == [1]
    await _write(database, tenant, 3)
    assert await _written(database, tenant) == [1, 3]


def _sleeping(prepared: PreparedDatabase) -> bool:
    assert prepared.admin_url is not None
    with psycopg.connect(driver_conninfo(make_url(prepared.admin_url))) as connection:
        return bool(connection.execute("select from pg_stat_activity where wait_event = 'PgSleep'").fetchall())
