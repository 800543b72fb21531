"""Retention: what is past its time is closed or erased, by entries of the log, and nothing else is touched."""

from typing import Any

import pytest
from job_store import Store

from muniment.database.pool import Database
from muniment.jobs.context import JobContext
from muniment.jobs.expiring import expire
from muniment.log.erasure import list_erasures
from muniment.log.history import history
from muniment.log.policies import put_policy
from muniment.log.records import get_record, list_records
from muniment.log.validate import validate
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.policy import RetentionRule, SensitiveRule
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant

OLD, NEW = "The old ferry was red.", "The new ferry is blue."
MAIL = "Write to maya@example.com."


@pytest.fixture
async def aged(database: Database, tenant: Tenant, settings: Settings, store: Store) -> list[str]:
    """Ids of records: an old one, an old one that is marked, a new one."""
    writer = Writer(database, None, None, settings)
    await _policy(database, tenant, [])
    ids: list[str] = []
    for said in ([OLD, MAIL], [NEW]):
        messages = [Message(role="user", content=each) for each in said]
        run = await writer.ingest_messages(tenant.number, Namespace(), messages, group_id="chat")
        ids += run.items[0].record_ids
        if said[0] == OLD:
            store.rows("update muniment.log_commit set at = at - interval '40 days'")
    return ids


async def _policy(database: Database, tenant: Tenant, retention: list[RetentionRule]) -> None:
    classes = {"email": SensitiveRule(ingest="mark")}
    await put_policy(database, tenant.number, classes=classes, retention=retention, reason="a test")  # type: ignore[arg-type]


async def _expire(database: Database, settings: Settings, tenant: Tenant) -> dict[str, Any]:
    return await expire(JobContext(database, settings), tenant.number, {})


async def _live(database: Database, tenant: Tenant) -> list[str | None]:
    return [each.text for each in (await list_records(database, tenant.number, Namespace())).records]


async def test_what_is_old_is_closed_and_the_log_says_why(
    database: Database, tenant: Tenant, settings: Settings, aged: list[str]
) -> None:
    await _policy(database, tenant, [RetentionRule(days=30, action="close")])
    done = await _expire(database, settings, tenant)
    assert (done["closed"], done["erased"]) == (2, 0)
    assert await _live(database, tenant) == [NEW]
    entries = (await history(database, tenant.number, aged[0])).entries
    assert [(entry.event, (entry.detail or {}).get("reason")) for entry in entries][1:] == [
        ("forget", "retention: 30 days, by the policy of commit 4"), ("close", "forget"),
    ]  # fmt: skip
    assert (await _expire(database, settings, tenant))["closed"] == 0


async def test_what_is_old_and_of_a_class_is_erased_for_good_and_only_that(
    database: Database, tenant: Tenant, settings: Settings, aged: list[str]
) -> None:
    await _policy(database, tenant, [RetentionRule(days=30, action="erase", sensitive="email")])
    assert (await _expire(database, settings, tenant))["erased"] == 1
    assert await _live(database, tenant) == [OLD, NEW]
    assert (await get_record(database, tenant.number, aged[1])).text is None
    (receipt,) = await list_erasures(database, tenant.number)
    assert receipt.reason == "retention of email: 30 days, by the policy of commit 4"
    assert (await _expire(database, settings, tenant))["erased"] == 0


async def test_what_was_closed_is_erased_too_and_what_is_young_stays(
    database: Database, tenant: Tenant, other_tenant: Tenant, settings: Settings, aged: list[str], store: Store
) -> None:
    await _policy(database, tenant, [RetentionRule(days=50, action="erase"), RetentionRule(days=30, action="close")])
    assert await _expire(database, settings, tenant) == {"closed": 2, "erased": 0, "jobs": 0, "query_runs": 0}
    await _policy(database, tenant, [RetentionRule(days=35, action="erase")])
    assert (await _expire(database, settings, tenant))["erased"] == 2
    assert await _live(database, tenant) == [NEW]
    assert store.rows("select text from muniment.record_content") == [(NEW,)]
    assert "closed" not in await _expire(database, settings, other_tenant)


async def test_the_log_still_validates_after_a_retention(
    database: Database, tenant: Tenant, settings: Settings
) -> None:
    writer = Writer(database, None, None, settings)
    messages = [Message(role="user", content=OLD), Message(role="user", content=MAIL)]
    await writer.ingest_messages(tenant.number, Namespace(), messages, group_id="chat")
    await _policy(database, tenant, [RetentionRule(days=1e-9, action="erase")])
    assert (await _expire(database, settings, tenant))["erased"] == 2
    assert (await validate(database, tenant.number)).findings == []
