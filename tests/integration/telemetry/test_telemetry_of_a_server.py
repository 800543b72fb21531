"""A server and what it tells of itself: its log, its metrics, its traces. None of it holds a secret or any content."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from prometheus_client.parser import text_string_to_metric_families

SECRET = "zanzibar-4711"  # stands for content: in a record, a question, a filter, a wrong body
TRACE = "0af7651916cd43dd8448eb211c80319c"


@dataclass
class Told:
    """All that a server told while it ran."""

    log: list[dict[str, Any]] = field(default_factory=list)
    raw: str = ""
    metrics: str = ""
    spans: list[Any] = field(default_factory=list)
    bodies: bytes = b""
    key: str = ""
    tenant: str = ""
    query_id: str = ""
    request_ids: list[str] = field(default_factory=list)


class _Collector(ThreadingHTTPServer):
    """Takes spans as a collector of OpenTelemetry does."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Taking)
        self.bodies: list[bytes] = []


class _Taking(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, _Collector)
        self.server.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        return None


@pytest.fixture
def collector() -> Iterator[_Collector]:
    server = _Collector()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def told(admin_url: str, tmp_path: Path, collector: _Collector) -> Told:
    """A server in a process of its own, used a little, stopped, and all that it told."""
    environment = os.environ | {
        "MUNIMENT_DATABASE_URL": admin_url,
        "MUNIMENT_DATA_DIR": str(tmp_path / "store"),
        "MUNIMENT_EMBEDDING_PROVIDER": "none",
        "MUNIMENT_LOG_FORMAT": "json",
        "MUNIMENT_METRICS_PORT": "0",
        "MUNIMENT_METRICS_PERIOD": "0.2",
        "MUNIMENT_TELEMETRY_ENDPOINT": f"http://127.0.0.1:{collector.server_port}",
    }
    command = [sys.executable, "-c", "from muniment.cli.main import run; run()", "serve", "--port", "0"]
    with open(tmp_path / "log", "wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=log, text=True)
    told = Told()
    assert process.stdout is not None
    try:
        metrics = _url(process.stdout.readline())
        url = _url(process.stdout.readline())
        told.key = process.stdout.readline().split()[-1]
        _use(url, told)
        told.metrics = _scrape(metrics, 'muniment_jobs_total{kind="extract",outcome="done"}')
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        process.stdout.close()
    told.raw = (tmp_path / "log").read_text()
    told.log = [json.loads(line) for line in told.raw.splitlines()]
    told.bodies = b"".join(collector.bodies)
    told.spans = [
        span
        for body in collector.bodies
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]
    return told


def _url(line: str) -> str:
    found = re.search(r"http://\S+", line)
    assert found is not None, line
    return found.group()


def _scrape(url: str, wanted: str) -> str:
    deadline = time.monotonic() + 60
    while True:
        text = httpx.get(url).text
        if wanted in text or time.monotonic() > deadline:
            return text
        time.sleep(0.2)


def _use(url: str, told: Told) -> None:
    headers = {"Authorization": f"Bearer {told.key}"}
    with httpx.Client(base_url=url, headers=headers, timeout=60) as client:
        turns = [{"role": "user", "content": f"The password is {SECRET}."}]
        body = {"messages": turns, "group_id": "chat"}
        assert client.post("/api/v1/messages", json=body, headers={"Idempotency-Key": SECRET}).status_code < 300
        traceparent = {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01", "X-Request-ID": "mine-1"}
        found = client.post("/api/v1/search", json={"query": f"password {SECRET}"}, headers=traceparent)
        told.request_ids = [found.headers["x-request-id"]]
        told.query_id = found.json()["query_id"]
        record = found.json()["hits"][0]["record_id"]
        assert client.get(f"/api/v1/records/{record}").status_code == 200
        assert client.post("/api/v1/search", json={"query": SECRET, "nonsense": SECRET}).status_code == 400
        assert client.get(f"/api/v1/{SECRET}").status_code == 404
        assert client.get("/api/v1/sources", headers={"Authorization": f"Bearer mun_{SECRET}"}).status_code == 401
        bad = client.get("/api/v1/sources", headers={"X-Request-ID": f"{SECRET} \u00fc".encode()})
        told.request_ids.append(bad.headers["x-request-id"])


def test_a_server_tells_of_itself_and_of_nothing_that_it_keeps(told: Told) -> None:
    search = next(line for line in told.log if line.get("route") == "/api/v1/search" and line["status"] == 200)
    assert search["event"] == "request" and search["method"] == "POST" and search["duration_ms"] > 0
    assert (search["request_id"], search["query_run"]) == ("mine-1", told.query_id)
    assert told.request_ids[0] == "mine-1" and re.fullmatch(r"[0-9a-f]{32}", told.request_ids[1])
    assert re.fullmatch(r"t_[0-9a-f]{32}", search["tenant"])
    assert any(line.get("route") == "/api/v1/records/{record_id}" for line in told.log), told.log
    assert {line["status"] for line in told.log if "status" in line} >= {200, 400, 401, 404}

    families = {family.name: family for family in text_string_to_metric_families(told.metrics)}
    served = {
        (sample.labels["method"], sample.labels["route"], sample.labels["status"]): sample.value
        for sample in families["muniment_requests"].samples
        if sample.name == "muniment_requests_total"
    }
    assert served["POST", "/api/v1/search", "200"] == 1
    assert served["POST", "/api/v1/search", "400"] == 1
    assert served["GET", "other", "404"] == 1
    errors = {sample.labels["code"] for sample in families["muniment_errors"].samples if "code" in sample.labels}
    assert errors == {"input.invalid", "route.not_found", "auth.invalid"}
    assert families["muniment_database_up"].samples[0].value == 1
    labels = {value for family in families.values() for sample in family.samples for value in sample.labels.values()}
    assert not any(re.match(r"[tdqsrj]_[0-9a-f]{8}", label) for label in labels)

    by_name = {span.name: span for span in told.spans}
    spans = [span for span in told.spans if span.trace_id.hex() == TRACE]
    assert {"POST /api/v1/search", "search plan", "search routes", "search rank"} <= {span.name for span in spans}
    assert "job extract" in by_name
    attributes = {each.key: each.value.string_value for each in by_name["GET /api/v1/records/{record_id}"].attributes}
    assert attributes["muniment.tenant"] == search["tenant"]

    for told_of in (told.raw, told.metrics, told.bodies.decode("utf-8", "replace")):
        assert told_of and SECRET not in told_of and told.key not in told_of
        assert "password" not in told_of
