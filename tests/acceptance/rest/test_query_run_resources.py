"""Query runs over REST: listed, read, explained, replayed, and followed as Server-Sent Events."""

import json
import uuid
from collections.abc import Iterator
from threading import Thread
from typing import Any

import httpx
import pytest
from tests.acceptance.conftest import LiveServer

TEXT = "The ferry Amalthea leaves at 06:40."


@pytest.fixture
def client(live_server: LiveServer) -> Any:
    with live_server.client() as opened:
        yield opened


@pytest.fixture
def asked(client: httpx.Client) -> dict[str, Any]:
    """A search of a project with two records, of which it gives one."""
    project = {"project_id": f"project-{uuid.uuid4().hex}"}
    sources = [{"kind": "text", "text": TEXT}, {"kind": "text", "text": "The pier is blue."}]
    client.post("/api/v1/sources/ingest", json={"namespace": project, "sources": sources}).raise_for_status()
    body = {"query": "When does the ferry Amalthea leave?", "namespace": project, "top_k": 1}
    found: dict[str, Any] = client.post("/api/v1/search", json=body).json()
    return found | {"body": body, "namespace": project}


def _events(lines: Iterator[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    name = ""
    for line in lines:
        field, _, value = line.partition(":")
        if field == "event":
            name = value.strip()
        elif field == "data":
            yield name, json.loads(value)


def test_a_run_is_listed_in_short_and_read_step_by_step(client: httpx.Client, asked: dict[str, Any]) -> None:
    path = f"/api/v1/query-runs/{asked['query_id']}"
    client.post("/api/v1/search", json=asked["body"]).raise_for_status()
    page = client.get("/api/v1/query-runs", params={"limit": 1}).json()
    assert page["next"] and "stages" not in page["runs"][0] and len(page["runs"]) == 1
    after = client.get("/api/v1/query-runs", params={"limit": 1, "cursor": page["next"]}).json()
    assert after["runs"][0]["id"] != page["runs"][0]["id"]
    run = client.get(path).json()
    assert run["hits"][0]["text"] == TEXT and all(stage["detail"] is None for stage in run["stages"])
    (lexical,) = [stage["number"] for stage in run["stages"] if stage["name"] == "lexical"]
    stage = client.get(f"{path}/stages/{lexical}").json()
    first = stage["candidates"][0]
    assert (first["record_id"], first["rank"], first["hit"]) == (asked["hits"][0]["record_id"], 1, 1)
    assert first["contribution"] == pytest.approx(first["weight"] / 61)
    beyond = client.get(f"{path}/stages/99")
    assert (beyond.status_code, beyond.json()["code"]) == (404, "run.stage_not_found")


def test_a_run_is_explained_and_made_again(client: httpx.Client, asked: dict[str, Any]) -> None:
    path = f"/api/v1/query-runs/{asked['query_id']}"
    hit = client.get(f"{path}/explain").json()["hits"][0]
    assert sum(part["contribution"] for part in hit["parts"]) == pytest.approx(asked["hits"][0]["score"], abs=1e-6)
    records = client.get("/api/v1/records", params=asked["namespace"]).json()["records"]
    (other,) = [record["id"] for record in records if record["id"] != hit["record_id"]]
    told = client.get(f"{path}/explain", params={"record": other}).json()["record"]
    assert not told["returned"] and told["stage"] and told["detail"]
    assert client.get(f"{path}/explain", params={"record": "d_x"}).json()["code"] == "record.not_found"
    again = client.post(f"{path}/replay").json()
    assert {each["reason"] for each in again["differences"]} <= {"derived", "edges"}  # derived while it was asked
    assert again["identical"] == (not again["differences"]) and again["hits"][0]["record_id"] == hit["record_id"]


def test_the_steps_of_a_run_come_again_as_events(client: httpx.Client, asked: dict[str, Any]) -> None:
    with client.stream("GET", f"/api/v1/query-runs/{asked['query_id']}/events") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        events = list(_events(response.iter_lines()))
    assert [name for name, _ in events][:2] == ["started", "stage"] and events[-1][0] == "finished"
    assert events[1][1]["name"] == "plan" and events[-1][1]["hits"] == 1
    run = client.get(f"/api/v1/query-runs/{asked['query_id']}").json()
    assert events[-1][1]["duration_ms"] == run["duration_ms"] > 0
    missing = client.get("/api/v1/query-runs/q_nothing/events")
    assert (missing.status_code, missing.json()["code"]) == (404, "run.not_found")


def test_runs_are_watched_live(live_server: LiveServer, client: httpx.Client, asked: dict[str, Any]) -> None:
    seen: list[tuple[str, dict[str, Any]]] = []
    with live_server.client() as watcher, watcher.stream("GET", "/api/v1/query-runs/events") as response:
        lines = response.iter_lines()
        assert next(lines).startswith(":")  # from here on nothing is missed
        asking = Thread(target=client.post, args=("/api/v1/search",), kwargs={"json": asked["body"]})
        asking.start()
        for name, event in _events(lines):
            seen.append((name, event))
            if name == "finished":
                break
        asking.join()
    assert [name for name, _ in seen][:2] == ["started", "stage"]
    assert seen[0][1]["question"] == asked["body"]["query"]
    assert {event["id"] for _, event in seen} == {seen[0][1]["id"]}
