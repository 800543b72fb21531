"""A run that somebody left in the middle, or between two requests, is told from one that is at work."""

import psycopg
import pytest

from muniment.database.pool import Database
from muniment.database.setup import driver_conninfo
from muniment.errors import MunimentError
from muniment.log.runs import get_run, list_runs
from muniment.log.writer import Writer
from muniment.model.namespace import Namespace
from muniment.model.source import SourceInput
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant


async def test_a_run_in_which_nothing_moves_is_interrupted(
    database: Database, settings: Settings, tenant: Tenant, admin_url: str
) -> None:
    writer = Writer(database, None, None, settings)
    run = await writer.ingest_sources(
        tenant.number, Namespace(user_id="maya"), [SourceInput(kind="text", text="The quay.")]
    )

    async def after(*statements: str) -> str:
        with psycopg.connect(driver_conninfo(admin_url), autocommit=True) as administrator:
            for statement in statements:
                administrator.execute(statement.encode())
        listed, _ = await list_runs(database, tenant.number)
        read = await get_run(database, tenant.number, run.id)
        assert [each.state for each in listed] == [read.state]
        return read.state

    assert await after() == "succeeded"
    assert await after("update muniment.ingestion_run set items = 2") == "running"
    # an item has just ended
    assert await after("update muniment.ingestion_run set created_at = now() - interval '2 h'") == "running"
    assert await after("update muniment.ingestion_item set finished_at = now() - interval '2 h'") == "interrupted"
    assert await after("update muniment.ingestion_run set items = 1") == "succeeded"


async def test_a_run_that_its_client_never_ended_does_not_succeed(
    database: Database, settings: Settings, tenant: Tenant, admin_url: str
) -> None:
    writer, namespace = Writer(database, None, None, settings), Namespace(user_id="maya")

    async def ingest(text: str, run: str | None, more: bool, key: str | None = None) -> str:
        source = SourceInput(kind="text", text=text)
        done = await writer.ingest_sources(tenant.number, namespace, [source], run=run, more=more, idempotency_key=key)
        assert done.state == (await get_run(database, tenant.number, done.id)).state
        assert [item.state for item in done.items] == ["stored"] or key is not None
        state: str = done.state
        return state if run is not None else done.id

    first = await ingest("The quay.", None, True)
    assert (await get_run(database, tenant.number, first)).state == "running"
    assert await ingest("The mill.", first, True, "second") == "running"
    with psycopg.connect(driver_conninfo(admin_url), autocommit=True) as administrator:
        administrator.execute("update muniment.ingestion_run set created_at = now() - interval '2 h'")
        administrator.execute("update muniment.ingestion_item set finished_at = now() - interval '2 h'")
    assert (await get_run(database, tenant.number, first)).state == "interrupted"
    assert await ingest("The weir.", first, False) == "succeeded"
    assert await ingest("The mill.", first, True, "second") == "succeeded"  # done before: it opens nothing again


async def test_the_same_request_that_ends_the_run_is_another(
    database: Database, settings: Settings, tenant: Tenant
) -> None:
    writer, source = Writer(database, None, None, settings), SourceInput(kind="text", text="The quay.")
    place = Namespace(user_id="maya")
    begun = await writer.ingest_sources(tenant.number, place, [source], more=True, idempotency_key="1")
    assert begun.state == "running"
    again = await writer.ingest_sources(tenant.number, place, [source], more=True, idempotency_key="1")
    assert (again.id, again.state) == (begun.id, "running")
    with pytest.raises(MunimentError) as refusal:
        await writer.ingest_sources(tenant.number, place, [source], idempotency_key="1")
    assert refusal.value.code == "idempotency.mismatch"
