"""SQL logins: made, listed, given another password, dropped; each reads its own tenant and can do nothing else."""

import asyncio
import base64
import hashlib
import hmac
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from psycopg import errors
from sqlalchemy import create_engine, make_url, text

from muniment.audit.chain import list_acts
from muniment.database.pool import Database
from muniment.database.setup import driver_conninfo
from muniment.database.spaces import intern_space
from muniment.errors import MunimentError
from muniment.model.namespace import Namespace
from muniment.model.sql_logins import SqlLoginRequest
from muniment.tenancy import sql_logins
from muniment.tenancy.sql_logins import create_login, drop_login, ensure_login, list_logins, rotate_login
from muniment.tenancy.tenants import Tenant


def _url(admin_url: str, user: str) -> str:
    return make_url(admin_url).set(username=user).render_as_string(hide_password=False)


def _connect(admin_url: str, login: str) -> psycopg.Connection:
    return psycopg.connect(driver_conninfo(_url(admin_url, login)), autocommit=True)


def _opens(admin_url: str, login: str, password: str) -> bool:
    """Whether this is the login's password, by the verifier that the server keeps."""
    with psycopg.connect(driver_conninfo(admin_url)) as superuser:
        row = superuser.execute("select rolpassword from pg_authid where rolname = %s", (login,)).fetchone()
    assert row is not None and row[0] is not None
    _, parameters, keys = row[0].split("$")
    iterations, salt = parameters.split(":")
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), base64.b64decode(salt), int(iterations))
    key = hmac.digest(salted, b"Client Key", "sha256")
    return base64.b64decode(keys.split(":")[0]) == hashlib.sha256(key).digest()


@pytest.fixture
async def spaces(database: Database, tenant: Tenant, other_tenant: Tenant, admin_url: str) -> AsyncIterator[None]:
    """Both tenants have a space; at the end no login is left on the server."""
    await intern_space(database, tenant.number, Namespace(user_id="mine"))
    await intern_space(database, other_tenant.number, Namespace(user_id="theirs"))
    yield
    engine = create_engine(admin_url)
    with engine.begin() as connection:
        for (name,) in connection.execute(text("select rolname from pg_roles where rolname like 'muniment_sql_%'")):
            connection.execute(text(f'drop owned by "{name}"'))
            connection.execute(text(f'drop role "{name}"'))
    engine.dispose()


@pytest.fixture
async def login(spaces: None, tenant: Tenant, admin_url: str) -> str:
    """The login of muniment psql of the first tenant."""
    return await ensure_login(admin_url, tenant)


async def test_a_login_reads_its_tenant_and_no_other(login: str, admin_url: str) -> None:
    with _connect(admin_url, login) as connection:
        assert connection.execute("select user_id from muniment.space").fetchall() == [("mine",)]
        connection.execute("select set_config('muniment.tenant_id', '2', false)")
        assert connection.execute("select user_id from space").fetchall() == [("mine",)]


async def test_a_login_writes_nothing_even_when_it_lifts_its_read_only_default(login: str, admin_url: str) -> None:
    with _connect(admin_url, login) as connection:
        with pytest.raises(errors.ReadOnlySqlTransaction):
            connection.execute("update muniment.space set user_id = 'x'")
        connection.execute("set default_transaction_read_only = off")
        with pytest.raises(errors.InsufficientPrivilege):
            connection.execute("update muniment.space set user_id = 'x'")
        with pytest.raises(errors.InsufficientPrivilege):
            connection.execute("select * from muniment_auth.credential")


async def test_a_login_starts_with_limits(login: str, admin_url: str) -> None:
    with _connect(admin_url, login) as connection:
        assert connection.execute("show statement_timeout").fetchall() == [("1min",)]
        limit = "select rolconnlimit, rolsuper, rolbypassrls from pg_roles where rolname = current_user"
        assert connection.execute(limit).fetchall() == [(8, False, False)]


async def test_making_it_again_and_at_once_changes_nothing(login: str, tenant: Tenant, admin_url: str) -> None:
    names = await asyncio.gather(*(ensure_login(admin_url, tenant) for _ in range(4)))
    assert set(names) == {login}


async def test_a_tenant_has_several_logins_each_with_a_password_that_is_shown_once(
    spaces: None, database: Database, tenant: Tenant, other_tenant: Tenant, admin_url: str
) -> None:
    asked = SqlLoginRequest(label="reports", connections=2)
    first = await create_login(database, admin_url, tenant.number, asked, seconds=5)
    second = await create_login(database, admin_url, tenant.number, SqlLoginRequest(), seconds=5)
    assert first.name != second.name
    assert first.password not in repr(first)
    assert _opens(admin_url, first.name, first.password)
    assert not _opens(admin_url, second.name, first.password)
    for login in (first, second):
        with _connect(admin_url, login.name) as connection:
            assert connection.execute("select user_id from muniment.space").fetchall() == [("mine",)]
            assert connection.execute("show statement_timeout").fetchall() == [("5s",)]
    listed, _ = await list_logins(database, tenant.number)
    assert [(each.name, each.label, each.connections) for each in listed] == [
        (first.name, "reports", 2),
        (second.name, "unnamed", 8),
    ]
    assert await list_logins(database, other_tenant.number) == ([], first.gaps)


async def test_the_embedded_server_leaves_no_gap_but_the_other_databases_of_the_tests(
    spaces: None, database: Database, tenant: Tenant, admin_url: str
) -> None:
    made = await create_login(database, admin_url, tenant.number, SqlLoginRequest(), seconds=5)
    assert set(made.gaps) <= {"other_databases", "temporary_tables"}, "a copied database lost its own grants"


async def test_another_password_ends_the_sessions_of_the_one_before(
    spaces: None, database: Database, tenant: Tenant, other_tenant: Tenant, admin_url: str
) -> None:
    made = await create_login(database, admin_url, tenant.number, SqlLoginRequest(), seconds=5)
    with _connect(admin_url, made.name) as before:
        with pytest.raises(MunimentError, match="no such SQL login"):
            await rotate_login(database, admin_url, other_tenant.number, made.name)
        before.execute("select 1")
        end = datetime.now(UTC) + timedelta(days=1)
        rotated = await rotate_login(database, admin_url, tenant.number, made.name, valid_until=end)
        with pytest.raises(psycopg.OperationalError):
            before.execute("select 1")
    assert rotated.name == made.name
    assert rotated.valid_until == end
    assert rotated.rotated_at is not None
    assert not _opens(admin_url, made.name, made.password)
    assert _opens(admin_url, made.name, rotated.password)
    again = await rotate_login(database, admin_url, tenant.number, made.name)
    assert again.valid_until == end, "an end that was said stays until another is said"
    with psycopg.connect(driver_conninfo(admin_url)) as superuser:
        role = "select rolvaliduntil from pg_roles where rolname = %s"
        assert superuser.execute(role, (made.name,)).fetchone() == (end,)


async def test_a_login_reads_nothing_after_its_end_in_an_open_session_either(
    spaces: None, database: Database, tenant: Tenant, admin_url: str
) -> None:
    end = datetime.now(UTC) + timedelta(seconds=0.7)
    made = await create_login(database, admin_url, tenant.number, SqlLoginRequest(valid_until=end), seconds=5)
    with _connect(admin_url, made.name) as connection, connection.transaction():
        assert connection.execute("select user_id from muniment.space").fetchall() == [("mine",)]
        connection.execute("select pg_sleep(0.8)")
        assert connection.execute("select user_id from muniment.space").fetchall() == []


async def test_a_dropped_login_is_gone_with_its_sessions_and_what_it_defined(
    spaces: None, database: Database, tenant: Tenant, other_tenant: Tenant, admin_url: str
) -> None:
    made = await create_login(database, admin_url, tenant.number, SqlLoginRequest(), seconds=5)
    with pytest.raises(MunimentError, match="no such SQL login"):
        await drop_login(database, admin_url, other_tenant.number, made.name)
    with _connect(admin_url, made.name) as connection:
        with psycopg.connect(driver_conninfo(admin_url), autocommit=True) as superuser:
            superuser.execute(f'alter default privileges for role "{made.name}" grant select on tables to public')
        await drop_login(database, admin_url, tenant.number, made.name)
        with pytest.raises(psycopg.OperationalError):
            connection.execute("select 1")
    assert (await list_logins(database, tenant.number))[0] == []
    acts = [(entry.action, entry.target) for entry in (await list_acts(database, tenant.number)).entries]
    assert acts == [("sql_login.drop", made.name), ("sql_login.create", made.name)]
    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        _connect(admin_url, made.name)
    with pytest.raises(MunimentError, match="no such SQL login"):
        await drop_login(database, admin_url, tenant.number, made.name)


@pytest.mark.parametrize("name", ["postgres", "muniment_app", "muniment_owner", 'x"; drop role muniment_app; --'])
async def test_no_role_but_a_login_of_the_tenant_is_dropped_or_given_a_password(
    spaces: None, database: Database, tenant: Tenant, admin_url: str, name: str
) -> None:
    with pytest.raises(MunimentError, match="no such SQL login"):
        await drop_login(database, admin_url, tenant.number, name)
    with pytest.raises(MunimentError, match="no such SQL login"):
        await rotate_login(database, admin_url, tenant.number, name)


async def test_what_cannot_be_is_refused(
    spaces: None, database: Database, tenant: Tenant, admin_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for asked, code in (
        (SqlLoginRequest(label="a\nb"), "input.invalid"),
        (SqlLoginRequest(valid_until=datetime(2020, 1, 1, tzinfo=UTC)), "input.time_invalid"),
        (SqlLoginRequest(valid_until=datetime(2999, 1, 1)), "input.time_without_zone"),
    ):
        with pytest.raises(MunimentError) as refused:
            await create_login(database, admin_url, tenant.number, asked, seconds=5)
        assert refused.value.code == code
    with pytest.raises(MunimentError) as refused:
        await create_login(database, None, tenant.number, SqlLoginRequest(), seconds=5)
    assert refused.value.code == "sql_login.unavailable"
    monkeypatch.setattr(sql_logins, "MOST_LOGINS", 1)
    await create_login(database, admin_url, tenant.number, SqlLoginRequest(), seconds=5)
    with pytest.raises(MunimentError) as refused:
        await create_login(database, admin_url, tenant.number, SqlLoginRequest(), seconds=5)
    assert refused.value.code == "sql_login.too_many"


async def test_an_administrator_who_is_no_superuser_makes_rotates_and_drops_one(
    spaces: None, database: Database, other_tenant: Tenant, admin_url: str
) -> None:
    engine = create_engine(admin_url)
    with engine.begin() as connection:
        connection.execute(text("create role humble login createrole"))
        grants = "grant muniment_app, muniment_analyst, muniment_watchdog to humble with admin option, set false"
        connection.execute(text(grants))
    try:
        humble = _url(admin_url, "humble")
        login = await ensure_login(humble, other_tenant)
        with _connect(admin_url, login) as reading:
            assert reading.execute("select user_id from muniment.space").fetchall() == [("theirs",)]
        made = await create_login(database, humble, other_tenant.number, SqlLoginRequest(), seconds=5)
        rotated = await rotate_login(database, humble, other_tenant.number, made.name)
        assert _opens(admin_url, made.name, rotated.password)
        assert "temporary_files" in made.gaps
        for name in (made.name, login):
            await drop_login(database, humble, other_tenant.number, name)
        assert (await list_logins(database, other_tenant.number))[0] == []
    finally:
        with engine.begin() as connection:
            connection.execute(text("drop owned by humble"))
            connection.execute(text("drop role humble"))
        engine.dispose()
