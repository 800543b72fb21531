"""A write beside searches of its tenant: it lets them pass, it ends, and nobody waits for what it holds meanwhile."""

import asyncio

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine
from writing import ATLAS, all_records, assert_sealed_without_gaps, turns

from muniment.database.giving_way import GivingWay
from muniment.database.pool import Database
from muniment.log.writer import Writer
from muniment.tenancy.tenants import Tenant


async def test_a_write_beside_searches_that_never_end_is_stored_all_the_same(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    async with database.traffic.search(tenant.number, 60), asyncio.timeout(30):
        said = turns(*(f"Message {n} of many." for n in range(80)))
        run = await writer.ingest_messages(tenant.number, ATLAS, said, group_id="chat", wait="lexical")
    assert run.state == "succeeded"
    assert len(await all_records(database, tenant)) == 80
    assert await assert_sealed_without_gaps(database, tenant) == 1


async def test_a_write_that_lets_searches_pass_holds_up_no_other_write_meanwhile(
    writer: Writer, database: Database, tenant: Tenant, admin_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = create_async_engine(admin_url)
    stops = 0
    original = GivingWay.step

    async def head_is_free(self: GivingWay) -> None:
        nonlocal stops
        if not self._hurried:
            stops += 1
            async with engine.begin() as connection:
                await connection.execute(
                    text("select from muniment.log_head where tenant_id = :tenant for update nowait"),
                    {"tenant": tenant.number},
                )
        await original(self)

    monkeypatch.setattr(GivingWay, "step", head_is_free)
    try:
        await writer.ingest_messages(tenant.number, ATLAS, turns("one", "two"), group_id="chat", wait="lexical")
    finally:
        await engine.dispose()
    assert stops > 5
