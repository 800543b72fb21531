"""Whoever removes a tenant removes it from every table there is, and sees nobody who was not given up."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import psycopg
import pytest
from policies import TENANT_TABLES
from psycopg.sql import SQL, Literal
from rows import columns, identifier, insertion, one_row_a_tenant, row
from sqlalchemy import make_url

from muniment.database.pool import Database
from muniment.database.setup import driver_conninfo
from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.tenancy.removal import remove_tenant
from muniment.tenancy.tenants import default_tenant

GONE, STAYS = 700301, 700302


@pytest.fixture
def two_tenants(admin_url: str) -> Iterator[psycopg.Connection]:
    """A row of each of two tenants in every table, whatever it refers to."""
    with psycopg.connect(driver_conninfo(admin_url), autocommit=True) as superuser:
        superuser.execute("set session_replication_role = replica")  # rows that refer to nothing, in any order
        for table in TENANT_TABLES:
            shape = columns(superuser, table)
            for tenant in (GONE, STAYS):
                for key in (1,) if one_row_a_tenant(superuser, table) else (1, 2):
                    superuser.execute(insertion(table, row(table, shape, tenant, key, key)))
        superuser.execute("delete from muniment_auth.sql_login")
        superuser.execute(SQL("update muniment_auth.tenant set state = 'active'"))
        yield superuser


def _counts(connection: psycopg.Connection, tenant: int) -> dict[str, int]:
    counted = SQL("select count(*) from {} where tenant_id = {}")
    found = {
        table: connection.execute(counted.format(identifier(table), Literal(tenant))).fetchone()
        for table in TENANT_TABLES
    }
    return {table: count[0] for table, count in found.items() if count and count[0]}


async def test_nothing_of_a_tenant_is_left_in_any_table_and_all_of_another(
    two_tenants: psycopg.Connection, app_url: str, admin_url: str, settings: Settings
) -> None:
    database = Database(app_url, settings)
    try:
        await default_tenant(database)
        theirs, mine = _counts(two_tenants, STAYS), _counts(two_tenants, GONE)
        assert set(mine) == set(TENANT_TABLES) - {"muniment_auth.sql_login"}
        public = two_tenants.execute("select public_id from muniment_auth.tenant where tenant_id = 700301").fetchone()
        assert public is not None
        with pytest.raises(MunimentError):  # no receipt: it was not given up
            await remove_tenant(database, admin_url, public[0])
        async with database.scope(GONE) as scope:  # nor does the role itself see it
            for table in mine:
                if table != "muniment_auth.tenant":
                    assert await scope.value("deletion.remove_rows", table=table, limit=10) == 0
            assert await scope.value("deletion.remove_tenant") is False
        async with database.scope(GONE) as scope:
            await scope.execute(
                "deletion.begin", public_id=public[0], begun_at=None, commits=1, entries=1, root=b"0" * 32,
                checkpoint="", audit_entries=0, audit_digest=b"0" * 32, export_sha256=None,
            )  # fmt: skip
            await scope.execute("deletion.condemn")
        async with database.scope(STAYS) as scope:  # a scope of another tenant reaches neither
            row_of = "muniment.record_content"
            assert await scope.value("deletion.remove_rows", table=row_of, limit=10) == 0
        await remove_tenant(database, admin_url, public[0])
        assert _counts(two_tenants, GONE) == {}
        assert _counts(two_tenants, STAYS) == theirs
        receipt = two_tenants.execute("select rows from muniment_auth.tenant_deletion").fetchone()
        assert receipt is not None and {name: rows for name, rows in receipt[0].items() if name in mine} == mine
    finally:
        await database.close()


def test_the_order_of_removal_puts_each_table_before_those_that_it_refers_to(
    fresh_database: Callable[[], AbstractContextManager[str]],
) -> None:
    with fresh_database() as url, psycopg.connect(driver_conninfo(make_url(url))) as connection:
        places = {
            name: place
            for place, name in connection.execute("select place, name from muniment_auth.tenant_tables()").fetchall()
        }
        refers = connection.execute(
            "select conrelid::regclass::text, confrelid::regclass::text from pg_constraint where contype = 'f'"
        ).fetchall()
    assert set(places) == set(TENANT_TABLES) - {"muniment_auth.tenant"}
    wrong = [
        (child, parent)
        for child, parent in refers
        if child != parent and parent in places and places[child] > places[parent]
    ]
    assert wrong == []
