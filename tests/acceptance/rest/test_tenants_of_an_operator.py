"""Tenants over REST: for a credential of the store's own tenant, where the server says so, and for nobody else."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

import muniment.deletion
from muniment.api.app import create_app
from muniment.archive.format import read_through
from muniment.audit.chain import list_acts
from muniment.runtime import Runtime, open_runtime
from muniment.settings import Settings
from muniment.tenancy.keys import create_key
from muniment.tenancy.principal import SCOPES
from muniment.tenancy.tenants import find_tenant

BATCH = {"group_id": "chat", "messages": [{"role": "user", "content": "The ferry leaves at noon."}]}


@asynccontextmanager
async def _server(admin_url: str, place: Path, *, operator: bool) -> AsyncIterator[tuple[Runtime, Any]]:
    """The app over a database of its own; a function gives clients of it by their keys."""
    settings = Settings(
        database_url=SecretStr(admin_url), data_dir=place, pool_size=4, embedding_provider="none", extraction="off",
        summaries="off", operator_interface=operator,
    )  # fmt: skip
    async with open_runtime(settings, run_jobs=False) as runtime:
        app = create_app(settings, nullcontext(runtime))
        app.state.runtime = runtime
        transport = httpx.ASGITransport(app)

        def client(secret: str) -> httpx.AsyncClient:
            headers = {"Authorization": f"Bearer {secret}"}
            return httpx.AsyncClient(transport=transport, base_url="http://test/api/v1", headers=headers)

        yield runtime, client


async def test_an_operator_makes_limits_exports_and_deletes_a_tenant(
    admin_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(muniment.deletion, "CACHE_SECONDS", 0.0)
    async with _server(admin_url, tmp_path / "data", operator=True) as (runtime, client):
        key = await create_key(runtime.database, runtime.tenant.number, "operator", ["tenant:admin"])
        async with client(key.secret) as operator:
            made = (await operator.post("/tenants", json={"name": "Second"})).json()
            place = f"/tenants/{made['id']}"
            assert [each["name"] for each in (await operator.get("/tenants")).json()["tenants"]] == [
                "default",
                "Second",
            ]
            put = await operator.put(f"{place}/quota", json={"records": 1})
            assert put.json()["records"] == {"used": 0, "limit": 1, "default": False}
            async with client(made["secret"]) as theirs:
                assert (await theirs.post("/messages", json=BATCH)).status_code in (200, 201, 202)
                over = await theirs.post("/messages", json=BATCH | {"group_id": "other"})
                assert over.json()["code"] == "quota.records_exceeded"
                for path in ("/tenants", place, f"{place}/quota", f"{place}/archive", "/tenants/deletions"):
                    assert (await theirs.get(path)).json()["code"] == "auth.operator_only"
                assert (await theirs.put(f"{place}/quota", json={})).json()["code"] == "auth.operator_only"
            tenant = await find_tenant(runtime.database, made["id"])
            acts = [(act.action, act.actor) for act in (await list_acts(runtime.database, tenant.number)).entries]
            assert acts[0] == ("quota.put", f"key:{key.key.id}")
            wanted: dict[str, Any] = {"without_export": True}
            assert (await operator.post(f"{place}/delete", json=wanted)).json()["code"] == "tenant.not_suspended"
            assert (await operator.post(f"{place}/suspend")).json()["state"] == "suspended"
            archive = tmp_path / "kept.jsonl"
            archive.write_bytes((await operator.get(f"{place}/archive")).content)
            summary = read_through(archive)[1]
            proof = summary.model_dump(include={"sha256", "entries", "root"})
            for body in ({}, {"export": proof, "without_export": True}):
                assert (await operator.post(f"{place}/delete", json=body)).status_code == 400
            for untrue in ({"entries": 0}, {"sha256": "0" * 64}, {"root": "0" * 64}):
                refused = await operator.post(f"{place}/delete", json={"export": proof | untrue})
                assert (refused.status_code, refused.json()["code"]) == (409, "tenant.changed"), untrue
            begun = await operator.post(f"{place}/delete", json={"export": proof})
            own = (await list_acts(runtime.database, runtime.tenant.number)).entries
            of_them = [act.action for act in own if act.target == made["id"]]
            done = ["tenant.delete", "tenant.export", "tenant.suspend", "quota.put", "tenant.create"]
            assert [action for action in of_them if action in done] == done, "what was done to it outlives its own log"
            assert (begun.status_code, begun.json()["state"]) == (202, "deleting"), begun.text
            assert await runtime.runner.drain(60)
            receipt = (await operator.get(f"{place}/deletion")).json()
            assert receipt["state"] == "vacuumed" and receipt["export_sha256"] == summary.sha256
            assert receipt["rows"]["muniment.record"] == 1
            assert (await operator.get("/tenants/deletions")).json()["deletions"] == [receipt]
            assert (await operator.get(place)).json()["code"] == "tenant.not_found"


async def test_without_the_setting_and_with_a_pin_nobody_is_the_operator(admin_url: str, tmp_path: Path) -> None:
    async with _server(admin_url, tmp_path / "data", operator=False) as (runtime, client):
        key = await create_key(runtime.database, runtime.tenant.number, "all", SCOPES)
        async with client(key.secret) as all_scopes:
            assert (await all_scopes.get("/tenants")).json()["code"] == "auth.operator_only"
            assert (await all_scopes.post("/tenants", json={"name": "x"})).json()["code"] == "auth.operator_only"
        reader = await create_key(runtime.database, runtime.tenant.number, "reader", ["memory:read"])
        async with client(reader.secret) as other:
            assert (await other.get("/tenants")).json()["code"] == "auth.scope_missing"
