"""Behind the real PgBouncer in transaction mode: many clients on one server connection, and no scope that leaks."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from pgbouncer import running_pgbouncer, server_connections
from pydantic import SecretStr
from sqlalchemy import URL, make_url, text

from muniment.database.migrate import migrate
from muniment.database.pool import Database
from muniment.database.spaces import intern_space
from muniment.errors import MunimentError
from muniment.model.namespace import Namespace
from muniment.model.request import SearchRequest
from muniment.model.source import SourceInput
from muniment.runtime import open_runtime
from muniment.settings import Settings
from muniment.tenancy.tenants import create_tenant

SEEN = text("select tenant_id, current_setting('statement_timeout') from muniment.space")
BACKEND = text("select pg_backend_pid()")


@pytest.fixture
def bouncer(app_url: str, tmp_path: Path) -> Iterator[URL]:
    """The URL of a PgBouncer that has one server connection for the service role."""
    with running_pgbouncer(make_url(app_url), tmp_path / "pgbouncer", pool_size=1) as url:
        yield url


@pytest.fixture
async def pooled(bouncer: URL, settings: Settings) -> AsyncIterator[Database]:
    """The service's own pool, of many connections, before it."""
    behind = settings.model_copy(update={"pgbouncer": True, "pool_size": 12})
    database = Database(bouncer.render_as_string(hide_password=False), behind)
    yield database
    await database.close()


async def test_scopes_of_two_tenants_take_turns_on_one_connection_and_see_their_own(
    pooled: Database, app_url: str
) -> None:
    await pooled.check()
    tenants = [(await create_tenant(pooled, name)).number for name in ("first", "second")]
    for tenant in tenants:
        await intern_space(pooled, tenant, Namespace(project_id="atlas"))
    backends = set()

    async def look(tenant: int, seconds: int) -> None:
        async with pooled.scope(tenant, seconds=seconds) as scope:
            rows = (await scope.connection.execute(SEEN)).all()
            assert [tuple(row) for row in rows] == [(tenant, f"{seconds}s")]
            backends.add((await scope.connection.execute(BACKEND)).scalar())

    async def look_without_a_scope() -> None:
        async with pooled.transaction() as connection:
            assert (await connection.execute(SEEN)).all() == []
            assert (await connection.execute(text("show statement_timeout"))).scalar() == "0"

    looks = [look(tenants[turn % 2], 11 + turn) for turn in range(40)]
    await asyncio.gather(*looks, *(look_without_a_scope() for _ in range(20)))
    assert len(backends) == 1
    assert server_connections(make_url(app_url)) == 1


async def test_a_scope_that_fails_leaves_nothing_to_the_next_client(pooled: Database) -> None:
    tenant = (await create_tenant(pooled, "first")).number
    with pytest.raises(MunimentError) as caught:
        async with pooled.scope(tenant, seconds=0.05) as scope:
            await scope.execute("spaces.insert", space=1, project="half", user=None, agent=None)
            await scope.connection.execute(text("select pg_sleep(5)"))
    assert caught.value.code == "store.busy"
    async with pooled.transaction() as connection:
        assert (await connection.execute(SEEN)).all() == []
    async with pooled.scope(tenant) as scope:
        assert (await scope.connection.execute(SEEN)).all() == []


async def test_a_store_is_opened_written_and_searched_through_it(
    pooled: Database, bouncer: URL, settings: Settings
) -> None:
    """Jobs too: their runner polls there, since LISTEN needs a session of its own."""
    url = SecretStr(bouncer.render_as_string(hide_password=False))
    through = settings.model_copy(update={"database_url": url, "pgbouncer": True, "job_poll": 0.05})
    source = SourceInput(kind="text", text="Project Atlas launches on 14 October 2026.", source_key="memo")
    async with open_runtime(through, run_jobs=True) as runtime:
        run = await runtime.writer.ingest_sources(runtime.tenant.number, Namespace(), [source], wait="indexed")
        assert [item.state for item in run.items] == ["stored"]
        found = await runtime.retriever.search(runtime.tenant.number, SearchRequest(query="When does Atlas launch?"))
        assert [hit.text for hit in found.hits] == [source.text]


def test_a_database_is_set_up_through_it(admin_url: str, bouncer: URL) -> None:
    migrate(bouncer.set(username="postgres").render_as_string(hide_password=False))
