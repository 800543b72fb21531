"""The operators' dashboards: counts across tenants, computed by a job, for muniment_ops alone."""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import errors
from psycopg.sql import SQL, Identifier
from pydantic import SecretStr
from sqlalchemy import make_url

from muniment.database.setup import driver_conninfo
from muniment.jobs.reporting import schedule_report
from muniment.memory.local import LocalMuniment
from muniment.model.namespace import Namespace
from muniment.model.sql_logins import SqlLoginRequest
from muniment.runtime import Runtime, open_runtime
from muniment.settings import Settings
from muniment.tenancy.sql_logins import create_login, drop_login
from muniment.tenancy.tenants import create_tenant

VIEWS = ("tenants", "usage", "claims", "groups", "freshness")
SECRET = "zanzibar"


@pytest.fixture
async def runtime(admin_url: str, tmp_path: Path) -> AsyncIterator[Runtime]:
    """A store of two tenants: one was told three things and asked one, of the other one was forgotten."""
    settings = Settings(
        database_url=SecretStr(admin_url), data_dir=tmp_path / "store", embedding_provider="none", pool_size=4,
        summaries="off",
    )  # fmt: skip
    async with open_runtime(settings, run_jobs=False) as opened:
        memory = LocalMuniment(settings, Namespace(project_id=SECRET))
        memory._runtime = opened
        for content in ("I live in Oslo.", "I work at Acme.", f"Good morning, {SECRET}."):
            await memory.ingest_messages([{"speaker": SECRET, "content": content}], group_id=SECRET)
        await opened.runner.drain()
        await memory.query(f"Where does {SECRET} live?")
        default = opened.tenant
        opened.tenant = await create_tenant(opened.database, "second")
        await memory.ingest_messages([{"speaker": "Tom", "content": "Never mind."}], group_id="chat")
        (record,) = (await memory.records()).records
        await memory.forget([record.id], reason="asked")
        opened.tenant = default
        await opened.runner.drain()
        yield opened


def _rows(admin_url: str, user: str, view: str) -> list[dict[str, Any]]:
    with psycopg.connect(driver_conninfo(make_url(admin_url).set(username=user))) as connection:
        cursor = connection.execute(SQL("select * from ops.{}").format(Identifier(view)))
        names = [column.name for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


@pytest.fixture
def operator(admin_url: str) -> Iterator[str]:
    """A login of the group muniment_ops."""
    with psycopg.connect(driver_conninfo(admin_url), autocommit=True) as superuser:
        superuser.execute("create role test_operator login in role muniment_ops")
        yield "test_operator"
        superuser.execute("drop role test_operator")


async def test_a_job_counts_what_all_tenants_hold_and_do(runtime: Runtime, admin_url: str, operator: str) -> None:
    assert _rows(admin_url, operator, "tenants") == [], "computed when there was nobody"
    before = datetime.now(UTC)
    await schedule_report(runtime.database)
    await schedule_report(runtime.database)
    await runtime.runner.drain()
    first, second = sorted(_rows(admin_url, operator, "tenants"), key=lambda row: row["created_at"])
    assert (first["tenant"], first["name"]) == (runtime.tenant.public_id, "default")
    assert {name: first[name] for name in ("live_records", "closed_records", "live_facts", "groups", "sources")} == {
        "live_records": 3, "closed_records": 0, "live_facts": 2, "groups": 1, "sources": 1,
    }  # fmt: skip
    assert {name: second[name] for name in ("live_records", "closed_records", "live_facts")} == {
        "live_records": 0, "closed_records": 1, "live_facts": 0,
    }  # fmt: skip
    assert first["queued_jobs"] + first["dead_jobs"] + second["queued_jobs"] == 0
    (freshness,) = _rows(admin_url, operator, "freshness")
    assert before < freshness["refreshed_at"] <= datetime.now(UTC)
    usage = {row["tenant"]: row for row in _rows(admin_url, operator, "usage")}
    assert usage[first["tenant"]]["questions"] == 1
    assert usage[first["tenant"]]["records"] == 5
    assert usage[second["tenant"]]["records"] == 1
    claims = [(row["tenant"], row["status"], row["claims"]) for row in _rows(admin_url, operator, "claims")]
    assert claims == [(first["tenant"], "ACTIVE", 2)]
    groups = {row["tenant"]: row["records"] for row in _rows(admin_url, operator, "groups")}
    assert groups == {first["tenant"]: 3, second["tenant"]: 1}


async def test_no_word_of_a_tenant_is_in_them(runtime: Runtime, admin_url: str, operator: str) -> None:
    async with runtime.database.scope(runtime.tenant.number) as scope:
        await scope.execute("ops.refresh")
    shown = str([_rows(admin_url, operator, view) for view in VIEWS])
    assert str(runtime.tenant.public_id) in shown
    assert SECRET not in shown


@pytest.mark.parametrize("view", VIEWS)
async def test_operators_alone_read_them(runtime: Runtime, admin_url: str, operator: str, view: str) -> None:
    made = await create_login(runtime.database, admin_url, runtime.tenant.number, SqlLoginRequest(), seconds=60)
    for user in (made.name, "muniment_app"):
        with pytest.raises(errors.InsufficientPrivilege):
            _rows(admin_url, user, view)
    await drop_login(runtime.database, admin_url, runtime.tenant.number, made.name)
    _rows(admin_url, operator, view)


@pytest.mark.parametrize(
    "attempt",
    [
        "select * from muniment.record",
        "select * from analytics.records",
        "select * from muniment_auth.tenant",
        "select * from muniment_jobs.queue",
        "select ops.refresh()",
        "refresh materialized view ops.tenants",
        "delete from ops.tenants",
        "create table ops.mine (a int)",
        "set role muniment_reporter",
    ],
)
def test_operators_read_and_do_nothing_else(admin_url: str, operator: str, attempt: str) -> None:
    of_operator = driver_conninfo(make_url(admin_url).set(username=operator))
    with (
        psycopg.connect(of_operator, autocommit=True) as connection,
        pytest.raises((errors.InsufficientPrivilege, errors.WrongObjectType)),
    ):
        connection.execute(attempt.encode())
