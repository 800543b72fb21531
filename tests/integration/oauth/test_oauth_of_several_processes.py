"""Two API processes on one database are one authorization server: whichever of them a request comes to."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from authorization import BACK, ISSUER, Authorization, Verifier, csrf, error
from joserfc import jws

from muniment.bench.request_servers import api_processes
from muniment.oauth.signing import rotate_signing_key
from muniment.tenancy.clients import DEVICE_CODE, NewClient


class _Dealt(httpx.AsyncBaseTransport):
    """Sends each request to the next process, or to the one that its extension names, under the public URL."""

    def __init__(self, urls: list[str]) -> None:
        self._urls = [httpx.URL(url) for url in urls]
        self._turns = itertools.cycle(range(len(urls)))
        self._plain = httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        place = self._urls[request.extensions.get("process", next(self._turns))]
        url = request.url.copy_with(scheme=place.scheme, host=place.host, port=place.port)
        sent = httpx.Request(request.method, url, headers=request.headers, stream=request.stream)
        return await self._plain.handle_async_request(sent)  # the client's own keeps its URL, whose cookies are kept

    async def aclose(self) -> None:
        await self._plain.aclose()


@pytest.fixture
async def dealt(oauth: Authorization, admin_url: str, tmp_path: Path) -> AsyncIterator[Authorization]:
    """The authorization server of the database, served by two processes in turns."""
    environment = {
        "MUNIMENT_DATABASE_URL": admin_url, "MUNIMENT_PUBLIC_URL": ISSUER, "MUNIMENT_CLIENT_REGISTRATION": "true",
        "MUNIMENT_EMBEDDING_PROVIDER": "none", "MUNIMENT_EXTRACTION": "off", "MUNIMENT_SUMMARIES": "off",
    }  # fmt: skip
    async with (
        api_processes(2, tmp_path / "store", environment) as urls,
        httpx.AsyncClient(transport=_Dealt(urls), base_url=ISSUER, timeout=60) as http,
    ):
        yield replace(oauth, http=http)


async def _at(dealt: Authorization, process: int, client: NewClient | None = None, **form: str) -> httpx.Response:
    asking = client or dealt.client
    auth: Any = httpx.USE_CLIENT_DEFAULT
    if asking.secret is None:
        form |= {"client_id": asking.client.id}
    else:
        auth = httpx.BasicAuth(asking.client.id, asking.secret)
    return await dealt.http.post("/oauth/token", data=form, auth=auth, extensions={"process": process})


async def _at_both(dealt: Authorization, **form: str) -> list[httpx.Response]:
    return list(await asyncio.gather(*(_at(dealt, process, **form) for process in (0, 1))))


async def _reads(dealt: Authorization, token: str) -> list[int]:
    headers = {"Authorization": f"Bearer {token}"}
    answers = [
        await dealt.http.get("/api/v1/records", headers=headers, extensions={"process": process}) for process in (0, 1)
    ]
    return [answer.status_code for answer in answers]


async def test_codes_refresh_tokens_devices_clients_and_keys_are_those_of_all_processes(dealt: Authorization) -> None:
    await _a_code_is_redeemed_once(dealt)
    await _a_refresh_token_is_used_once(dealt)
    await _a_device_is_answered_once(dealt)
    await _a_client_that_registered_is_known(dealt)
    await _a_new_key_is_known(dealt)


async def _a_code_is_redeemed_once(dealt: Authorization) -> None:
    verifier = Verifier()
    code = (await dealt.consent(dealt.client, verifier))["code"]  # the pages of one flow come from both in turns
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": BACK, "code_verifier": verifier.value}
    answers = await _at_both(dealt, **form)
    assert sum(answer.is_success for answer in answers) <= 1
    assert {error(answer) for answer in answers if not answer.is_success} == {(400, "invalid_grant")}
    for answer in answers:  # whoever got something lost it: it came twice
        if answer.is_success:
            assert await _reads(dealt, answer.json()["access_token"]) == [401, 401]


async def _a_refresh_token_is_used_once(dealt: Authorization) -> None:
    tokens = await dealt.tokens(dealt.client)
    assert await _reads(dealt, tokens["access_token"]) == [200, 200]
    first = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    renewed = await _at(dealt, 0, **first)
    assert renewed.status_code == 200
    assert error(await _at(dealt, 1, **first)) == (400, "invalid_grant")  # it was used at the other
    again = {"grant_type": "refresh_token", "refresh_token": renewed.json()["refresh_token"]}
    assert error(await _at(dealt, 0, **again)) == (400, "invalid_grant")  # and that ended the whole family
    assert await _reads(dealt, renewed.json()["access_token"]) == [401, 401]
    tokens = await dealt.tokens(dealt.client)
    answers = await _at_both(dealt, grant_type="refresh_token", refresh_token=tokens["refresh_token"])
    assert sum(answer.is_success for answer in answers) <= 1


async def _a_device_is_answered_once(dealt: Authorization) -> None:
    asked = (await dealt.post("device_authorization", dealt.public, scope="memory:read")).json()
    form = {"grant_type": DEVICE_CODE, "device_code": asked["device_code"]}
    told = [error(await _at(dealt, process, dealt.public, **form)) for process in (0, 1)]
    assert told == [(400, "authorization_pending"), (400, "slow_down")]  # each knows when the other was asked

    codes = (await dealt.post("device_authorization", dealt.public, scope="memory:read")).json()
    page = "/oauth/device?user_code=" + codes["user_code"]
    shown = await dealt.http.get(page)  # who consented before is signed in, at both
    said = {"step": "allow", "csrf": csrf(shown), "user_code": codes["user_code"]}
    assert "Connected" in (await dealt.http.post(page, data=said)).text
    form = {"grant_type": DEVICE_CODE, "device_code": codes["device_code"]}
    tokens = await _at(dealt, 0, dealt.public, **form)
    assert tokens.status_code == 200, tokens.text
    assert await _reads(dealt, tokens.json()["access_token"]) == [200, 200]
    assert error(await _at(dealt, 1, dealt.public, **form))[0] == 400


async def _a_client_that_registered_is_known(dealt: Authorization) -> None:
    administrator = (await _at(dealt, 0, grant_type="client_credentials", scope="tenant:admin")).json()["access_token"]
    metadata = {"client_name": "Registered", "grant_types": ["client_credentials"], "scope": "memory:read"}
    headers = {"Authorization": f"Bearer {administrator}"}
    made = await dealt.http.post("/oauth/register", json=metadata, headers=headers, extensions={"process": 0})
    assert made.status_code == 201, made.text
    auth = httpx.BasicAuth(made.json()["client_id"], made.json()["client_secret"])
    form = {"grant_type": "client_credentials"}
    answer = await dealt.http.post("/oauth/token", data=form, auth=auth, extensions={"process": 1})
    assert answer.status_code == 200 and await _reads(dealt, answer.json()["access_token"]) == [200, 200]
    gone = await dealt.http.delete(f"/api/v1/clients/{made.json()['client_id']}", headers=headers)
    assert gone.status_code == 204
    again = await dealt.http.post("/oauth/token", data=form, auth=auth, extensions={"process": 1})
    assert error(again) == (401, "invalid_client")


async def _a_new_key_is_known(dealt: Authorization) -> None:
    before = (await _at(dealt, 0, grant_type="client_credentials", scope="memory:read")).json()["access_token"]
    for process in (0, 1):  # both look at the keys a moment before there is another
        await dealt.http.get("/.well-known/jwks.json", extensions={"process": process})
    key = await rotate_signing_key(dealt.runtime.database)  # by a third process, which signs with it from now on
    http = httpx.AsyncClient(transport=httpx.ASGITransport(app=dealt.app), base_url=ISSUER)
    third = replace(dealt, http=http)
    after = (await third.token(grant_type="client_credentials", scope="memory:read")).json()["access_token"]
    await http.aclose()
    assert jws.extract_compact(after.encode()).headers()["kid"] == key.kid
    assert await _reads(dealt, after) == [200, 200]
    assert await _reads(dealt, before) == [200, 200]
    for process in (0, 1):
        published = (await dealt.http.get("/.well-known/jwks.json", extensions={"process": process})).json()["keys"]
        assert key.kid in [each["kid"] for each in published] and len(published) == 2
        assert all("d" not in each for each in published)
