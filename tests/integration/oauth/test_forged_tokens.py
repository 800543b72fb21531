"""Tokens that nobody should have: forged, altered, of others, for others, expired; and requests that lower the bar."""

import base64
import json
import time
from typing import Any

import pytest
from authorization import BACK, ISSUER, Authorization, Verifier, csrf, error, returned
from hypothesis import given, settings
from hypothesis import strategies as st
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, OctKey, RSAKey

from muniment.errors import MunimentError
from muniment.oauth import signing
from muniment.oauth.flows import S256
from muniment.oauth.signing import rotate_signing_key, signing_key
from muniment.oauth.tokens import forget_tokens, verified_claims
from muniment.tenancy.clients import GRANT_TYPES, _fit_to_lead_to, create_client, resolve_client
from muniment.tenancy.principal import SCOPES
from muniment.tenancy.tenants import create_tenant


def _part(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def _opened(token: str) -> tuple[dict[str, Any], dict[str, Any]]:
    header, claims, _ = token.split(".")
    return tuple(json.loads(base64.urlsafe_b64decode(part + "==")) for part in (header, claims))  # type: ignore[return-value]


async def _own(oauth: Authorization) -> str:
    token: str = (await oauth.token(grant_type="client_credentials")).json()["access_token"]
    return token


async def _refused(oauth: Authorization, token: str) -> bool:
    answer = await oauth.api("records", token)
    return answer.status_code == 401 and answer.json()["code"] == "auth.invalid"


async def test_a_token_that_is_not_signed_by_our_key_opens_nothing(oauth: Authorization) -> None:
    token = await _own(oauth)
    header, claims = _opened(token)
    assert header["typ"] == "at+jwt" and header["alg"] == "ES256"
    public = json.dumps((await oauth.http.get("/.well-known/jwks.json")).json()["keys"][0])
    stranger = ECKey.generate_key("P-256", {"kid": header["kid"]}, private=True)
    rsa = RSAKey.generate_key(2048, {"kid": header["kid"]}, private=True)
    signature = token.rpartition(".")[2]
    forged = [
        f"{_part({'alg': 'none', 'typ': 'at+jwt'})}.{_part(claims)}.",
        f"{_part({'alg': 'none', 'typ': 'at+jwt', 'kid': header['kid']})}.{_part(claims)}.{signature}",
        f"{_part(header)}.{_part(claims | {'scope': 'tenant:admin'})}.{signature}",
        f"{_part(header)}.{_part(claims)}.",
        jwt.encode(header, claims, stranger, algorithms=["ES256"]),
        jwt.encode(header | {"alg": "RS256"}, claims, rsa, algorithms=["RS256"]),
        # the public key as the secret of a symmetric signature
        jwt.encode(header | {"alg": "HS256"}, claims, OctKey.import_key(public), algorithms=["HS256"]),
        jwt.encode(header | {"jwk": stranger.as_dict(private=False)}, claims, stranger, algorithms=["ES256"]),
    ]  # fmt: skip
    assert not await _refused(oauth, token)
    assert [each for each in forged if not await _refused(oauth, each)] == []


async def test_a_token_that_we_signed_but_for_something_else_opens_nothing(oauth: Authorization) -> None:
    token = await _own(oauth)
    header, claims = _opened(token)
    key = await signing_key(oauth.runtime.database)
    other = await create_tenant(oauth.runtime.database, "other")
    now = int(time.time())
    changes: list[dict[str, Any]] = [
        {"iss": "https://evil.example"}, {"iss": ISSUER + "/"}, {"aud": "https://evil.example"}, {"aud": []},
        {"aud": ISSUER}, {"aud": ISSUER + "/mcp"}, {"exp": now - 60}, {"exp": "soon"}, {"exp": None},
        {"iat": now + 900},
        {"nbf": now + 900}, {"grant": "0" * 32}, {"grant": None}, {"grant": 7}, {"client_id": oauth.public.client.id},
        {"tenant": f"t_{other.public_id.hex}"}, {"tenant": None}, {"sub": None}, {"scope": None}, {"jti": None},
    ]  # fmt: skip
    wrong = [jwt.encode(header, claims | change, key, algorithms=["ES256"]) for change in changes]
    for missing in ("iss", "sub", "aud", "exp", "iat", "jti", "client_id", "scope", "tenant", "grant"):
        left = {name: value for name, value in claims.items() if name != missing}
        wrong.append(jwt.encode(header, left, key, algorithms=["ES256"]))
    wrong += [jwt.encode(header | {"typ": typ}, claims, key, algorithms=["ES256"]) for typ in ("JWT", "id+jwt", "")]
    assert [_opened(each) for each in wrong if not await _refused(oauth, each)] == []


async def test_scopes_that_a_token_was_not_granted_count_for_nothing(oauth: Authorization) -> None:
    told = await oauth.token(grant_type="client_credentials", scope="memory:read")
    header, claims = _opened(told.json()["access_token"])
    key = await signing_key(oauth.runtime.database)
    more = jwt.encode(header, claims | {"scope": "memory:read tenant:admin"}, key, algorithms=["ES256"])
    assert (await oauth.api("records", more)).status_code == 200
    assert (await oauth.api("keys", more)).status_code == 403


async def test_a_token_ends_when_it_says(oauth: Authorization, monkeypatch: pytest.MonkeyPatch) -> None:
    token = await _own(oauth)
    assert not await _refused(oauth, token)  # now it is remembered
    ends = _opened(token)[1]["exp"]
    monkeypatch.setattr("time.time", lambda: ends + 6.0)
    assert await _refused(oauth, token)


async def test_keys_rotate_and_the_tokens_of_the_last_one_live_on(oauth: Authorization) -> None:
    database = oauth.runtime.database
    before = await _own(oauth)
    await rotate_signing_key(database)
    after = await _own(oauth)
    kids = {_opened(token)[0]["kid"] for token in (before, after)}
    assert len(kids) == 2
    published = (await oauth.http.get("/.well-known/jwks.json")).json()
    assert {key["kid"] for key in published["keys"]} == kids
    assert not [key for key in published["keys"] if "d" in key]
    forget_tokens(database)
    assert not await _refused(oauth, before) and not await _refused(oauth, after)
    keys = KeySet.import_key_set(published)
    assert jwt.decode(after, keys, algorithms=["ES256"]).claims["iss"] == ISSUER
    old = database.settings.signing_key_days
    database.settings.signing_key_days = 0.0
    assert _opened(await _own(oauth))[0]["kid"] not in kids  # one that is too old is not signed with
    database.settings.signing_key_days = old


async def test_another_process_knows_a_new_key_at_once(oauth: Authorization) -> None:
    database = oauth.runtime.database
    await _own(oauth)
    seen = list(await signing._read(database, 60))
    await rotate_signing_key(database)
    token = await _own(oauth)
    stale = signing._Known()
    stale.rows, stale.at = seen, time.monotonic() - 5
    signing._known[database] = stale  # as in a process that has not looked for a while
    forget_tokens(database)
    assert not await _refused(oauth, token)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_text_is_taken_for_a_token(data: st.DataObject) -> None:
    import asyncio

    text = data.draw(st.one_of(
        st.text(max_size=60), st.builds(".".join, st.lists(st.text(max_size=20), min_size=3, max_size=3)),
        st.builds(
            lambda header, claims, end: f"{_part(header)}.{_part(claims)}.{end}",
            st.dictionaries(st.sampled_from(["alg", "typ", "kid", "crit", "b64", "zip"]),
                            st.one_of(st.none(), st.integers(), st.just("at+jwt"), st.just("ES256"),
                                      st.lists(st.text()))),
            st.dictionaries(st.text(max_size=5), st.integers()), st.text("abc_-", max_size=90),
        ),
    ))  # fmt: skip

    class _NoKeys:  # the key is asked for only where a header is well formed
        settings = None

    async def verify() -> str:
        from muniment.oauth import tokens
        from muniment.oauth.issuer import Issuer

        async def none(_database: object, _kid: str) -> None:
            return None

        kept, tokens.verifying_key = tokens.verifying_key, none  # type: ignore[assignment]
        try:
            await verified_claims(_NoKeys(), Issuer(ISSUER), text)  # type: ignore[arg-type]
        except MunimentError as error:
            return error.code
        finally:
            tokens.verifying_key = kept
        return "taken"

    assert asyncio.run(verify()) == "auth.invalid"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"code_challenge": None, "code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),  # then it would mean plain
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": "code id_token"}, "unsupported_response_type"),
        ({"scope": "memory:read everything"}, "invalid_scope"),
        ({"scope": "tenant:admin"}, "invalid_scope"),  # not the public client's
        ({"resource": "https://evil.example"}, "invalid_target"),
    ],
)
async def test_a_wrong_authorization_request_is_told_to_its_client(
    oauth: Authorization, change: dict[str, str | None], told: str
) -> None:
    answer = await oauth.http.get("/oauth/authorize?" + oauth.query(oauth.public, Verifier(), **change))
    back = returned(answer)
    assert (back["error"], back["state"], back["iss"]) == (told, "s t", ISSUER)


@pytest.mark.parametrize(
    "change",
    [
        {"redirect_uri": "https://evil.example/back"}, {"redirect_uri": BACK + "/more"},
        {"redirect_uri": BACK + "?x=1"},
        {"redirect_uri": 'https://app.example/"back'}, {"client_id": "o_" + "0" * 32}, {"client_id": "nobody"},
        {"client_id": None},
    ],
)  # fmt: skip
async def test_nobody_is_sent_where_the_client_did_not_say(oauth: Authorization, change: dict[str, str | None]) -> None:
    answer = await oauth.http.get("/oauth/authorize?" + oauth.query(oauth.public, Verifier(), **change))
    assert answer.status_code == 400 and "location" not in answer.headers
    assert "does not work" in answer.text


async def test_a_parameter_given_twice_is_refused(oauth: Authorization) -> None:
    query = oauth.query(oauth.public, Verifier()) + "&scope=memory%3Awrite"
    assert (await oauth.http.get("/oauth/authorize?" + query)).status_code == 400
    body = "grant_type=client_credentials&scope=memory%3Aread&scope=tenant%3Aadmin"
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = await oauth.http.post("/oauth/token", content=body, headers=headers)
    assert error(answer) == (400, "invalid_request")


@pytest.mark.parametrize("verifier", [None, "x" * 43, "", "a" * 200])
async def test_a_code_without_its_verifier_is_worth_nothing(oauth: Authorization, verifier: str | None) -> None:
    right = Verifier()
    for client in (oauth.public, oauth.client):
        back = await oauth.consent(client, right)
        form = {"grant_type": "authorization_code", "code": back["code"], "redirect_uri": BACK}
        wrong = form if verifier is None else form | {"code_verifier": verifier}
        assert error(await oauth.token(client, **wrong))[0] == 400
        again = await oauth.token(client, **form, code_verifier=right.value)
        assert error(again) == (400, "invalid_grant")  # it was used


async def test_a_challenge_is_not_taken_for_its_verifier(oauth: Authorization) -> None:
    assert set(S256.CODE_CHALLENGE_METHODS) == {"S256"}
    right = Verifier()
    back = await oauth.consent(oauth.public, right)
    answer = await oauth.token(
        oauth.public,
        grant_type="authorization_code",
        code=back["code"],
        redirect_uri=BACK,
        code_verifier=right.challenge,
    )
    assert error(answer) == (400, "invalid_grant")


@pytest.mark.parametrize("redirect_uri", [None, BACK + "2", "https://evil.example/back"])
async def test_a_code_for_another_redirect_is_worth_nothing(oauth: Authorization, redirect_uri: str | None) -> None:
    right = Verifier()
    back = await oauth.consent(oauth.public, right)
    form = {"grant_type": "authorization_code", "code": back["code"], "code_verifier": right.value}
    form |= {} if redirect_uri is None else {"redirect_uri": redirect_uri}
    assert error(await oauth.token(oauth.public, **form)) == (400, "invalid_grant")


async def test_a_code_that_is_too_old_is_worth_nothing(oauth: Authorization, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muniment.oauth.flows.CODE_SECONDS", 0.0)
    right = Verifier()
    back = await oauth.consent(oauth.public, right)
    answer = await oauth.token(
        oauth.public, grant_type="authorization_code", code=back["code"], redirect_uri=BACK, code_verifier=right.value
    )
    assert error(answer) == (400, "invalid_grant")


async def test_a_token_is_for_the_resource_that_was_granted_and_no_other(oauth: Authorization) -> None:
    right = Verifier()
    back = await oauth.consent(oauth.public, right, resource=ISSUER + "/api/v1")
    form = {
        "grant_type": "authorization_code",
        "code": back["code"],
        "redirect_uri": BACK,
        "code_verifier": right.value,
    }
    told = await oauth.token(oauth.public, **form, resource="https://evil.example")
    assert error(told) == (400, "invalid_target")
    assert error(await oauth.token(grant_type="client_credentials", resource="https://evil.example")) == (
        400, "invalid_target",
    )  # fmt: skip
    granted = await oauth.token(grant_type="client_credentials", resource=ISSUER + "/api/v1")
    assert _opened(granted.json()["access_token"])[1]["aud"] == ISSUER + "/api/v1"


async def test_one_tenants_client_and_codes_mean_nothing_to_another(oauth: Authorization) -> None:
    database = oauth.runtime.database
    other = await create_tenant(database, "other")
    theirs = await create_client(
        database, other.number, "Theirs", grant_types=GRANT_TYPES, scopes=SCOPES, redirect_uris=[BACK]
    )
    live = await resolve_client(database, theirs.client.id)
    assert live is not None and live.tenant == other.number
    tokens, right = await oauth.tokens(oauth.client), Verifier()
    back = await oauth.consent(oauth.client, right)
    for form in (
        {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]},
        {"grant_type": "authorization_code", "code": back["code"], "redirect_uri": BACK, "code_verifier": right.value},
    ):
        assert error(await oauth.token(theirs, **form)) == (400, "invalid_grant")
    for which in ("access_token", "refresh_token"):
        told = await oauth.post("introspect", theirs, token=tokens[which])
        assert told.json() == {"active": False}
        await oauth.post("revoke", theirs, token=tokens[which])
    assert (await oauth.api("records", tokens["access_token"])).status_code == 200
    page = "/oauth/authorize?" + oauth.query(theirs, Verifier())
    shown = await oauth.http.get(page)
    assert "Sign in to other" in shown.text  # though this browser is signed in to the first
    form = {"step": "sign-in", "csrf": csrf(shown), "email": "maya@example.org", "password": "a long enough password"}
    assert (await oauth.http.post(page, data=form)).status_code == 401
    mine = (await oauth.token(theirs, grant_type="client_credentials")).json()["access_token"]
    assert (await oauth.api("records", mine)).json()["records"] == []


@pytest.mark.parametrize(
    ("uri", "fit"),
    [
        ("https://app.example/back", True), ("http://127.0.0.1:1234/back", True), ("http://localhost/back", True),
        ("http://[::1]:7/back", True), ("com.example.app:/back", True), ("http://app.example/back", False),
        ("https://app.example/back#x", False), ("https://me@app.example/", False), ("javascript:alert(1)", False),
        ("data:text/html,x", False), ("//app.example/", False), ("https:///x", False),
        ("https://app.example/ x", False),
        ("https://app.example:port/", False), ("com.example.app://host/back", False), ("", False),
    ],
)  # fmt: skip
def test_a_redirect_uri_is_of_a_kind_that_others_cannot_take(uri: str, fit: bool) -> None:
    assert _fit_to_lead_to(uri) is fit


async def test_a_loopback_redirect_may_have_any_port_and_nothing_else(oauth: Authorization) -> None:
    client = await create_client(
        oauth.runtime.database, oauth.tenant.number, "Shell", grant_types=["authorization_code"],
        scopes=["memory:read"], redirect_uris=["http://127.0.0.1/back"], auth_method="none",
    )  # fmt: skip
    for uri, right in [
        ("http://127.0.0.1:50123/back", True), ("http://127.0.0.1/back", True), ("http://127.0.0.1:50123/else", False),
        ("http://127.0.0.2:50123/back", False), ("http://127.0.0.1:50123@evil.example/back", False),
        ("https://127.0.0.1:50123/back", False),
    ]:  # fmt: skip
        answer = await oauth.http.get("/oauth/authorize?" + oauth.query(client, Verifier(), redirect_uri=uri))
        assert (answer.status_code == 200) is right, uri


async def test_nothing_of_it_is_logged_or_kept_in_the_clear(
    oauth: Authorization, caplog: pytest.LogCaptureFixture, admin_url: str
) -> None:
    import psycopg
    from sqlalchemy import make_url

    from muniment.database.setup import driver_conninfo

    caplog.set_level("DEBUG")
    right = Verifier()
    back = await oauth.consent(oauth.client, right)
    form = {"code": back["code"], "redirect_uri": BACK, "code_verifier": right.value}
    tokens = (await oauth.token(grant_type="authorization_code", **form)).json()
    secrets = [tokens["access_token"], tokens["refresh_token"], oauth.client.secret or "", "a long enough password",
               oauth.http.cookies["__Host-muniment_session"]]  # fmt: skip
    said = "\n".join(
        record.getMessage() for record in caplog.records if not record.name.startswith(("httpx", "httpcore"))
    )
    with psycopg.connect(driver_conninfo(make_url(admin_url))) as admin:
        tables = admin.execute("select table_name from information_schema.tables where table_schema = 'muniment_auth'")
        kept = "".join(
            str(admin.execute(f"select t::text from muniment_auth.{name} t").fetchall())  # noqa: S608
            for (name,) in tables.fetchall()
        )
    for secret in [*secrets, back["code"]]:
        assert secret not in said and secret not in kept
