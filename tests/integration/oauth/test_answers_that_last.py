"""Feeds, streams and exports end with the credential that they were opened with, whatever ends that."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from authorization import Authorization

from muniment.archive.exporting import Export
from muniment.jobs.watching import JobWatch
from muniment.model.events import QueryEvent, StageEvent
from muniment.model.identifiers import TENANT, public_id
from muniment.model.job import Job
from muniment.model.request import SearchRequest
from muniment.oauth import tokens
from muniment.retrieval.engine import Retriever
from muniment.tenancy.clients import NewClient, create_client
from muniment.tenancy.keys import create_key, revoke_key
from muniment.tenancy.principal import SCOPES
from muniment.tenancy.tenants import Tenant, admit_tenant, suspend_tenant

_WAIT = 30  # seconds, for what takes six


@dataclass(slots=True)
class Guest:
    """A tenant beside the store's own, with a client of its own and a key that lasts."""

    oauth: Authorization
    tenant: Tenant
    client: NewClient
    lasting: str

    @property
    def database(self) -> Any:
        return self.oauth.runtime.database

    async def token(self) -> str:
        answer = await self.oauth.token(self.client, grant_type="client_credentials")
        assert answer.status_code == 200, answer.text
        told: str = answer.json()["access_token"]
        return told

    async def search(self, words: str) -> None:
        await self.oauth.runtime.retriever.search(self.tenant.number, SearchRequest(query=words))

    async def listened(self) -> None:
        """Returns once somebody listens to the tenant's feed."""
        async with asyncio.timeout(_WAIT):
            while not self.oauth.runtime.retriever.feed._listening:  # noqa: ASYNC110 - the feed tells nobody
                await asyncio.sleep(0.01)


@pytest.fixture
async def guest(oauth: Authorization) -> Guest:
    database = oauth.runtime.database
    tenant = await admit_tenant(database, "guest")
    client = await create_client(
        database, tenant.number, "Feed", grant_types=["client_credentials"], scopes=SCOPES, redirect_uris=[]
    )
    key = await create_key(database, tenant.number, "lasting", SCOPES)
    return Guest(oauth, tenant, client, key.secret)


def _events(body: str) -> list[tuple[str, str]]:
    blocks = [dict(line.split(": ", 1) for line in each.splitlines() if not line.startswith(":") and ": " in line)
              for each in body.split("\r\n\r\n")]  # fmt: skip
    return [(block["event"], block["data"]) for block in blocks if "event" in block]


@pytest.mark.parametrize("kind", ["key", "token"])
@pytest.mark.parametrize("end", ["revoked", "expired", "suspended"])
async def test_the_live_feed_ends_with_its_credential(
    guest: Guest, kind: str, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, number = guest.database, guest.tenant.number
    secret = key_id = ""
    if kind == "key":
        expires = datetime.now(UTC) + timedelta(seconds=2) if end == "expired" else None
        key = await create_key(database, number, "feed", ["query:read"], expires)
        secret, key_id = key.secret, key.key.id
    else:
        if end == "expired":
            monkeypatch.setattr(tokens, "_LEEWAY", 0)
            short = database.settings.model_copy(update={"access_token_seconds": 3})
            monkeypatch.setattr(database, "settings", short)
        secret = await guest.token()
    watching = asyncio.create_task(guest.oauth.api("query-runs/events", secret))
    await guest.listened()
    await guest.search("before the end")
    if end == "suspended":
        await suspend_tenant(database, public_id(TENANT, guest.tenant.public_id))
    elif end == "revoked" and kind == "key":
        await revoke_key(database, number, key_id)
    elif end == "revoked":
        assert (await guest.oauth.post("revoke", guest.client, token=secret)).status_code == 200
    if end == "revoked":  # in this process at once, and so before the next event
        await guest.search("after the end")
    answer = await asyncio.wait_for(watching, _WAIT)
    events = _events(answer.text)
    assert "before the end" in answer.text and "after the end" not in answer.text
    assert events[-1][0] == "error" and json.loads(events[-1][1])["code"] == "auth.invalid"
    assert not guest.oauth.runtime.retriever.feed._listening


async def test_a_feed_whose_key_is_good_goes_on(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muniment.api.run_stream.ASK_SECONDS", 0.01)
    watching = asyncio.create_task(guest.oauth.api("query-runs/events", guest.lasting))
    await guest.listened()
    await asyncio.sleep(0.2)
    await guest.search("a question of ours")
    await asyncio.sleep(0.1)
    guest.oauth.runtime.retriever.feed.close()
    answer = await asyncio.wait_for(watching, _WAIT)
    assert "a question of ours" in answer.text and [name for name, _ in _events(answer.text)][-1] == "finished"


@pytest.mark.parametrize("path", ["query?stream=true", "jobs/j_1/events"])
async def test_a_stream_that_is_quiet_ends_with_its_key_and_gives_its_work_up(
    guest: Guest, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, given_up = asyncio.Event(), asyncio.Event()

    async def stalls(first: Any) -> AsyncGenerator[Any, None]:
        try:
            yield first
            begun.set()
            await asyncio.Event().wait()
        finally:
            given_up.set()

    stage: QueryEvent = StageEvent(name="plan", decision=None, duration_ms=1.0)
    job = Job.model_construct(id="j_1", state="running")
    monkeypatch.setattr(Retriever, "query_events", lambda *_: stalls(stage))
    monkeypatch.setattr(JobWatch, "watch", lambda *_: stalls(job))
    key = await create_key(guest.database, guest.tenant.number, "stream", ["query:read", "memory:read"])
    method, body = ("POST", {"json": {"question": "Who?"}}) if path.startswith("query") else ("GET", {})
    asking = asyncio.create_task(guest.oauth.api(path, key.secret, method, **body))
    await asyncio.wait_for(begun.wait(), _WAIT)
    await revoke_key(guest.database, guest.tenant.number, key.key.id)
    answer = await asyncio.wait_for(asking, _WAIT)
    name, told = _events(answer.text)[-1]
    assert name == "error" and "auth.invalid" in told
    await asyncio.wait_for(given_up.wait(), _WAIT)


async def test_an_export_is_broken_off_with_its_key(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    key = await create_key(guest.database, guest.tenant.number, "export", ["tenant:admin"])
    closed = asyncio.Event()

    async def lines(_: Export) -> AsyncIterator[bytes]:
        try:
            yield b"first\n"
            yield b"second\n"
            await revoke_key(guest.database, guest.tenant.number, key.key.id)
            yield b"third\n"
        finally:
            closed.set()

    monkeypatch.setattr(Export, "lines", lines)
    sent: list[bytes] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        async def noting(message: Any) -> None:
            sent.append(message.get("body", b""))
            assert message["type"] == "http.response.start" or message["more_body"], "the answer looks whole"
            await send(message)

        await guest.oauth.app(scope, receive, noting)

    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="https://memory.example") as client:
        with pytest.raises(BaseException) as caught:
            await client.get("/api/v1/archive", headers={"Authorization": f"Bearer {key.secret}"})
    assert b"".join(sent) == b"first\nsecond\n" and closed.is_set(), caught.value
