"""Tenants of one store: made, listed, suspended and resumed; and what of them a credential sees."""

import json
import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from authorization import EMAIL, PASSWORD, Authorization, error
from sqlalchemy import make_url

from muniment.audit.chain import list_acts
from muniment.database.setup import driver_conninfo
from muniment.errors import MunimentError
from muniment.model.identifiers import TENANT, public_id
from muniment.oauth.tokens import forget_tokens
from muniment.tenancy import keys
from muniment.tenancy.clients import create_client
from muniment.tenancy.keys import create_key, resolve_key
from muniment.tenancy.members import create_member, sign_in
from muniment.tenancy.principal import SCOPES
from muniment.tenancy.sql_logins import ensure_login
from muniment.tenancy.tenants import admit_tenant, find_tenant, list_tenants, resume_tenant, suspend_tenant


async def test_a_suspended_tenant_lets_nobody_in_until_it_is_resumed(oauth: Authorization, admin_url: str) -> None:
    database = oauth.runtime.database
    tenant = await admit_tenant(database, "Second")
    identifier = public_id(TENANT, tenant.public_id)
    key = await create_key(database, tenant.number, "key", ["memory:read"])
    client = await create_client(
        database, tenant.number, "client", grant_types=["client_credentials"], scopes=["memory:read"]
    )
    await create_member(database, tenant.number, EMAIL, ["memory:read"], password=PASSWORD)
    login = await ensure_login(admin_url, tenant)
    token = (await oauth.token(client, grant_type="client_credentials")).json()["access_token"]

    async def doors() -> list[bool]:
        keys._ring(database).forget(keys._digest(key.secret))
        forget_tokens(database)  # as in five seconds
        try:
            opened = (await resolve_key(database, key.secret)).tenant == tenant.number
        except MunimentError:
            opened = False
        with psycopg.connect(driver_conninfo(make_url(admin_url).set(username=login))) as reader:
            counted = reader.execute("select count(*) from muniment.log_head").fetchone()
        return [
            opened,
            (await oauth.api("records", token)).status_code == 200,
            (await oauth.token(client, grant_type="client_credentials")).status_code == 200,
            counted == (1,),
        ]

    assert await doors() == [True] * 4
    assert (await suspend_tenant(database, identifier)).state == "suspended"
    assert await doors() == [False] * 4
    assert error(await oauth.token(client, grant_type="client_credentials"))[1] == "invalid_client"
    assert (await oauth.token(grant_type="client_credentials")).status_code == 200  # the other tenant goes on
    assert (await resume_tenant(database, identifier)).state == "active"
    assert await doors() == [True] * 4
    assert await sign_in(database, tenant.number, EMAIL, PASSWORD) is not None
    acts = [act.action for act in (await list_acts(database, tenant.number)).entries]
    assert acts[:2] == ["tenant.resume", "tenant.suspend"] and acts[-1] == "tenant.create"


async def test_the_stores_own_tenant_and_strangers_are_not_suspended(oauth: Authorization) -> None:
    database = oauth.runtime.database
    (own,) = await list_tenants(database)
    with pytest.raises(MunimentError) as caught:
        await suspend_tenant(database, own.id)
    assert caught.value.code == "tenant.kept"
    for strange in ("t_" + "0" * 32, own.id.replace("t_", "k_"), "nonsense", ""):
        with pytest.raises(MunimentError) as caught:
            await find_tenant(database, strange)
        assert caught.value.code == "tenant.not_found"
    with pytest.raises(MunimentError) as caught:
        await admit_tenant(database, " \n ")
    assert caught.value.code == "input.invalid"


async def test_a_credential_sees_its_own_tenant_alone(oauth: Authorization) -> None:
    await admit_tenant(oauth.runtime.database, "Second")
    token = (await oauth.token(grant_type="client_credentials", scope="tenant:admin")).json()["access_token"]
    told = (await oauth.api("tenant", token)).json()
    assert told["id"] == public_id(TENANT, oauth.tenant.public_id) and told["name"] == "default"
    reader = (await oauth.token(grant_type="client_credentials", scope="memory:read")).json()["access_token"]
    assert (await oauth.api("tenant", reader)).status_code == 403
    assert (await oauth.api("tenants", token)).status_code == 403  # the server lets nobody operate it over REST


def _run(data_dir: Path, *arguments: str, code: int = 0) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MUNIMENT_")}
    given = ["muniment", *arguments, "--data-dir", str(data_dir)]
    script = f"import sys; sys.argv = {given!r}; from muniment.cli.main import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=clean, timeout=240, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_tenants_on_the_command_line(tmp_path: Path) -> None:
    store = tmp_path / "store"
    made = json.loads(_run(store, "tenant", "create", "Second", "--json"))
    assert made["id"].startswith("t_") and made["secret"].startswith("mun_")
    assert [each["name"] for each in json.loads(_run(store, "tenant", "list", "--json"))["tenants"]] == [
        "default", "Second",
    ]  # fmt: skip
    listed = json.loads(_run(store, "key", "list", "--tenant", made["id"], "--json"))["keys"]
    assert [key["id"] for key in listed] == [made["key"]] and set(listed[0]["scopes"]) == set(SCOPES)
    assert "tenant.create" in _run(store, "audit", "--tenant", made["id"])
    assert "suspended" in _run(store, "tenant", "suspend", made["id"])
    assert "input.invalid" in _run(store, "tenant", "delete", made["id"], code=3)
    archive = tmp_path / "kept.jsonl.gz"
    receipt = json.loads(_run(store, "tenant", "delete", made["id"], "--export", str(archive), "--json"))
    assert receipt["export_sha256"] and receipt["deleted_at"] and archive.exists()
    assert receipt["root"] in _run(store, "tenant", "deletion", made["id"])
    told = _run(store, "audit")
    assert all(act in told for act in ("tenant.create", "tenant.suspend", "tenant.deleted"))
    assert "tenant.not_found" in _run(store, "tenant", "resume", made["id"], code=4)
    assert "tenant.not_found" in _run(store, "key", "list", "--tenant", "t_nobody", code=4)
