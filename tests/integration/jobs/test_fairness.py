"""Fairness between tenants: whoever has ten thousand jobs does not stand before whoever has one."""

from collections import Counter

from job_store import Ran, Store, put, recording
from sqlalchemy.ext.asyncio import AsyncConnection

from muniment.database.pool import Database
from muniment.database.queries import query
from muniment.jobs.runner import JobRunner
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant, create_tenant

_MANY = """
    insert into muniment_jobs.queue (job_id, tenant_no, kind, priority, run_at)
    select gen_random_uuid(), {tenant}, 'note', 5, now() - interval '1 hour' from generate_series(1, 10000)"""


async def _claim(connection: AsyncConnection, limit: int) -> list[int]:
    async with connection.begin():
        values = {"limit": limit, "lease": 60.0, "kinds": ["note"]}
        return [row.tenant_no for row in await connection.execute(query("jobs.claim"), values)]


async def test_one_tenants_ten_thousand_jobs_do_not_starve_anothers_one(
    database: Database, tenant: Tenant, other_tenant: Tenant, store: Store
) -> None:
    store.rows(_MANY.format(tenant=tenant.number))  # older, and of a higher priority
    async with database.engine.connect() as connection:
        first = await _claim(connection, 1)
        await put(database, other_tenant)
        taken = first + [one for _ in range(2) for one in await _claim(connection, 1)]
    assert other_tenant.number in taken
    assert Counter(taken) == {tenant.number: 2, other_tenant.number: 1}


async def test_a_claim_of_several_deals_them_out_in_turn_and_fills_up_from_who_has_more(
    database: Database, tenant: Tenant, other_tenant: Tenant, store: Store
) -> None:
    third = await create_tenant(database, "third")
    store.rows(_MANY.format(tenant=tenant.number))
    for who, count in ((other_tenant, 1), (third, 3)):
        for n in range(count):
            await put(database, who, n=n)
    async with database.engine.connect() as connection:
        assert Counter(await _claim(connection, 9)) == {tenant.number: 5, other_tenant.number: 1, third.number: 3}


async def test_who_was_served_longest_ago_comes_first_across_claims(
    database: Database, tenant: Tenant, other_tenant: Tenant, store: Store
) -> None:
    third = await create_tenant(database, "third")
    for who in (tenant, other_tenant, third):
        store.rows(_MANY.format(tenant=who.number))
    taken: Counter[int] = Counter()
    async with database.engine.connect() as connection:
        for _ in range(30):
            taken.update(await _claim(connection, 2))
    assert set(taken.values()) == {20}


async def test_priorities_order_a_tenants_own_jobs_only(
    database: Database, tenant: Tenant, other_tenant: Tenant, quick: Settings
) -> None:
    ran: Ran = []
    for n in range(3):
        await put(database, tenant, n=n, priority=n)
        await put(database, other_tenant, n=10 + n)
    alone = quick.model_copy(update={"job_concurrency": 1})
    await JobRunner(database, {"note": recording(ran)}, alone).drain()
    assert [n for _, n in ran] == [2, 10, 1, 11, 0, 12]
