"""SQL logins: each reads its own tenant and can do nothing else."""

import asyncio
from collections.abc import AsyncIterator

import psycopg
import pytest
from psycopg import errors
from sqlalchemy import create_engine, make_url, text

from muniment.database.pool import Database
from muniment.database.setup import driver_conninfo
from muniment.database.spaces import intern_space
from muniment.model.namespace import Namespace
from muniment.tenancy.sql_logins import ensure_login
from muniment.tenancy.tenants import Tenant


def _url(admin_url: str, user: str) -> str:
    return make_url(admin_url).set(username=user).render_as_string(hide_password=False)


def _connect(admin_url: str, login: str) -> psycopg.Connection:
    return psycopg.connect(driver_conninfo(_url(admin_url, login)), autocommit=True)


@pytest.fixture
async def login(database: Database, tenant: Tenant, other_tenant: Tenant, admin_url: str) -> AsyncIterator[str]:
    """A login of the first tenant; both tenants have a space."""
    await intern_space(database, tenant.number, Namespace(user_id="mine"))
    await intern_space(database, other_tenant.number, Namespace(user_id="theirs"))
    name = await ensure_login(admin_url, tenant)
    yield name
    engine = create_engine(admin_url)
    with engine.begin() as connection:
        connection.execute(text(f'drop role "{name}"'))
    engine.dispose()


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


async def test_an_administrator_who_is_no_superuser_can_make_one(
    database: Database, tenant: Tenant, other_tenant: Tenant, admin_url: str
) -> None:
    engine = create_engine(admin_url)
    with engine.begin() as connection:
        connection.execute(text("create role humble login createrole"))
        connection.execute(text("grant muniment_app, muniment_analyst to humble with admin option, set false"))
    try:
        await intern_space(database, other_tenant.number, Namespace(user_id="theirs"))
        login = await ensure_login(_url(admin_url, "humble"), other_tenant)
        with _connect(admin_url, login) as reading:
            assert reading.execute("select user_id from muniment.space").fetchall() == [("theirs",)]
    finally:
        with engine.begin() as connection:
            for (name,) in connection.execute(text("select rolname from pg_roles where rolname like 'muniment_sql_%'")):
                connection.execute(text(f'drop role "{name}"'))
            connection.execute(text("drop owned by humble"))
            connection.execute(text("drop role humble"))
        engine.dispose()
