"""The audit log: what is administered and erased is told with who did it, and a change to what was told is found."""

import asyncio
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from pydantic import SecretStr
from sqlalchemy import make_url

from muniment.api.app import create_app
from muniment.audit.acting import acting_as
from muniment.audit.chain import list_acts, record_act
from muniment.database.pool import Database
from muniment.database.setup import driver_conninfo
from muniment.errors import MunimentError
from muniment.log.validate import validate
from muniment.runtime import open_runtime
from muniment.settings import Settings
from muniment.tenancy.keys import create_key, revoke_key, rotate_key
from muniment.tenancy.principal import SCOPES
from muniment.tenancy.tenants import Tenant


async def _acts(database: Database, tenant: Tenant, count: int) -> None:
    for number in range(count):
        async with database.scope(tenant.number) as scope:
            await record_act(
                scope, "test.act", f"t{number}", number=number, name="Zoë", nested={"b": [1, None], "a": True}
            )


def _tamper(admin_url: str, statement: str) -> None:
    with psycopg.connect(driver_conninfo(make_url(admin_url)), autocommit=True) as admin:
        admin.execute(statement)


async def _wrong(database: Database, tenant: Tenant) -> list[tuple[str, Any]]:
    report = await validate(database, tenant.number)
    assert report.valid == (not report.findings)
    return [(found.detail, found.facts["entry"]) for found in report.findings if found.check == "audit"]


async def test_keys_are_told_with_their_actor_and_never_their_secret(database: Database, tenant: Tenant) -> None:
    with acting_as("member:u_1"):
        made = await create_key(database, tenant.number, "laptop", ["memory:read"])
    rotated = await rotate_key(database, tenant.number, made.key.id, grace=5)
    await revoke_key(database, tenant.number, made.key.id)
    entries = (await list_acts(database, tenant.number)).entries
    assert [(each.number, each.actor, each.action, each.target) for each in entries] == [
        (3, "local", "key.revoke", made.key.id),
        (2, "local", "key.rotate", made.key.id),
        (1, "member:u_1", "key.create", made.key.id),
    ]
    assert entries[-1].detail == {"label": "laptop", "scopes": ["memory:read"]}
    assert not [each for each in entries for secret in (made.secret, rotated.secret) if secret[4:12] in str(each)]
    assert await _wrong(database, tenant) == []


async def test_an_act_that_fails_is_not_told(database: Database, tenant: Tenant) -> None:
    with pytest.raises(MunimentError):
        await revoke_key(database, tenant.number, "k_" + "0" * 32)
    with pytest.raises(RuntimeError):
        async with database.scope(tenant.number) as scope:
            await record_act(scope, "test.act")
            raise RuntimeError
    assert (await list_acts(database, tenant.number)).entries == []


async def test_entries_of_many_at_once_make_one_chain(database: Database, tenant: Tenant, other_tenant: Tenant) -> None:
    await asyncio.gather(*(_acts(database, tenant, 3) for _ in range(4)), _acts(database, other_tenant, 2))
    first = await list_acts(database, tenant.number, limit=5)
    rest = await list_acts(database, tenant.number, limit=100, cursor=first.next)
    assert [each.number for each in (*first.entries, *rest.entries)] == list(range(12, 0, -1))
    assert rest.next is None
    assert len((await list_acts(database, other_tenant.number)).entries) == 2
    assert await _wrong(database, tenant) == [] == await _wrong(database, other_tenant)


_NOT_SAID = "the entry does not say what its digest is of"


@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        ("update muniment_auth.audit_entry set actor = 'nobody' where entry_no = 2", [(_NOT_SAID, 2)]),
        ("update muniment_auth.audit_entry set at = at + interval '1 us' where entry_no = 2", [(_NOT_SAID, 2)]),
        ("update muniment_auth.audit_entry set detail = detail - 'number' where entry_no = 3", [(_NOT_SAID, 3)]),
        ("update muniment_auth.audit_entry set target = null where entry_no = 4", [(_NOT_SAID, 4)]),
        ("delete from muniment_auth.audit_entry where entry_no = 2", [("entries before this one are missing", 3)]),
        (
            "delete from muniment_auth.audit_entry where entry_no = 4",
            [("entries are missing at the end, or there are some that nobody appended", 3)],
        ),
        (
            "update muniment_auth.audit_entry set digest = sha256('x') where entry_no = 2",
            [(_NOT_SAID, 2), ("the entry does not hold the digest of the one before it", 3)],
        ),
        (
            "update muniment_auth.audit_head set digest = sha256('x')",
            [("the last entry is not the one that was appended last", 4)],
        ),
        ("delete from muniment_auth.audit_entry", [("entries are missing at the end, or there are some that nobody "
                                                    "appended", 0)]),
    ],
)  # fmt: skip
async def test_what_was_changed_is_found(
    database: Database, tenant: Tenant, admin_url: str, statement: str, wrong: list[tuple[str, int]]
) -> None:
    await _acts(database, tenant, 4)
    _tamper(admin_url, statement)
    assert await _wrong(database, tenant) == wrong


async def test_another_tenants_entries_do_not_pass_for_ones_own(
    database: Database, tenant: Tenant, other_tenant: Tenant, admin_url: str
) -> None:
    await _acts(database, tenant, 1)
    for table in ("audit_entry", "audit_head"):
        columns = {"audit_entry": "entry_no, at, actor, action, target, detail, previous, digest",
                   "audit_head": "entries, digest"}[table]  # fmt: skip
        moved = f"insert into muniment_auth.{table} (tenant_id, {columns}) select {other_tenant.number}, {columns} "
        _tamper(admin_url, moved + f"from muniment_auth.{table}")
    assert await _wrong(database, other_tenant) == [(_NOT_SAID, 1)]


async def test_administration_and_erasing_over_rest_are_told_as_the_keys_acts(admin_url: str, tmp_path: Path) -> None:
    settings = Settings(
        database_url=SecretStr(admin_url), data_dir=tmp_path / "store", embedding_provider="none", pool_size=4,
        summaries="off", extraction="off",
    )  # fmt: skip
    async with open_runtime(settings, run_jobs=False) as runtime:
        app = create_app(settings, nullcontext(runtime))
        app.state.runtime = runtime
        made = await create_key(runtime.database, runtime.tenant.number, "admin", SCOPES)
        reader = await create_key(runtime.database, runtime.tenant.number, "reader", ["memory:read"])
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app=app), base_url="http://server/api/v1/",
            headers={"Authorization": f"Bearer {made.secret}"},
        ) as client:  # fmt: skip
            body = {"group_id": "chat", "messages": [{"role": "user", "content": "The kettle is blue."}]}
            (record,) = (await client.post("messages", json=body)).json()["items"][0]["record_ids"]
            policy = {"classes": {}, "retention": [{"days": 30, "action": "close"}], "reason": "the kettle law"}
            assert (await client.put("policy", json=policy)).status_code == 200
            assert (await client.put("relations/likes", json={"single": True})).status_code == 200
            assert (await client.put("retrieval-profiles/mine", json={"changes": {}})).status_code == 200
            erased = await client.post("erasures", json={"records": [record], "reason": "the kettle was Maya's"})
            created = await client.post("keys", json={"label": "more", "scopes": ["memory:read"]})
            entries = (await client.get("audit")).json()["entries"]
            denied = await client.get("audit", headers={"Authorization": f"Bearer {reader.secret}"})
            report = (await client.post("validate", json={})).json()
    mine = [entry for entry in reversed(entries) if entry["actor"] == f"key:{made.key.id}"]
    assert [(entry["action"], entry["target"]) for entry in mine] == [
        ("policy.put", None), ("relation.put", "likes"), ("profile.put", "mine"), ("erase", erased.json()["id"]),
        ("key.create", created.json()["key"]["id"]),
    ]  # fmt: skip
    assert "kettle" not in str(entries)  # no content, and no reason that may quote it
    assert denied.status_code == 403
    assert report["checks"]["audit"] == len(entries) and report["valid"], report["findings"]
