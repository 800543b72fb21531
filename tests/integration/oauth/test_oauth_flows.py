"""The flows of OAuth, from the first request to a call of the API; and what ends them."""

import asyncio
import json

import pytest
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata
from authorization import BACK, ISSUER, PASSWORD, Authorization, Verifier, csrf, error, returned

from muniment.audit.chain import list_acts
from muniment.model.quotas import QuotaChange
from muniment.oauth import flows
from muniment.oauth.tokens import forget_tokens
from muniment.tenancy.clients import create_client, revoke_client
from muniment.tenancy.members import delete_member, resume_member, set_password, suspend_member
from muniment.tenancy.principal import SCOPES, pin_of
from muniment.tenancy.quotas import put_quota

DEVICE = "urn:ietf:params:oauth:grant-type:device_code"


async def test_a_client_acts_for_itself_with_the_scopes_that_it_asks_for(oauth: Authorization) -> None:
    answer = await oauth.token(grant_type="client_credentials", scope="query:read memory:read")
    told = answer.json()
    assert (answer.status_code, told["scope"], told["token_type"]) == (200, "memory:read query:read", "Bearer")
    assert "refresh_token" not in told and answer.headers["cache-control"] == "no-store"
    assert (await oauth.api("records", told["access_token"])).status_code == 200
    denied = await oauth.api("keys", told["access_token"])
    assert denied.status_code == 403
    assert 'error="insufficient_scope", scope="tenant:admin"' in denied.headers["www-authenticate"]


async def test_without_a_secret_or_with_a_wrong_one_a_client_gets_nothing(oauth: Authorization) -> None:
    secret = oauth.client.secret
    assert secret is not None
    tries = [
        await oauth.post("token", None, grant_type="client_credentials"),
        await oauth.post("token", None, grant_type="client_credentials", client_id=oauth.client.client.id),
        await oauth.post(
            "token", None, grant_type="client_credentials", client_id=oauth.client.client.id, client_secret=secret + "x"
        ),
        await oauth.token(oauth.public, grant_type="client_credentials"),
    ]
    assert {error(each)[1] for each in tries} == {"invalid_client"}


async def test_a_member_lets_a_client_act_and_the_tokens_say_so(oauth: Authorization) -> None:
    verifier = Verifier()
    back = await oauth.consent(oauth.client, verifier, scope="memory:read memory:write")
    assert (back["state"], back["iss"]) == ("s t", ISSUER)
    answer = await oauth.token(
        grant_type="authorization_code", code=back["code"], redirect_uri=BACK, code_verifier=verifier.value
    )
    told = answer.json()
    assert (answer.status_code, told["scope"]) == (200, "memory:read memory:write")
    body = {"group_id": "chat", "messages": [{"role": "user", "content": "The kettle is blue."}]}
    assert (await oauth.api("messages", told["access_token"], "POST", json=body)).status_code == 200
    found = await oauth.post("introspect", oauth.client, token=told["access_token"])
    assert found.json()["active"] and found.json()["sub"] == oauth.member.id
    acts = (await list_acts(oauth.runtime.database, oauth.tenant.number)).entries
    assert (acts[0].action, acts[0].actor) == ("grant.consent", f"member:{oauth.member.id}")


async def test_a_code_used_twice_ends_what_was_made_of_it(oauth: Authorization) -> None:
    verifier = Verifier()
    back = await oauth.consent(oauth.public, verifier)
    form = {"grant_type": "authorization_code", "code": back["code"], "redirect_uri": BACK,
            "code_verifier": verifier.value}  # fmt: skip
    first = (await oauth.token(oauth.public, **form)).json()
    assert (await oauth.api("records", first["access_token"])).status_code == 200
    assert error(await oauth.token(oauth.public, **form)) == (400, "invalid_grant")
    assert (await oauth.api("records", first["access_token"])).status_code == 401
    refreshed = await oauth.token(oauth.public, grant_type="refresh_token", refresh_token=first["refresh_token"])
    assert error(refreshed) == (400, "invalid_grant")
    acts = (await list_acts(oauth.runtime.database, oauth.tenant.number)).entries
    assert (acts[0].action, acts[0].detail["what"]) == ("grant.reused", "code")


async def test_of_two_at_once_with_one_code_at_most_one_gets_tokens(oauth: Authorization) -> None:
    verifier = Verifier()
    back = await oauth.consent(oauth.public, verifier)
    form = {"grant_type": "authorization_code", "code": back["code"], "redirect_uri": BACK,
            "code_verifier": verifier.value}  # fmt: skip
    answers = await asyncio.gather(*(oauth.token(oauth.public, **form) for _ in range(4)))
    assert sum(answer.status_code == 200 for answer in answers) <= 1


async def test_refresh_tokens_rotate_and_a_reused_one_ends_the_family(oauth: Authorization) -> None:
    first = await oauth.tokens(oauth.public, scope="memory:read query:read")
    answer = await oauth.token(
        oauth.public, grant_type="refresh_token", refresh_token=first["refresh_token"], scope="query:read"
    )
    second = answer.json()
    assert (answer.status_code, second["scope"]) == (200, "query:read")
    assert second["refresh_token"] != first["refresh_token"]
    wider = await oauth.token(
        oauth.public, grant_type="refresh_token", refresh_token=second["refresh_token"], scope="memory:write"
    )
    assert error(wider) == (400, "invalid_scope")
    third = (await oauth.token(oauth.public, grant_type="refresh_token", refresh_token=second["refresh_token"])).json()
    assert third["scope"] == "memory:read query:read"  # what was granted, not what was asked for once
    stolen = await oauth.token(oauth.public, grant_type="refresh_token", refresh_token=first["refresh_token"])
    assert error(stolen) == (400, "invalid_grant")
    for token in (first, second, third):
        assert (await oauth.api("records", token["access_token"])).status_code == 401
    last = await oauth.token(oauth.public, grant_type="refresh_token", refresh_token=third["refresh_token"])
    assert error(last) == (400, "invalid_grant")


async def test_of_two_at_once_with_one_refresh_token_the_family_ends(oauth: Authorization) -> None:
    first = await oauth.tokens(oauth.public)
    form = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
    answers = await asyncio.gather(*(oauth.token(oauth.public, **form) for _ in range(3)))
    assert sum(answer.status_code == 200 for answer in answers) <= 1
    assert (await oauth.api("records", first["access_token"])).status_code == 401


async def test_what_is_another_clients_is_nobodys(oauth: Authorization) -> None:
    tokens, verifier = await oauth.tokens(oauth.public), Verifier()
    back = await oauth.consent(oauth.public, verifier)
    tries = [
        await oauth.token(grant_type="refresh_token", refresh_token=tokens["refresh_token"]),
        await oauth.token(
            grant_type="authorization_code", code=back["code"], redirect_uri=BACK, code_verifier=verifier.value
        ),
    ]
    assert {error(each) for each in tries} == {(400, "invalid_grant")}
    assert (await oauth.post("revoke", oauth.client, token=tokens["refresh_token"])).status_code == 200
    assert (await oauth.api("records", tokens["access_token"])).status_code == 200
    mine = await oauth.token(oauth.public, grant_type="refresh_token", refresh_token=tokens["refresh_token"])
    assert mine.status_code == 200  # neither the theft that failed nor the revocation by another harmed it


@pytest.mark.parametrize("which", ["access_token", "refresh_token"])
async def test_a_revoked_token_ends_with_its_family(oauth: Authorization, which: str) -> None:
    tokens = await oauth.tokens(oauth.public)
    assert (await oauth.post("introspect", oauth.client, token=tokens[which])).json()["active"] is True
    revoked = await oauth.post("revoke", oauth.public, token=tokens[which])
    assert (revoked.status_code, revoked.json()) == (200, {})
    for token in (tokens["access_token"], tokens["refresh_token"]):
        assert (await oauth.post("introspect", oauth.client, token=token)).json() == {"active": False}
    assert (await oauth.api("records", tokens["access_token"])).status_code == 401
    assert (await oauth.post("revoke", oauth.public, token="nothing")).status_code == 200
    assert error(await oauth.post("introspect", oauth.public, token=tokens[which])) == (401, "invalid_client")


async def test_a_device_waits_until_a_member_says_yes(oauth: Authorization) -> None:
    codes = (await oauth.post("device_authorization", oauth.public, scope="memory:read")).json()
    assert codes["verification_uri"] == ISSUER + "/oauth/device"
    form = {"grant_type": DEVICE, "device_code": codes["device_code"]}
    assert error(await oauth.token(oauth.public, **form)) == (400, "authorization_pending")
    page = "/oauth/device?user_code=" + codes["user_code"].lower().replace("-", "+")  # as people type
    shown = await oauth.sign_in(page)
    assert "Allow Phone?" in shown.text
    said = {"step": "allow", "csrf": csrf(shown), "user_code": codes["user_code"].lower().replace("-", " ")}
    assert "Connected" in (await oauth.http.post(page, data=said)).text
    answer = await oauth.token(oauth.public, **form)
    assert answer.status_code == 200, answer.text
    assert (await oauth.api("records", answer.json()["access_token"])).status_code == 200
    assert error(await oauth.token(oauth.public, **form))[0] == 400  # once
    refreshed = await oauth.token(
        oauth.public, grant_type="refresh_token", refresh_token=answer.json()["refresh_token"]
    )
    assert refreshed.status_code == 200
    assert (await oauth.http.get(page)).status_code == 404  # nobody waits any more


async def test_a_device_that_is_denied_or_asks_too_often_gets_nothing(
    oauth: Authorization, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = (await oauth.post("device_authorization", oauth.public)).json()
    form = {"grant_type": DEVICE, "device_code": codes["device_code"]}
    monkeypatch.setattr(flows, "POLL_SECONDS", 5)
    assert error(await oauth.token(oauth.public, **form)) == (400, "authorization_pending")
    assert error(await oauth.token(oauth.public, **form)) == (400, "slow_down")
    another = await oauth.token(**form)
    assert another.status_code == 400  # another client's device
    page = "/oauth/device?user_code=" + codes["user_code"]
    shown = await oauth.sign_in(page)
    await oauth.http.post(page, data={"step": "deny", "csrf": csrf(shown), "user_code": codes["user_code"]})
    assert error(await oauth.token(oauth.public, **form)) == (400, "access_denied")
    assert (await oauth.http.get("/oauth/device?user_code=BBBB-BBBB")).status_code == 404


async def test_a_refusal_goes_back_to_the_client(oauth: Authorization) -> None:
    page = "/oauth/authorize?" + oauth.query(oauth.client, Verifier())
    shown = await oauth.sign_in(page)
    back = returned(await oauth.http.post(page, data={"step": "deny", "csrf": csrf(shown)}))
    assert (back["error"], back["state"], back["iss"]) == ("access_denied", "s t", ISSUER)


async def test_who_is_gone_takes_their_tokens_along(oauth: Authorization) -> None:
    database, tenant = oauth.runtime.database, oauth.tenant.number

    async def works(tokens: dict[str, str]) -> tuple[int, int]:
        forget_tokens(database)  # as in five seconds
        refreshed = await oauth.token(oauth.public, grant_type="refresh_token", refresh_token=tokens["refresh_token"])
        return (await oauth.api("records", tokens["access_token"])).status_code, refreshed.status_code

    tokens = await oauth.tokens(oauth.public)
    await suspend_member(database, tenant, oauth.member.id)
    assert await works(tokens) == (401, 400)
    denied = await oauth.sign_in("/oauth/authorize?" + oauth.query(oauth.public, Verifier()))
    assert denied.status_code == 401
    await resume_member(database, tenant, oauth.member.id)
    assert await works(tokens) == (401, 400)  # what was granted before stays ended
    tokens = await oauth.tokens(oauth.public)
    await set_password(database, tenant, oauth.member.id, PASSWORD)
    assert await works(tokens) == (401, 400)
    tokens = await oauth.tokens(oauth.public)
    await delete_member(database, tenant, oauth.member.id)
    assert await works(tokens) == (401, 400)
    own = (await oauth.token(grant_type="client_credentials")).json()["access_token"]
    await revoke_client(database, tenant, oauth.client.client.id)
    forget_tokens(database)
    assert (await oauth.api("records", own)).status_code == 401
    assert error(await oauth.token(grant_type="client_credentials"))[1] == "invalid_client"


async def test_a_token_holds_no_more_than_its_member_may_and_is_pinned_by_both(oauth: Authorization) -> None:
    database, tenant = oauth.runtime.database, oauth.tenant.number
    from muniment.tenancy.members import create_member

    for user in ("maya", "liam"):
        whole = (await oauth.token(grant_type="client_credentials")).json()["access_token"]
        body = {"namespace": {"project_id": "atlas", "user_id": user}, "group_id": user,
                "messages": [{"role": "user", "content": f"The password of {user} is osprey."}]}  # fmt: skip
        assert (await oauth.api("messages", whole, "POST", json=body)).status_code == 200
    pinned = await create_client(
        database, tenant, "Pinned", grant_types=["authorization_code", "client_credentials"],
        scopes=["memory:read", "query:read", "memory:write"], redirect_uris=[BACK], pin=pin_of("atlas", None, None),
    )  # fmt: skip
    await create_member(
        database, tenant, "liam@example.org", ["memory:read", "query:read"], password=PASSWORD,
        pin=pin_of(None, "liam", None),
    )  # fmt: skip
    verifier = Verifier()
    page = "/oauth/authorize?" + oauth.query(pinned, verifier, scope="memory:read query:read memory:write")
    shown = await oauth.sign_in(page, email="liam@example.org")
    assert "project is <b>atlas</b> and user is <b>liam</b>" in shown.text
    back = returned(await oauth.http.post(page, data={"step": "allow", "csrf": csrf(shown)}))
    told = (
        await oauth.token(
            pinned, grant_type="authorization_code", code=back["code"], redirect_uri=BACK, code_verifier=verifier.value
        )
    ).json()
    assert told["scope"] == "memory:read query:read"
    seen = (await oauth.api("records", told["access_token"])).json()["records"]
    assert [record["text"] for record in seen] == ["The password of liam is osprey."]
    found = await oauth.api("search", told["access_token"], "POST", json={"query": "osprey password"})
    assert len(found.json()["hits"]) == 1
    own = (await oauth.token(pinned, grant_type="client_credentials", scope="memory:read")).json()["access_token"]
    assert len((await oauth.api("records", own)).json()["records"]) == 2  # the client's own pin alone


async def test_a_member_who_may_nothing_of_it_or_is_pinned_apart_denies(oauth: Authorization) -> None:
    database, tenant = oauth.runtime.database, oauth.tenant.number
    from muniment.tenancy.members import create_member

    apart = await create_client(
        database, tenant, "Apart", grant_types=["authorization_code"], scopes=["memory:read"], redirect_uris=[BACK],
        pin=pin_of(None, "maya", None),
    )  # fmt: skip
    await create_member(
        database, tenant, "liam@example.org", ["memory:read"], password=PASSWORD, pin=pin_of(None, "liam", None)
    )
    for client, scope in ((apart, "memory:read"), (oauth.client, "tenant:admin")):
        page = "/oauth/authorize?" + oauth.query(client, Verifier(), scope=scope)
        opened = await oauth.http.get(page)
        if "Password" in opened.text:
            form = {"step": "sign-in", "csrf": csrf(opened), "email": "liam@example.org", "password": PASSWORD}
            await oauth.http.post(page, data=form)
        assert returned(await oauth.http.get(page))["error"] == "access_denied"


async def test_metadata_are_what_the_standards_ask_for(oauth: Authorization) -> None:
    metadata = (await oauth.http.get("/.well-known/oauth-authorization-server")).json()
    AuthorizationServerMetadata(metadata).validate()
    assert metadata["code_challenge_methods_supported"] == ["S256"]
    assert "registration_endpoint" not in metadata
    for name, uri in metadata.items():
        if name.endswith("_endpoint"):
            assert (await oauth.http.get(uri.removeprefix(ISSUER))).status_code != 404, name
    denied = await oauth.http.get("/api/v1/records")
    where = denied.headers["www-authenticate"].partition('resource_metadata="')[2].partition('"')[0]
    resource = (await oauth.http.get(where)).json()
    assert resource["resource"] == ISSUER + "/api/v1" and resource["authorization_servers"] == [ISSUER]
    assert set(resource["scopes_supported"]) == set(SCOPES)


async def test_clients_register_with_an_administrators_credential_where_that_is_on(oauth: Authorization) -> None:
    administrator = (await oauth.token(grant_type="client_credentials", scope="tenant:admin")).json()["access_token"]
    reader = (await oauth.token(grant_type="client_credentials", scope="memory:read")).json()["access_token"]
    asked = {"client_name": "Registered", "redirect_uris": [BACK], "grant_types": ["authorization_code"],
             "token_endpoint_auth_method": "none", "scope": "memory:read"}  # fmt: skip

    async def register(token: str | None, metadata: object) -> tuple[int, dict[str, object]]:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        answer = await oauth.http.post("/oauth/register", content=json.dumps(metadata), headers=headers)
        return answer.status_code, answer.json()

    assert (await register(administrator, asked))[0] == 404  # off, as it is unless switched on
    oauth.runtime.settings.client_registration = True
    assert (await register(None, asked))[1]["error"] == "access_denied"
    assert (await register(reader, asked))[1]["error"] == "access_denied"
    status, made = await register(administrator, asked)
    assert status == 201 and "client_secret" not in made
    acts = (await list_acts(oauth.runtime.database, oauth.tenant.number)).entries
    (act,) = [each for each in acts if each.action == "client.create" and each.target == made["client_id"]]
    assert act.actor == f"client:{oauth.client.client.id}"
    assert "registration_endpoint" in (await oauth.http.get("/.well-known/oauth-authorization-server")).json()
    for wrong in (
        asked | {"redirect_uris": ["http://app.example/back"]}, asked | {"redirect_uris": ["javascript:alert(1)"]},
        asked | {"redirect_uris": BACK}, asked | {"redirect_uris": []}, asked | {"grant_types": ["password"]},
        asked | {"token_endpoint_auth_method": "private_key_jwt"}, asked | {"scope": "everything"}, [], {"scope": 7},
    ):  # fmt: skip
        status, told = await register(administrator, wrong)
        assert status == 400 and "error" in told, wrong
    assert (await oauth.http.get("/oauth/authorize?" + urlencode_of(made, Verifier()))).status_code == 200


def urlencode_of(made: dict[str, object], verifier: Verifier) -> str:
    from urllib.parse import urlencode

    return urlencode({
        "response_type": "code", "client_id": made["client_id"], "redirect_uri": BACK, "scope": "memory:read",
        "code_challenge": verifier.challenge, "code_challenge_method": "S256",
    })  # fmt: skip


async def test_requests_of_clients_are_the_tenants_too(oauth: Authorization) -> None:
    oauth.runtime.settings.client_registration = True
    administrator = (await oauth.token(grant_type="client_credentials", scope="tenant:admin")).json()["access_token"]
    await put_quota(oauth.runtime.database, oauth.tenant.number, QuotaChange(requests_per_minute=2))
    answers = [await oauth.token(grant_type="client_credentials", scope="memory:read") for _ in range(4)]
    assert answers[-1].status_code == 429, answers[-1].text
    assert answers[-1].json()["code"] == "quota.requests_exceeded" and "retry-after" in answers[-1].headers
    answer = await oauth.http.post("/oauth/register", json={}, headers={"Authorization": f"Bearer {administrator}"})
    assert answer.status_code == 429, answer.text
