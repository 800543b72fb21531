"""Server-Sent Events of a question, as a stranger with curl meets them."""

import json
import uuid
from typing import Any

import httpx
import jsonschema_rs
import pytest
from tests.acceptance.conftest import LiveServer

TEXT = "Project Atlas launch date is confirmed for 14 October 2026."


def told(body: str) -> list[tuple[str, dict[str, Any]]]:
    events = []
    for block in body.split("\r\n\r\n"):
        lines = dict(line.split(": ", 1) for line in block.split("\r\n") if not line.startswith(":") and ": " in line)
        if lines:
            events.append((lines["event"], json.loads(lines["data"])))
    return events


@pytest.mark.parametrize(
    ("query", "accept"),
    [("?stream=true", "application/json"), ("", "text/event-stream"), ("?stream=false", "text/event-stream")],
)
def test_events_come_where_they_are_asked_for(live_server: LiveServer, query: str, accept: str) -> None:
    namespace = {"project_id": f"project-{uuid.uuid4().hex}"}
    with live_server.client() as client:
        source = {"kind": "text", "text": TEXT, "source_key": "memo"}
        client.post("/api/v1/sources/ingest", json={"namespace": namespace, "sources": [source]})
        question = {"question": "What is the confirmed launch date for Project Atlas?", "namespace": namespace}
        response = client.post(f"/api/v1/query{query}", json=question, headers={"Accept": accept})
        plain = client.post("/api/v1/query", json=question).json()
    assert response.status_code == 200
    if query == "?stream=false":
        assert response.json()["answer"] == plain["answer"]
        return
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["cache-control"] == "no-store"
    events = told(response.text)
    names = [name for name, _ in events]
    assert names[0] == "stage" and names[-1] == "result" and names.count("evidence") == 1
    assert events[-1][1]["result"]["answer"] == plain["answer"] and TEXT in plain["answer"]


def test_a_request_that_cannot_be_has_a_status_and_no_stream(live_server: LiveServer) -> None:
    with live_server.client() as client:
        for body in ({"question": "x", "known_at": 10**9}, {"question": "x" * 70_000}, {"nothing": 1}):
            response = client.post("/api/v1/query?stream=true", json=body)
            assert response.status_code in (400, 413), response.text
            assert response.headers["content-type"].startswith("application/problem+json")
        denied = httpx.post(f"{live_server.url}/api/v1/query?stream=true", json={"question": "x"}, timeout=60)
    assert denied.status_code == 401


@pytest.mark.parametrize("question", [{"question": "Who?"}, {"question": "Who?", "timeout": 0.001}])
def test_the_document_tells_the_shape_of_every_event(live_server: LiveServer, question: dict[str, Any]) -> None:
    with live_server.client() as client:
        document = client.get("/openapi.json").json()
        body = client.post("/api/v1/query?stream=true", json=question).text
    content = document["paths"]["/api/v1/query"]["post"]["responses"]["200"]["content"]
    promised = jsonschema_rs.validator_for(content["text/event-stream"]["schema"])
    events = [{"event": name, "data": json.dumps(data)} for name, data in told(body)]
    assert events
    for event in events:
        promised.validate(event)
    assert not promised.is_valid({"event": "unheard of", "data": "{}"})
