"""What is kept for a time only: ended jobs and query runs go when it is over, and nothing before."""

from typing import Any

from job_store import Store, put, recording
from sqlalchemy import text

from muniment.database.pool import Database
from muniment.jobs.context import JobContext
from muniment.jobs.expiring import KIND, expire, schedule_expiry
from muniment.jobs.runner import JobRunner
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.request import SearchRequest
from muniment.retrieval.engine import Retriever
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant

_OLD = "01900000-0000-7000-8000-"  # of June 2024


async def _failing(_context: JobContext, _tenant: int, _arguments: dict[str, Any]) -> dict[str, Any]:
    raise RuntimeError


async def _expire(database: Database, settings: Settings, tenant: Tenant) -> dict[str, Any]:
    return await expire(JobContext(database, settings), tenant.number, {})


async def test_ended_jobs_go_after_their_time_but_dead_waiting_and_new_ones_stay(
    database: Database, tenant: Tenant, other_tenant: Tenant, store: Store, quick: Settings
) -> None:
    for owner in (tenant, other_tenant):
        await put(database, owner, n=1)
    await put(database, tenant, "bad")
    once = quick.model_copy(update={"job_max_attempts": 1})
    await JobRunner(database, {"note": recording([]), "bad": _failing}, once).drain()
    await put(database, tenant, "later", delay=600.0)
    kept = store.jobs()
    assert await _expire(database, quick, tenant) == {"jobs": 0, "query_runs": 0}
    assert store.jobs() == kept
    rename = "update {0} set job_id = overlay(job_id::text placing '{1}' from 1 for 14)::uuid"
    store.rows(rename.format("muniment.job", _OLD[:14]))
    store.rows(rename.format("muniment_jobs.queue", _OLD[:14]))
    forever = quick.model_copy(update={"job_retention_days": 0.0})
    assert (await _expire(database, forever, tenant))["jobs"] == 0
    assert (await _expire(database, quick, tenant))["jobs"] == 1
    left = store.rows("select tenant_id, kind, outcome from muniment.job order by 1, 2")
    assert left == [
        (tenant.number, "bad", "dead"),
        (tenant.number, "later", None),
        (other_tenant.number, "note", "done"),
    ]


async def test_query_runs_go_after_their_time_with_their_steps_and_hits(
    database: Database, tenant: Tenant, store: Store, settings: Settings
) -> None:
    turns = [Message(role="user", content="The ferry leaves at noon.")]
    await Writer(database, None, None, settings).ingest_messages(tenant.number, Namespace(), turns, group_id="chat")
    retriever = Retriever(database, None, None, settings)
    for _ in range(2):
        await retriever.search(tenant.number, SearchRequest(query="When does the ferry leave?"))
    assert (await _expire(database, settings, tenant))["query_runs"] == 0
    oldest = "(select min(query_no) from muniment.query_run)"
    store.rows(f"update muniment.query_run set query_id = '{_OLD}000000000001' where query_no = {oldest}")  # noqa: S608
    assert (await _expire(database, settings, tenant))["query_runs"] == 1
    counts = "select (select count(distinct query_no) from muniment.{0})"
    assert [store.rows(counts.format(name)) for name in ("query_run", "query_stage", "query_hit")] == [[(1,)]] * 3


async def test_it_is_put_into_the_queue_once_for_every_tenant_that_has_had_jobs(
    database: Database, tenant: Tenant, other_tenant: Tenant, store: Store, quick: Settings
) -> None:
    await put(database, tenant)
    await put(database, other_tenant)
    await JobRunner(database, {"note": recording([])}, quick).drain()
    for _ in range(2):
        await schedule_expiry(database)
    assert [kind for kind, _, _ in store.queue()] == [KIND, KIND]


async def test_files_that_were_too_large_to_rewrite_are_tried_again(
    database: Database, tenant: Tenant, store: Store, settings: Settings
) -> None:
    async with database.scope(tenant.number) as scope:
        insert = """insert into muniment.erasure (tenant_id, erasure_id, reason, commit_no, records, purged_at)
                    values (:tenant, gen_random_uuid(), 'asked to', 1, 1, now())"""
        await scope.connection.execute(text(insert), {"tenant": tenant.number})
    await _expire(database, settings, tenant)
    assert [kind for kind, _, _ in store.queue()] == ["vacuum"]
    store.rows("delete from muniment_jobs.queue")
    store.rows("update muniment.erasure set vacuumed_at = now()")
    await _expire(database, settings, tenant)
    assert store.queue() == []
