"""Whoever administers a memory does it by the same calls over a store and over a server."""

from collections.abc import AsyncIterator, Awaitable
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

import muniment.deletion
from muniment.api.app import create_app
from muniment.errors import MunimentError
from muniment.memory import AsyncMuniment
from muniment.memory.local import LocalMuniment
from muniment.memory.remote import RemoteMuniment
from muniment.model.namespace import Namespace
from muniment.runtime import Runtime, open_runtime
from muniment.settings import Settings
from muniment.tenancy.keys import create_key
from muniment.tenancy.principal import SCOPES


@pytest.fixture
def operated(admin_url: str, tmp_path: Path) -> Settings:
    return Settings(
        database_url=SecretStr(admin_url), data_dir=tmp_path / "store", pool_size=4, embedding_provider="none",
        extraction="off", summaries="off", operator_interface=True, run_jobs_here=False, close_drain=0.0,
    )  # fmt: skip


@pytest.fixture
async def runtime(operated: Settings) -> AsyncIterator[Runtime]:
    async with open_runtime(operated, run_jobs=False) as opened:
        yield opened


def _connected(runtime: Runtime, secret: str) -> RemoteMuniment:
    app = create_app(runtime.settings, nullcontext(runtime))
    app.state.runtime = runtime
    return RemoteMuniment("http://server", secret, Namespace(), 60.0, transport=httpx.ASGITransport(app=app))


@pytest.fixture(params=["local", "remote"])
async def memory(request: pytest.FixtureRequest, runtime: Runtime, operated: Settings) -> AsyncIterator[AsyncMuniment]:
    if request.param == "local":
        opened: AsyncMuniment = LocalMuniment(operated, Namespace())
    else:
        key = await create_key(runtime.database, runtime.tenant.number, "test", SCOPES)
        opened = _connected(runtime, key.secret)
    async with opened:
        yield opened


async def _code(awaitable: Awaitable[Any]) -> str:
    with pytest.raises(MunimentError) as caught:
        await awaitable
    return caught.value.code


async def test_keys_are_made_rotated_and_revoked(memory: AsyncMuniment, runtime: Runtime) -> None:
    before = len(await memory.keys())
    made = await memory.create_key("reader", scopes=["memory:read", "query:read"], pin={"user_id": "maya"})
    assert made.secret not in repr(made)
    async with _connected(runtime, made.secret) as reader:
        assert (await reader.records()).records == []
        assert await _code(reader.keys()) == "auth.scope_missing"
    again = await memory.rotate_key(made.key.id, grace=0)
    assert again.key.id == made.key.id and again.secret != made.secret
    await memory.revoke_key(made.key.id)
    (listed,) = (await memory.keys())[before:]
    assert (listed.label, listed.state, listed.scopes) == ("reader", "revoked", ["memory:read", "query:read"])
    assert listed.pin is not None and listed.pin.user_id == "maya"
    assert await _code(memory.rotate_key(made.key.id)) == "auth.key_ended"
    assert await _code(memory.revoke_key("k_" + "0" * 32)) == "auth.key_not_found"
    assert await _code(memory.revoke_key("../tenants")) == "auth.key_not_found"
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"scopes": []}, "input.invalid"), ({"scopes": ["memory:burn"]}, "input.invalid"),
        ({"scopes": ["tenant:admin"], "pin": {"user_id": "maya"}}, "input.invalid"),
        ({"scopes": ["memory:read"], "pin": {}}, "input.invalid"),
        ({"scopes": ["memory:read"], "pin": {"usr": "maya"}}, "input.invalid"),
        ({"scopes": ["memory:read"], "expires_at": datetime(2020, 1, 1, tzinfo=UTC)}, "input.time_invalid"),
        ({"scopes": ["memory:read"], "expires_at": datetime(2999, 1, 1)}, "input.time_without_zone"),
    ]  # fmt: skip
    for given, code in wrong:
        assert await _code(memory.create_key("wrong", **given)) == code, given


async def test_clients_and_providers_come_and_go(memory: AsyncMuniment) -> None:
    made = await memory.create_client("Import", scopes=["memory:write"])
    desk = await memory.create_client(
        "Desk", scopes=["memory:read"], grant_types=["authorization_code"], redirect_uris=["https://desk.example/back"],
        auth_method="none", pin={"project_id": "atlas"},
    )  # fmt: skip
    assert made.secret is not None and made.secret not in repr(made) and desk.secret is None
    assert (await memory.rotate_client(made.client.id)).secret != made.secret
    await memory.revoke_client(made.client.id)
    first, second = await memory.clients()
    assert first.revoked_at is not None and second == desk.client
    assert (second.redirect_uris, second.auth_method) == (["https://desk.example/back"], "none")
    assert await _code(memory.create_client("x", scopes=["memory:read"], grant_types=["password"])) == "input.invalid"
    assert await _code(memory.rotate_client("o_" + "0" * 32)) == "auth.client_not_found"

    sso, scopes = "https://sso.invalid", ["memory:read"]
    assert await _code(memory.add_issuer(sso, scopes=scopes)) == "auth.issuer_unfit"
    issuer = await memory.add_issuer(sso, scopes=scopes, user_claim="email", unchecked=True)
    assert await memory.issuers() == [issuer]
    assert await _code(memory.add_issuer(sso, scopes=scopes, unchecked=True)) == "auth.issuer_exists"
    await memory.remove_issuer(issuer.id)
    assert await memory.issuers() == []
    assert await _code(memory.remove_issuer(issuer.id)) == "auth.issuer_not_found"


async def test_members_are_made_suspended_and_deleted(memory: AsyncMuniment) -> None:
    made = await memory.create_member("Maya@example.org", scopes=["memory:read"], password="a long sentence")
    assert (made.email, made.has_password, made.state) == ("maya@example.org", True, "active")
    assert await _code(memory.create_member("maya@example.org", scopes=["memory:read"])) == "auth.member_exists"
    await memory.set_password(made.id, "another long sentence")
    assert await _code(memory.set_password(made.id, "short")) == "input.invalid"
    assert (await memory.suspend_member(made.id)).state == "suspended"
    assert (await memory.members())[0].state == "suspended"
    assert await memory.resume_member(made.id) == made
    await memory.delete_member(made.id)
    assert await memory.members() == []
    assert await _code(memory.delete_member(made.id)) == "auth.member_not_found"


async def test_sql_logins_are_made_rotated_and_dropped(memory: AsyncMuniment) -> None:
    made = await memory.create_sql_login("reports", connections=2)
    try:
        assert made.password not in repr(made)
        listed = (await memory.sql_logins()).logins
        assert [(login.name, login.label, login.connections) for login in listed] == [(made.name, "reports", 2)]
        end = datetime(2999, 1, 1, tzinfo=UTC)
        again = await memory.rotate_sql_login(made.name, valid_until=end)
        assert again.password != made.password and again.valid_until == end
        assert await _code(memory.create_sql_login(connections=33)) == "input.invalid"
    finally:
        await memory.drop_sql_login(made.name)
    assert await _code(memory.drop_sql_login(made.name)) == "sql_login.not_found"
    assert await _code(memory.rotate_sql_login("../keys")) == "sql_login.not_found"


async def test_what_is_done_is_told_to_the_audit_log(memory: AsyncMuniment) -> None:
    own = await memory.own_tenant()
    assert own.name == "default"
    await memory.create_member("maya@example.org", scopes=["memory:read"])
    page = await memory.audit(limit=1)
    (entry,) = page.entries
    assert entry.action == "member.create"
    assert entry.actor == "local" or entry.actor.startswith("key:k_")
    await memory.put_quota(own.id, records=7)
    assert (await memory.quota()).records.limit == 7
    assert (await memory.audit(cursor=page.next)).entries[:1] != page.entries[:1]
    assert {act.action for act in (await memory.audit()).entries} >= {"member.create", "quota.put"}


async def test_an_operator_makes_limits_and_deletes_tenants(
    memory: AsyncMuniment, operated: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(muniment.deletion, "CACHE_SECONDS", 0.0)
    made = await memory.create_tenant("Second")
    assert made.secret not in repr(made)
    own = await memory.own_tenant()
    assert [(each.id, each.name) for each in await memory.tenants()] == [(own.id, "default"), (made.id, "Second")]
    quota = await memory.put_quota(made.id, records=5, concurrent_searches=0)
    assert (quota.records.limit, quota.concurrent_searches.limit, quota.bytes.default) == (5, None, True)
    assert await memory.tenant_quota(made.id) == quota
    assert await _code(memory.put_quota(made.id, records=-1)) == "input.invalid"
    async with LocalMuniment(operated, Namespace(), tenant=made.id) as theirs:
        assert (await theirs.own_tenant()).id == made.id
        assert [key.label for key in await theirs.keys()] == ["first key"]
        assert (await theirs.quota()).records.limit == 5
    assert await _code(memory.delete_tenant(made.id, without_export=True)) == "tenant.not_suspended"
    assert (await memory.suspend_tenant(made.id)).state == "suspended"
    assert (await memory.resume_tenant(made.id)).state == "active"
    await memory.suspend_tenant(made.id)
    assert (await memory.tenant(made.id)).state == "suspended"
    kept = await memory.export_tenant(made.id, tmp_path / "second.jsonl")
    assert await _code(memory.delete_tenant(made.id)) == "input.invalid"
    receipt = await memory.delete_tenant(made.id, export=kept)
    assert (receipt.state, receipt.export_sha256) == ("deleting", kept.sha256)
    assert await memory.tenant_deletion(made.id) == receipt
    assert await memory.tenant_deletions() == [receipt]
    acts = [act.action for act in (await memory.audit()).entries if act.target == made.id]
    wanted = ["tenant.delete", "tenant.export", "tenant.suspend", "tenant.resume", "tenant.suspend", "quota.put"]
    assert acts == [*wanted, "tenant.create"]
    assert await _code(memory.suspend_tenant(own.id)) == "tenant.kept"
    for missing in ("t_" + "0" * 32, "../keys"):
        assert await _code(memory.tenant(missing)) == "tenant.not_found"
        assert await _code(memory.tenant_deletion(missing)) == "tenant.deletion_not_found"


async def test_a_store_is_not_opened_for_a_tenant_that_is_not_there(operated: Settings) -> None:
    memory = LocalMuniment(operated, Namespace(), tenant="t_" + "0" * 32)
    assert await _code(memory.start()) == "tenant.not_found"
    await memory.close()
