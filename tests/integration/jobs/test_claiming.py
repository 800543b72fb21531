"""Claiming jobs: never more than asked for, whatever plan a long-lived connection has kept."""

from uuid import uuid4

import psycopg

from muniment.database.pool import Database
from muniment.database.queries import query
from muniment.database.setup import driver_conninfo
from muniment.queue import enqueue
from muniment.tenancy.tenants import Tenant


async def test_a_claim_takes_no_more_jobs_than_it_asked_for_after_many_claims_of_nothing(
    database: Database, tenant: Tenant, admin_url: str
) -> None:
    with psycopg.connect(driver_conninfo(admin_url), autocommit=True) as admin:
        admin.execute("vacuum analyze muniment_jobs.queue")  # the planner now knows that it is empty
    async with database.engine.connect() as connection:
        # a plan made for an empty queue is kept after some calls
        for _ in range(8):
            async with connection.begin():
                assert await _claim(connection) == 0
        async with database.scope(tenant.number) as scope:
            for _ in range(97):
                await enqueue(scope, "embed", {"records": []}, dedup=str(uuid4()))
        async with connection.begin():
            assert await _claim(connection) == 2


async def _claim(connection: object) -> int:
    parameters = {"limit": 2, "lease": 120.0, "kinds": ["embed"]}
    rows = await connection.execute(query("jobs.claim"), parameters)  # type: ignore[attr-defined]
    return len(rows.all())
