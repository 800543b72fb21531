"""Clients and members over REST and on the command line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from authorization import EMAIL, PASSWORD, Authorization

from muniment.audit.chain import list_acts
from muniment.errors import MunimentError
from muniment.tenancy.clients import list_clients, resolve_client, revoke_client, rotate_client
from muniment.tenancy.members import list_members, sign_in, signed_in
from muniment.tenancy.principal import pin_of
from muniment.tenancy.tenants import create_tenant


async def _administrator(oauth: Authorization) -> str:
    told = await oauth.token(grant_type="client_credentials", scope="tenant:admin")
    token: str = told.json()["access_token"]
    return token


async def test_clients_are_made_rotated_and_revoked_over_rest(oauth: Authorization) -> None:
    token = await _administrator(oauth)
    asked = {"name": "Importer", "grant_types": ["client_credentials"], "scopes": ["memory:read"],
             "pin": {"user_id": "maya"}, "auth_method": "client_secret_post"}  # fmt: skip
    made = (await oauth.api("clients", token, "POST", json=asked)).json()
    identifier, secret = made["client"]["id"], made["secret"]
    assert secret.startswith("mus_") and made["client"]["pin"]["user_id"] == "maya"
    form = {"grant_type": "client_credentials", "client_id": identifier}
    assert (await oauth.post("token", None, **form, client_secret=secret)).status_code == 200
    other = (await oauth.api(f"clients/{identifier}/rotate", token, "POST", json={})).json()["secret"]
    assert (await oauth.post("token", None, **form, client_secret=secret)).status_code == 401
    assert (await oauth.post("token", None, **form, client_secret=other)).status_code == 200
    listed = (await oauth.api("clients", token)).json()["clients"]
    assert identifier in {each["id"] for each in listed} and "secret" not in str(listed[-1].keys())
    assert (await oauth.api(f"clients/{identifier}", token, "DELETE")).status_code == 204
    assert (await oauth.post("token", None, **form, client_secret=other)).status_code == 401
    assert (await oauth.api("clients/o_nobody", token, "DELETE")).status_code == 404
    assert (await oauth.api(f"clients/{oauth.public.client.id}/rotate", token, "POST", json={})).status_code == 404


@pytest.mark.parametrize(
    "change",
    [
        {"grant_types": ["password"]}, {"grant_types": ["refresh_token"]}, {"scopes": ["admin"]}, {"name": " "},
        {"auth_method": "none"}, {"grant_types": ["authorization_code"]}, {"redirect_uris": ["http://evil.example/"]},
        {"pin": {"user_id": "maya"}, "scopes": ["tenant:admin"]}, {"secret": "mine"},
    ],
)  # fmt: skip
async def test_a_client_that_could_not_work_is_refused(oauth: Authorization, change: dict[str, object]) -> None:
    asked = {"name": "Importer", "grant_types": ["client_credentials"], "scopes": ["memory:read"]} | change
    answer = await oauth.api("clients", await _administrator(oauth), "POST", json=asked)
    assert (answer.status_code, answer.json()["code"]) == (400, "input.invalid")


async def test_members_are_made_suspended_and_deleted_over_rest(oauth: Authorization) -> None:
    token, database, tenant = await _administrator(oauth), oauth.runtime.database, oauth.tenant.number
    asked = {"email": "Liam@Example.org", "scopes": ["memory:read"], "password": PASSWORD}
    made = (await oauth.api("members", token, "POST", json=asked)).json()
    assert made["email"] == "liam@example.org" and made["has_password"] and "password" not in made
    assert (await oauth.api("members", token, "POST", json=asked)).json()["code"] == "auth.member_exists"
    session = await sign_in(database, tenant, "liam@example.org", PASSWORD)
    assert session is not None and await signed_in(database, tenant, session) is not None
    path = f"members/{made['id']}"
    assert (await oauth.api(path + "/suspend", token, "POST", json={})).json()["state"] == "suspended"
    assert await signed_in(database, tenant, session) is None
    assert await sign_in(database, tenant, "liam@example.org", PASSWORD) is None
    assert (await oauth.api(path + "/resume", token, "POST", json={})).json()["state"] == "active"
    changed = await oauth.api(path + "/password", token, "PUT", json={"password": "another long password"})
    assert changed.status_code == 204
    assert await sign_in(database, tenant, "liam@example.org", PASSWORD) is None
    assert await sign_in(database, tenant, "liam@example.org", "another long password") is not None
    assert (await oauth.api(path, token, "DELETE")).status_code == 204
    assert [member.email for member in await list_members(database, tenant)] == [EMAIL]
    acts = (await list_acts(database, tenant)).entries
    assert [act.action for act in reversed(acts)][-5:] == [
        "member.create", "member.suspend", "member.resume", "member.password", "member.delete",
    ]  # fmt: skip
    assert all(act.actor == f"client:{oauth.client.client.id}" for act in acts[:5])
    assert PASSWORD not in str(acts) and "liam" not in str(acts)


async def test_another_tenants_clients_members_and_sessions_are_not_there(oauth: Authorization) -> None:
    database = oauth.runtime.database
    other = (await create_tenant(database, "other")).number
    session = await sign_in(database, oauth.tenant.number, EMAIL, PASSWORD)
    assert session is not None and await signed_in(database, other, session) is None
    assert await sign_in(database, other, EMAIL, PASSWORD) is None
    assert await list_members(database, other) == [] == await list_clients(database, other)
    for work in (revoke_client, rotate_client):
        with pytest.raises(MunimentError) as caught:
            await work(database, other, oauth.client.client.id)
        assert caught.value.code == "auth.client_not_found"
    assert await resolve_client(database, oauth.client.client.id) is not None


def _run(data_dir: Path, *arguments: str, told: str = "", code: int = 0) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MUNIMENT_")}
    command = [sys.executable, "-m", "muniment.cli.main", *arguments, "--data-dir", str(data_dir)]
    program = f"import sys; sys.argv = {['muniment', *command[3:]]!r}; from muniment.cli.main import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", program], input=told, capture_output=True, text=True, env=clean, timeout=240, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + ("" if code == 0 else done.stderr)


def test_clients_and_members_on_the_command_line(tmp_path: Path) -> None:
    store = tmp_path / "store"
    made = _run(store, "client", "create", "Importer", "--scope", "memory:read", "--pin-user", "maya")
    identifier = made.split()[0]
    assert identifier.startswith("o_") and "mus_" in made
    assert identifier in _run(store, "client", "list")
    member = _run(store, "member", "create", EMAIL, "--scope", "memory:read", "--password", told=PASSWORD + "\n")
    assert member.startswith("u_") and PASSWORD not in member
    assert "yes" in _run(store, "member", "list")
    assert "revoked" in _run(store, "client", "revoke", identifier)
    adding = ("issuers", "add", "https://login.invalid", "--scope", "memory:read", "--user-claim", "email")
    assert "auth.issuer_unfit" in _run(store, *adding, code=3)
    issuer = _run(store, *adding, "--unchecked")
    assert issuer.startswith("i_") and issuer.split()[0] in _run(store, "issuers", "list")
    assert "removed" in _run(store, "issuers", "remove", issuer.split()[0])
    told = _run(store, "audit")
    assert "issuer.add" in told and "issuer.remove" in told
    assert "client.create" in told and "member.create" in told and "cli" in told


def test_pins_are_compared_field_by_field() -> None:
    from muniment.oauth.grants import both_pins

    atlas, maya = pin_of("atlas", None, None), pin_of(None, "maya", None)
    assert both_pins(atlas, maya) == pin_of("atlas", "maya", None) == both_pins(maya, both_pins(atlas, maya))
    assert both_pins(None, maya) == maya == both_pins(maya, None)
    with pytest.raises(ValueError, match="user_id"):
        both_pins(maya, pin_of("atlas", "liam", None))
