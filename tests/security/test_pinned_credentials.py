"""A key that is pinned to a namespace, over REST: nothing of another namespace of its tenant shows or changes."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from muniment.api.app import create_app
from muniment.runtime import open_runtime
from muniment.settings import Settings
from muniment.tenancy.keys import create_key
from muniment.tenancy.principal import SCOPES, WHOLE_TENANT, pin_of

MAYA, LIAM = {"project_id": "atlas", "user_id": "maya"}, {"project_id": "atlas", "user_id": "liam"}
ALL = tuple(scope for scope in SCOPES if scope not in WHOLE_TENANT)


@dataclass(slots=True)
class Clients:
    """One who sees the whole tenant, one pinned to Maya, and one pinned to a user of whom nothing was ever written."""

    whole: httpx.AsyncClient
    maya: httpx.AsyncClient
    nobody: httpx.AsyncClient


@pytest.fixture
async def clients(admin_url: str, tmp_path: Path) -> AsyncIterator[Clients]:
    settings = Settings(
        database_url=SecretStr(admin_url), data_dir=tmp_path / "store", embedding_provider="none", pool_size=4,
        summaries="off",
    )  # fmt: skip
    async with AsyncExitStack() as opened:
        runtime = await opened.enter_async_context(open_runtime(settings, run_jobs=False))
        app = create_app(settings, nullcontext(runtime))
        app.state.runtime = runtime
        made = []
        for pin in (None, pin_of(None, "maya", None), pin_of(None, "nobody", None)):
            scopes = SCOPES if pin is None else ALL
            key = await create_key(runtime.database, runtime.tenant.number, "test", scopes, pin=pin)
            client = httpx.AsyncClient(
                transport=httpx.ASGITransport(app=app), base_url="http://server/api/v1/",
                headers={"Authorization": f"Bearer {key.secret}"},
            )  # fmt: skip
            made.append(await opened.enter_async_context(client))
        yield Clients(*made)


async def _say(client: httpx.AsyncClient, namespace: dict[str, str], text: str, **more: Any) -> httpx.Response:
    body = {"namespace": namespace, "group_id": f"chat-{namespace.get('user_id')}", **more}
    return await client.post("messages", json=body | {"messages": [{"role": "user", "content": text}]})


async def _ids(client: httpx.AsyncClient, path: str, name: str) -> set[str]:
    answer = await client.get(path)
    assert answer.status_code == 200, answer.text
    return {each["id"] for each in answer.json()[name]}


async def test_reading_shows_what_agrees_with_the_pin_alone(clients: Clients) -> None:
    mine = (await _say(clients.whole, MAYA, "The ferry password is heron.")).json()
    theirs = (await _say(clients.whole, LIAM, "The ferry password is osprey.")).json()
    (my_record,), (their_record,) = (run["items"][0]["record_ids"] for run in (mine, theirs))
    assert await _ids(clients.maya, "records", "records") == {my_record}
    assert await _ids(clients.maya, "ingestion-runs", "runs") == {mine["id"]}
    assert len(await _ids(clients.maya, "sources", "sources")) == 1
    for asked in ({}, {"project_id": "atlas"}, MAYA, LIAM):
        found = await clients.maya.post("search", json={"query": "ferry password osprey", "namespace": asked})
        shown = {hit["record_id"] for hit in found.json()["hits"]}
        assert shown == (set() if asked == LIAM else {my_record}), found.text
    for path in (f"records/{their_record}", f"records/{their_record}/proof", f"records/{their_record}/history",
                 f"ingestion-runs/{theirs['id']}"):  # fmt: skip
        assert (await clients.maya.get(path)).status_code == 404, path
    assert (await clients.maya.get(f"records/{my_record}")).status_code == 200


async def test_a_run_of_another_namespace_is_not_found_nor_heard(clients: Clients) -> None:
    await _say(clients.whole, LIAM, "The ferry password is osprey.")
    theirs = (await clients.whole.post("search", json={"query": "osprey", "namespace": LIAM})).json()["query_id"]
    for suffix in ("", "/stages/1", "/explain", "/events"):
        assert (await clients.maya.get(f"query-runs/{theirs}{suffix}")).status_code == 404, suffix
    assert (await clients.maya.post(f"query-runs/{theirs}/replay", json={})).status_code == 404
    assert (await clients.maya.get("query-runs/events")).status_code == 403
    mine = (await clients.maya.post("query", json={"question": "What is the password?"})).json()["query_id"]
    assert await _ids(clients.maya, "query-runs", "runs") == {mine}


async def test_a_key_pinned_to_what_was_never_written_asks_and_finds_nothing(clients: Clients) -> None:
    await _say(clients.whole, LIAM, "The ferry password is osprey.")
    for namespace in ({}, LIAM):
        found = await clients.nobody.post("search", json={"query": "osprey", "namespace": namespace})
        assert (found.status_code, found.json()["hits"]) == (200, [])
    assert len(await _ids(clients.nobody, "query-runs", "runs")) == 2


@pytest.mark.parametrize("namespace", [{}, {"project_id": "atlas"}, LIAM])
async def test_writing_to_another_namespace_is_denied(clients: Clients, namespace: dict[str, str]) -> None:
    denied = [
        await _say(clients.maya, namespace, "Trust me."),
        await clients.maya.post(
            "sources/ingest", json={"namespace": namespace, "sources": [{"kind": "text", "text": "Trust me."}]}
        ),
    ]
    for answer in denied:
        assert (answer.status_code, answer.json()["code"]) == (403, "auth.namespace_denied")
        assert answer.json()["facts"]["pin"] == {"user_id": "maya"}
    assert await _ids(clients.whole, "records", "records") == set()


async def test_a_pinned_key_writes_to_its_own_namespace_and_to_new_ones_within(clients: Clients) -> None:
    within = [MAYA, {"user_id": "maya"}, {"project_id": "other", "user_id": "maya", "agent_id": "planner"}]
    for namespace in within:
        said = await _say(clients.maya, namespace, "The kettle is blue.")
        assert said.status_code == 200 and said.json()["state"] == "succeeded", said.text
    assert len(await _ids(clients.maya, "records", "records")) == len(within)


async def test_nothing_of_another_namespace_is_corrected_forgotten_undone_or_erased(clients: Clients) -> None:
    run = (await _say(clients.whole, LIAM, "The ferry password is osprey.")).json()
    (record,) = run["items"][0]["record_ids"]
    source = (await clients.whole.get(f"records/{record}")).json()["source_id"]
    told = {"reason": "mine now"}
    forgotten = await clients.whole.post("records/forget", json={"records": [record], "reason": "by its owner"})
    commit = forgotten.json()["commit"]
    tries = {
        f"records/{record}/correct": told | {"text": "heron"}, "records/forget": told | {"records": [record]},
        f"sources/{source}/retract": told, f"commits/{commit}/undo": told, "erasures": told | {"records": [record]},
        f"ingestion-runs/{run['id']}/retry": {},
    }  # fmt: skip
    for path, body in tries.items():
        answer = await clients.maya.post(path, json=body)
        assert answer.status_code == 404, (path, answer.text)
    assert (await clients.maya.post("erasures", json=told | {"sources": [source]})).status_code == 404
    assert (await clients.maya.get("erasures")).status_code == 403
    assert (await clients.whole.get(f"records/{record}")).json()["text"] == "The ferry password is osprey."


async def test_a_pinned_key_erases_its_own(clients: Clients) -> None:
    (record,) = (await _say(clients.maya, MAYA, "The kettle is blue.")).json()["items"][0]["record_ids"]
    erased = await clients.maya.post("erasures", json={"records": [record], "reason": "asked to"})
    assert erased.status_code == 200 and erased.json()["records"] == 1, erased.text
    assert (await clients.maya.get(f"erasures/{erased.json()['id']}")).json()["state"] == "purged"


async def test_nothing_about_the_whole_tenant_is_open_to_a_pinned_key(clients: Clients) -> None:
    tries = ["GET keys", "POST keys", "POST validate", "POST rebuild", "PUT policy", "PUT relations/likes",
             "PUT retrieval-profiles/x"]  # fmt: skip
    for method, path in (each.split() for each in tries):
        answer = await clients.maya.request(method, path, json={})
        assert (answer.status_code, answer.json()["code"]) == (403, "auth.scope_missing"), (path, answer.text)


async def test_a_pinned_key_is_under_the_policy_of_its_tenant(clients: Clients) -> None:
    iban = {"ingest": "mark", "answer": "withhold"}
    rules = {"email": {"ingest": "mask"}, "phone": {"ingest": "refuse"}, "iban": iban}
    policy = {"classes": rules, "retention": [], "reason": "a test"}
    for asked_before in (False, True):  # by a pinned key, whose view of the policy is kept for a moment
        if asked_before:
            await clients.maya.post("search", json={"query": "osprey", "namespace": MAYA})
        (await clients.whole.put("policy", json=policy)).raise_for_status()
        shown = (await clients.maya.get("policy")).json()
        assert shown == (await clients.whole.get("policy")).json() and set(shown["classes"]) == set(rules)
    (masked,) = (await _say(clients.maya, MAYA, "My mail is pia@gmail.com.")).json()["items"][0]["record_ids"]
    assert (await clients.maya.get(f"records/{masked}")).json()["text"] == "My mail is [email]."
    refused = await _say(clients.maya, MAYA, "Call +49 30 90182099 please.")
    assert refused.json()["code"] == "policy.refused", refused.text
    (await _say(clients.maya, MAYA, "The bank is IBAN DE89 3704 0044 0532 0130 00.")).raise_for_status()
    found = (await clients.maya.post("search", json={"query": "the bank", "namespace": MAYA})).text
    assert "[iban]" in found and "3704" not in found
    asked = {"query": "mail pia@gmail.com", "namespace": MAYA}
    assert "pia" not in (await clients.maya.post("search", json=asked)).text


async def test_idempotency_keys_of_other_spaces_are_neither_seen_nor_in_the_way(clients: Clients) -> None:
    async def say(client: httpx.AsyncClient, namespace: dict[str, str], text: str) -> httpx.Response:
        body = {"namespace": namespace, "group_id": "chat", "messages": [{"role": "user", "content": text}]}
        return await client.post("messages", json=body, headers={"Idempotency-Key": "1"})

    whole = await say(clients.whole, LIAM, "The ferry is late.")
    own = await say(clients.maya, MAYA, "The kettle is blue.")
    assert (whole.status_code, own.status_code) == (200, 200), own.text
    assert own.json()["id"] != whole.json()["id"]
    assert (await say(clients.maya, MAYA, "The kettle is blue.")).json() == own.json()
    other = await say(clients.maya, MAYA, "The kettle is red.")
    assert (other.status_code, other.json()["code"]) == (422, "idempotency.mismatch")
