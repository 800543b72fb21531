"""The pages: whose form it is, who may sign in, and what a browser is told to let nobody do."""

import httpx
import pytest
from authorization import BACK, EMAIL, ISSUER, PASSWORD, Authorization, Verifier, csrf, returned

from muniment.api.app import create_app
from muniment.errors import MunimentError
from muniment.oauth.issuer import issuer_of
from muniment.settings import Settings
from muniment.tenancy.clients import create_client
from muniment.tenancy.members import create_member, list_members, set_password


async def test_pages_are_framed_by_nobody_run_nothing_and_are_not_kept(oauth: Authorization) -> None:
    page = "/oauth/authorize?" + oauth.query(oauth.client, Verifier())
    first = await oauth.http.get(page)
    consent = await oauth.sign_in(page)
    for shown in (first, consent, await oauth.http.get("/oauth/device")):
        policy = shown.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "base-uri 'none'" in policy
        assert "script-src" not in policy and "unsafe-inline" not in policy and "<script" not in shown.text
        assert shown.headers["x-frame-options"] == "DENY" and shown.headers["cache-control"] == "no-store"
        assert shown.headers["referrer-policy"] == "no-referrer"
    assert "form-action 'self' https://app.example;" in consent.headers["content-security-policy"]
    cookies = first.headers.get_list("set-cookie")
    assert cookies and all(
        each.startswith("__Host-") and all(part in each for part in ("HttpOnly", "Secure", "SameSite=lax", "Path=/;"))
        for each in cookies
    )  # fmt: skip


@pytest.mark.parametrize("step", ["sign-in", "allow", "deny", "sign-out"])
@pytest.mark.parametrize("how", ["no token", "another's token", "another request's token", "another origin"])
async def test_a_form_that_was_not_given_to_this_browser_for_this_is_refused(
    oauth: Authorization, step: str, how: str
) -> None:
    page = "/oauth/authorize?" + oauth.query(oauth.client, Verifier())
    other_page = "/oauth/authorize?" + oauth.query(oauth.client, Verifier(), scope="tenant:admin")
    shown = await oauth.http.get(page)
    if step != "sign-in":
        shown = await oauth.sign_in(page)
    token, headers = csrf(shown), {}
    if how == "no token":
        token = ""
    elif how == "another's token":
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=oauth.app), base_url=ISSUER) as stranger:
            token = csrf(await stranger.get(page))
    elif how == "another origin":
        headers = {"Origin": "https://evil.example"}
    form = {"step": step, "csrf": token, "email": EMAIL, "password": PASSWORD}
    target = other_page if how == "another request's token" else page
    answer = await oauth.http.post(target, data=form, headers=headers)
    assert answer.status_code == 403 and "location" not in answer.headers
    right = await oauth.http.post(
        page, data={"step": step, "csrf": csrf(shown), "email": EMAIL, "password": PASSWORD}, headers={"Origin": ISSUER}
    )
    assert right.status_code in (302, 303)


async def test_wrong_passwords_are_told_alike_and_soon_make_one_wait(oauth: Authorization) -> None:
    page = "/oauth/authorize?" + oauth.query(oauth.client, Verifier())
    wrong = await oauth.sign_in(page, password="not the password")
    nobody = await oauth.sign_in(page, email="nobody@example.org")
    assert wrong.status_code == nobody.status_code == 401
    assert wrong.text.replace(csrf(wrong), "") == nobody.text.replace(csrf(nobody), "")
    assert (await oauth.sign_in(page)).status_code == 200  # right, and it begins anew
    await oauth.http.post(page, data={"step": "sign-out", "csrf": csrf(await oauth.http.get(page))})
    for _ in range(5):
        assert (await oauth.sign_in(page, password="not the password")).status_code == 401
    assert (await oauth.sign_in(page)).status_code == 401  # the right one too, for a while
    member = (await list_members(oauth.runtime.database, oauth.tenant.number))[0]
    await set_password(oauth.runtime.database, oauth.tenant.number, member.id, "another long password")
    assert (await oauth.sign_in(page)).status_code == 401
    assert (await oauth.sign_in(page, password="another long password")).status_code == 200


async def test_another_password_signs_out_everywhere(oauth: Authorization) -> None:
    page = "/oauth/authorize?" + oauth.query(oauth.client, Verifier())
    shown = await oauth.sign_in(page)
    assert "Allow Planner?" in shown.text
    await set_password(oauth.runtime.database, oauth.tenant.number, oauth.member.id, "another long password")
    assert "Password" in (await oauth.http.get(page)).text
    answer = await oauth.http.post(page, data={"step": "allow", "csrf": csrf(shown)})
    assert "Password" in answer.text and "location" not in answer.headers


async def test_signing_out_ends_the_session_on_the_server_too(oauth: Authorization) -> None:
    page = "/oauth/authorize?" + oauth.query(oauth.client, Verifier())
    shown = await oauth.sign_in(page)
    cookie = oauth.http.cookies["__Host-muniment_session"]
    await oauth.http.post(page, data={"step": "sign-out", "csrf": csrf(shown)})
    oauth.http.cookies.set("__Host-muniment_session", cookie, domain="memory.example")
    assert "Password" in (await oauth.http.get(page)).text


async def test_names_of_others_are_text_on_the_page(oauth: Authorization) -> None:
    sly = await create_client(
        oauth.runtime.database, oauth.tenant.number, '<script>alert("x")</script>', grant_types=["authorization_code"],
        scopes=["memory:read"], redirect_uris=[BACK],
    )  # fmt: skip
    page = "/oauth/authorize?" + oauth.query(sly, Verifier(), state='"><script>')
    shown = await oauth.sign_in(page)
    assert "<script" not in shown.text and "&lt;script&gt;" in shown.text
    back = returned(await oauth.http.post(page, data={"step": "allow", "csrf": csrf(shown)}))
    assert back["state"] == '"><script>'


@pytest.mark.parametrize(
    ("email", "password", "scopes"),
    [
        ("maya", PASSWORD, ["memory:read"]), ("a b@example.org", PASSWORD, ["memory:read"]),
        ("@", PASSWORD, ["memory:read"]),
        ("liam@example.org", "short", ["memory:read"]), ("liam@example.org", "x" * 1025, ["memory:read"]),
        ("liam@example.org", PASSWORD, []), ("liam@example.org", PASSWORD, ["admin"]),
    ],
)  # fmt: skip
async def test_a_member_who_could_not_sign_in_is_refused(
    oauth: Authorization, email: str, password: str, scopes: list[str]
) -> None:
    with pytest.raises(MunimentError) as caught:
        await create_member(oauth.runtime.database, oauth.tenant.number, email, scopes, password=password)
    assert caught.value.code == "input.invalid"


async def test_an_address_is_one_members_however_it_is_written(oauth: Authorization) -> None:
    with pytest.raises(MunimentError) as caught:
        await create_member(oauth.runtime.database, oauth.tenant.number, " MAYA@Example.ORG ", ["memory:read"])
    assert caught.value.code == "auth.member_exists"


async def test_without_a_public_url_there_is_no_authorization_server(oauth: Authorization) -> None:
    app = create_app(oauth.runtime.settings.model_copy(update={"public_url": None}), None)  # type: ignore[arg-type]
    app.state.runtime = oauth.runtime
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=ISSUER) as client:
        for path in ("/.well-known/oauth-authorization-server", "/.well-known/jwks.json", "/oauth/authorize",
                     "/oauth/device"):  # fmt: skip
            answer = await client.get(path)
            assert (answer.status_code, answer.json()["code"]) == (404, "auth.oauth_off"), path
        token = (await oauth.token(grant_type="client_credentials")).json()["access_token"]
        denied = await client.get("/api/v1/records", headers={"Authorization": f"Bearer {token}"})
        assert denied.status_code == 401
        assert "resource_metadata" not in denied.headers["www-authenticate"]


@pytest.mark.parametrize(
    ("url", "right"),
    [
        ("https://memory.example", True), ("https://memory.example/", True), ("https://memory.example:8443", True),
        ("http://127.0.0.1:8765", True), ("http://localhost:8765", True), ("http://memory.example", False),
        ("https://memory.example/path", False), ("https://memory.example?x", False), ("memory.example", False),
        ("https://me@memory.example", False), ("ftp://memory.example", False), ("", False),
    ],
)  # fmt: skip
def test_the_issuer_is_https_and_a_host_alone(url: str, right: bool) -> None:
    try:
        issuer = issuer_of(Settings(public_url=url))
    except MunimentError as error:
        assert not right and error.facts == {"setting": "MUNIMENT_PUBLIC_URL"}
    else:
        assert right and issuer is not None and issuer.url == url.rstrip("/")
