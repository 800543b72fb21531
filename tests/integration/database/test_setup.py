"""Setting up a database that is not ours: a server like a managed one, with passwords and without a superuser."""

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from psycopg.sql import SQL, Literal
from pydantic import SecretStr
from sqlalchemy import make_url

from muniment.database.embedded import EmbeddedServer
from muniment.database.pool import Database
from muniment.database.setup import driver_conninfo, prepare
from muniment.errors import MunimentError
from muniment.model.sql_logins import SqlLoginRequest
from muniment.settings import Settings
from muniment.tenancy.sql_logins import create_login, drop_login
from muniment.tenancy.sql_watchdog import SqlWatchdog
from muniment.tenancy.tenants import create_tenant

PASSWORD = "p@ss word/é"
_TO_PASSWORD = SQL("alter role cloud_admin password {}").format(Literal(PASSWORD))
PREPARER = """
import asyncio, sys
from muniment.database.pool import Database
from muniment.database.setup import prepare
from muniment.settings import Settings
settings = Settings()
prepared = prepare(settings)
async def check():
    database = Database(prepared.app_url, settings)
    await database.check()
    await database.close()
asyncio.run(check())
prepared.close()
"""


@pytest.fixture(scope="module")
def managed(initialised: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    """A server that wants a password of everybody but its superuser, with an administrator like a cloud's."""
    store = Path(shutil.copytree(initialised, tmp_path_factory.mktemp("managed") / "store"))
    (store / "postgres" / "pg_hba.conf").write_text("local all postgres trust\nlocal all all scram-sha-256\n")
    with EmbeddedServer(store, {"fsync": "off"}) as server:
        with psycopg.connect(driver_conninfo(server.url(database="postgres")), autocommit=True) as superuser:
            superuser.execute("create role cloud_admin login createrole createdb")
            superuser.execute(_TO_PASSWORD)
        yield server


@pytest.fixture
def external(managed: EmbeddedServer, tmp_path: Path) -> Iterator[Settings]:
    """Settings that name an empty database of the administrator's, where the vendor offers pgvector."""
    with psycopg.connect(driver_conninfo(managed.url(database="postgres")), autocommit=True) as superuser:
        superuser.execute("create database memory owner cloud_admin")
        with psycopg.connect(driver_conninfo(managed.url(database="memory")), autocommit=True) as inside:
            inside.execute("create extension vector")
        url = make_url(managed.url("cloud_admin", "memory")).set(drivername="postgresql", password=PASSWORD)
        secret = SecretStr(url.render_as_string(hide_password=False))
        yield Settings(data_dir=tmp_path / "data", database_url=secret, pool_size=2)
        superuser.execute("drop database memory with (force)")


def _superuser(managed: EmbeddedServer) -> psycopg.Connection:
    return psycopg.connect(driver_conninfo(managed.url(database="memory")), autocommit=True)


async def _works(app_url: str, settings: Settings) -> None:
    database = Database(app_url, settings)
    try:
        await database.check()
        tenant = await create_tenant(database, "first")
        async with database.scope(tenant.number) as scope:
            assert await scope.value("tenants.public_id") == tenant.public_id
    finally:
        await database.close()


async def test_an_administrator_without_superuser_sets_a_database_up(external: Settings) -> None:
    prepared = prepare(external)
    assert prepared.server is None
    await _works(prepared.app_url, external)
    assert not external.store_dir.exists(), "nothing is kept beside a database of somebody else's"


async def test_a_second_start_agrees_on_the_password_and_changes_nothing(
    external: Settings, managed: EmbeddedServer
) -> None:
    first = prepare(external)
    with _superuser(managed) as superuser:
        role = "select rolpassword, xmin::text from pg_authid where rolname = 'muniment_app'"
        before = superuser.execute(role).fetchone()
        second = prepare(external)
        assert superuser.execute(role).fetchone() == before
    assert before is not None and before[0].startswith("SCRAM-SHA-256$")
    assert second.app_url == first.app_url
    await _works(second.app_url, external)


async def test_an_upgrade_needs_no_superuser_either(external: Settings, managed: EmbeddedServer) -> None:
    prepare(external)
    with _superuser(managed) as superuser:
        superuser.execute("update muniment.applied_files set checksum = 'earlier'")
    await _works(prepare(external).app_url, external)


async def test_the_url_of_the_service_role_alone_works_after_a_setup_and_not_before(
    external: Settings, tmp_path: Path
) -> None:
    prepared = prepare(external)
    alone = Settings(data_dir=tmp_path / "data", database_url=SecretStr(prepared.app_url), pool_size=2)
    again = prepare(alone)
    assert again.admin_url is None
    await _works(again.app_url, alone)


def test_four_first_starts_at_once_on_an_empty_database_all_succeed(
    external: Settings, managed: EmbeddedServer
) -> None:
    with _superuser(managed) as superuser:
        superuser.execute("alter role muniment_app password null")
    assert external.database_url is not None
    environment = {"MUNIMENT_DATABASE_URL": external.database_url.get_secret_value()}
    processes = [
        subprocess.Popen([sys.executable, "-c", PREPARER], env=environment, stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    ends = [process.communicate(timeout=120)[1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0, 0], ends


async def test_a_changed_password_of_the_administrator_is_followed(
    external: Settings, managed: EmbeddedServer, tmp_path: Path
) -> None:
    first = prepare(external)
    assert external.database_url is not None
    changed = make_url(external.database_url.get_secret_value()).set(password="another")
    with _superuser(managed) as superuser:
        superuser.execute("alter role cloud_admin password 'another'")
        try:
            settings = Settings(database_url=SecretStr(changed.render_as_string(hide_password=False)), pool_size=2)
            second = prepare(settings)
            assert second.app_url != first.app_url
            await _works(second.app_url, settings)
        finally:
            superuser.execute(_TO_PASSWORD)


def test_a_wrong_password_is_unavailable_and_told_to_nobody(external: Settings) -> None:
    assert external.database_url is not None
    url = make_url(external.database_url.get_secret_value()).set(password="hunter2-secret")
    with pytest.raises(MunimentError) as caught:
        prepare(Settings(database_url=SecretStr(url.render_as_string(hide_password=False))))
    assert caught.value.code == "store.unavailable"
    assert "hunter2" not in caught.value.detail + str(caught.value.facts)


def test_no_password_is_made_up_from_nothing(
    managed: EmbeddedServer, external: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A password derived from an empty one would be the same for everybody who reads this code."""
    monkeypatch.delenv("PGPASSWORD", raising=False)
    with _superuser(managed) as superuser:
        superuser.execute("alter role muniment_app password null")
        with pytest.raises(MunimentError, match="no password to derive") as caught:
            prepare(Settings(database_url=SecretStr(managed.url("postgres", "memory"))))
        assert caught.value.code == "store.not_permitted"
        role = "select rolpassword from pg_authid where rolname = 'muniment_app'"
        assert superuser.execute(role).fetchone() == (None,)


def test_a_server_that_does_not_let_us_make_the_extension_says_so(external: Settings, managed: EmbeddedServer) -> None:
    with _superuser(managed) as superuser:
        superuser.execute("drop extension vector")
    with pytest.raises(MunimentError, match="vector") as caught:
        prepare(external)
    assert caught.value.code == "store.not_permitted"


def test_another_kind_of_database_is_refused() -> None:
    with pytest.raises(MunimentError, match="postgresql://"):
        prepare(Settings(database_url=SecretStr("sqlite:///memory.db")))


async def test_sql_logins_of_an_administrator_without_superuser_have_passwords_and_an_end(
    external: Settings, managed: EmbeddedServer
) -> None:
    prepared = prepare(external)
    assert prepared.admin_url is not None
    database = Database(prepared.app_url, external)
    tenant = (await create_tenant(database, "first")).number
    end = datetime.now(UTC) + timedelta(seconds=2)
    made = await create_login(database, prepared.admin_url, tenant, SqlLoginRequest(valid_until=end), seconds=60)
    # what only a superuser can forbid is reported
    assert {"definitions", "advisory_locks", "large_objects", "temporary_files", "other_databases"} <= set(made.gaps)
    url = make_url(managed.url(made.name, "memory"))
    with psycopg.connect(driver_conninfo(url.set(password=made.password)), autocommit=True) as connection:
        assert connection.execute("select muniment_auth.login_tenant()").fetchone() == (tenant,)
        connection.execute("set statement_timeout = 0")
        connection.execute("begin")
        limits = {"sql_login_statement_limit": 0.1, "sql_login_transaction_limit": 0.1}
        await asyncio.sleep(0.3)
        assert await SqlWatchdog(database, external.model_copy(update=limits)).look() == 1
        with pytest.raises(psycopg.OperationalError):
            connection.execute("select 1")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(driver_conninfo(url.set(password="another")))
    await asyncio.sleep(max(0.0, (end - datetime.now(UTC)).total_seconds()) + 0.1)
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(driver_conninfo(url.set(password=made.password)))
    await drop_login(database, prepared.admin_url, tenant, made.name)
    await database.close()
