"""A session that began with empty tables writes on as fast as it began."""

import asyncio

import psycopg
from writing import ATLAS, turns

from muniment.database.pool import Database
from muniment.database.setup import driver_conninfo
from muniment.log.writer import Writer
from muniment.tenancy.tenants import Tenant

BATCHES, SIZE = 40, 50


async def test_checking_a_write_never_reads_the_writes_before_it(
    database: Database, admin_url: str, tenant: Tenant, writer: Writer
) -> None:
    """Row by row, no key of records is looked up in an index by the tenant alone: plans follow the growing tables."""
    with psycopg.connect(driver_conninfo(admin_url), autocommit=True) as admin:
        before = _read(admin)
        for batch in range(BATCHES):
            messages = turns(*(f"turn {batch} {n}" for n in range(SIZE)))
            await writer.ingest_messages(tenant.number, ATLAS, messages, group_id=f"talk-{batch}", wait="lexical")
        await database.close()  # a session tells what it read when it ends
        for _ in range(50):
            if _read(admin) > before:
                break
            await asyncio.sleep(0.1)
        read = _read(admin) - before
    assert read < 30 * BATCHES * SIZE, f"{read} index entries were read for {BATCHES * SIZE} records"


def _read(admin: psycopg.Connection) -> int:
    row = admin.execute("select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'record'").fetchone()
    assert row is not None
    return int(row[0])
