"""Two API processes on one database are one authorization server: whichever of them a request comes to."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from authorization import BACK, ISSUER, Authorization, Verifier
from joserfc import jws
from pydantic import SecretStr

from muniment.bench.request_servers import api_processes
from muniment.oauth.signing import rotate_signing_key


class _Dealt(httpx.AsyncBaseTransport):
    """Sends each request to the next process, or to the one that its extension names, under the public URL."""

    def __init__(self, urls: list[str]) -> None:
        self._urls = [httpx.URL(url) for url in urls]
        self._turns = itertools.cycle(range(len(urls)))
        self._plain = httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        place = self._urls[request.extensions.get("process", next(self._turns))]
        request.url = request.url.copy_with(scheme=place.scheme, host=place.host, port=place.port)
        return await self._plain.handle_async_request(request)

    async def aclose(self) -> None:
        await self._plain.aclose()


@pytest.fixture
async def dealt(oauth: Authorization, admin_url: str, tmp_path: Path) -> AsyncIterator[Authorization]:
    """The authorization server of the database, served by two processes in turns."""
    environment = {
        "MUNIMENT_DATABASE_URL": SecretStr(admin_url).get_secret_value(), "MUNIMENT_PUBLIC_URL": ISSUER,
        "MUNIMENT_EMBEDDING_PROVIDER": "none", "MUNIMENT_EXTRACTION": "off", "MUNIMENT_SUMMARIES": "off",
    }  # fmt: skip
    async with (
        api_processes(2, tmp_path / "store", environment) as urls,
        httpx.AsyncClient(transport=_Dealt(urls), base_url=ISSUER, timeout=60) as http,
    ):
        yield replace(oauth, http=http)


async def _at(dealt: Authorization, process: int, **form: str) -> httpx.Response:
    client = dealt.client
    assert client.secret is not None
    auth = httpx.BasicAuth(client.client.id, client.secret)
    return await dealt.http.post("/oauth/token", data=form, auth=auth, extensions={"process": process})


async def _reads(dealt: Authorization, token: str) -> list[int]:
    headers = {"Authorization": f"Bearer {token}"}
    answers = [
        await dealt.http.get("/api/v1/records", headers=headers, extensions={"process": process}) for process in (0, 1)
    ]
    return [answer.status_code for answer in answers]


async def test_codes_refresh_tokens_and_keys_are_those_of_all_processes(dealt: Authorization) -> None:
    verifier = Verifier()
    # the pages of one flow come from both in turns; then both are asked to redeem the code at once
    code = (await dealt.consent(dealt.client, verifier))["code"]
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": BACK, "code_verifier": verifier.value}
    redeemed = await asyncio.gather(*(_at(dealt, process, **form) for process in (0, 1)))
    assert sorted(answer.status_code for answer in redeemed)[0] in (200, 400)
    assert sum(answer.is_success for answer in redeemed) <= 1

    tokens = await dealt.tokens(dealt.client)
    assert await _reads(dealt, tokens["access_token"]) == [200, 200]
    first = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    renewed = await _at(dealt, 0, **first)
    assert renewed.status_code == 200
    assert (await _at(dealt, 1, **first)).json()["error"] == "invalid_grant"  # it was used at the other
    again = {"grant_type": "refresh_token", "refresh_token": renewed.json()["refresh_token"]}
    assert (await _at(dealt, 0, **again)).json()["error"] == "invalid_grant"  # and that ended the whole family
    assert await _reads(dealt, renewed.json()["access_token"]) == [401, 401]

    before = (await _at(dealt, 0, grant_type="client_credentials", scope="memory:read")).json()["access_token"]
    key = await rotate_signing_key(dealt.runtime.database)  # by a third process
    after = (await _at(dealt, 1, grant_type="client_credentials", scope="memory:read")).json()["access_token"]
    assert jws.extract_compact(after.encode()).headers()["kid"] == key.kid
    assert await _reads(dealt, after) == [200, 200] and await _reads(dealt, before) == [200, 200]
    for process in (0, 1):
        published = (await dealt.http.get("/.well-known/jwks.json", extensions={"process": process})).json()["keys"]
        assert key.kid in [each["kid"] for each in published] and len(published) == 2
