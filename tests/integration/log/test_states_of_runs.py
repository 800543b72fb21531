"""A run that somebody left in the middle is told from one that is at work."""

import psycopg

from muniment.database.pool import Database
from muniment.database.setup import driver_conninfo
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
