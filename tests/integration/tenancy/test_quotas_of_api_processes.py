"""Two real server processes on one database agree on what a tenant may still ask for."""

import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from muniment.database.pool import Database
from muniment.model.quotas import QuotaChange
from muniment.tenancy.keys import create_key
from muniment.tenancy.quotas import get_usage, put_quota
from muniment.tenancy.tenants import Tenant

LIMIT = 30
_SERVE = "from muniment.cli.main import run; run()"


@dataclass(frozen=True, slots=True)
class Process:
    url: str
    process: subprocess.Popen[bytes]


@pytest.fixture
def processes(admin_url: str, tmp_path: Path) -> Iterator[list[Process]]:
    """Two servers that run no jobs and embed nothing."""
    environment = {
        "PATH": "/usr/bin:/bin", "MUNIMENT_DATABASE_URL": admin_url, "MUNIMENT_RUN_JOBS_HERE": "false",
        "MUNIMENT_EMBEDDING_PROVIDER": "none", "MUNIMENT_USAGE_PERIOD": "0.2", "PYTHONUNBUFFERED": "1",
        "PYTHONPATH": ":".join(sys.path),
    }  # fmt: skip
    logs = [tmp_path / f"server-{n}.log" for n in range(2)]
    running: list[Process] = []
    started = []
    for n, log in enumerate(logs):
        with log.open("wb") as said:
            arguments = ["serve", "--port", "0", "--data-dir", str(tmp_path / f"data-{n}")]
            started.append(
                subprocess.Popen(
                    [sys.executable, "-c", _SERVE, *arguments], stdout=said, stderr=subprocess.STDOUT, env=environment
                )
            )
        deadline = time.monotonic() + 120
        while "startup complete" not in (told := log.read_text()):
            assert started[-1].poll() is None and time.monotonic() < deadline, told
            time.sleep(0.05)
        running.append(Process(told.split("listens on ")[1].split()[0], started[-1]))
    yield running
    for each in started:
        each.terminate()
        each.wait(30)


async def test_the_requests_of_a_tenant_are_counted_over_both(
    processes: list[Process], database: Database, tenant: Tenant, other_tenant: Tenant
) -> None:
    key = (await create_key(database, tenant.number, "flood", ["memory:read", "memory:write"])).secret
    steady = (await create_key(database, other_tenant.number, "steady", ["memory:read"])).secret
    await put_quota(database, tenant.number, QuotaChange(requests_per_minute=LIMIT))
    answers, seconds = _ask(processes, key, 50)
    taken = [answer for answer in answers if answer.status_code == 200]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert len(taken) + len(refused) == 50
    assert LIMIT <= len(taken) <= LIMIT + 1 + seconds * LIMIT / 60
    for answer in refused:
        assert answer.headers["content-type"] == "application/problem+json"
        assert (answer.json()["code"], answer.json()["facts"]["limit"]) == ("quota.requests_exceeded", LIMIT)
        assert 1 <= int(answer.headers["retry-after"]) <= 2
        assert answer.headers["ratelimit"].startswith('"requests";r=0;t=')
    assert {answer.headers["ratelimit-policy"] for answer in answers} == {f'"requests";q={LIMIT};w=60'}
    left = [int(answer.headers["ratelimit"].split("r=")[1].split(";")[0]) for answer in taken]
    assert max(left) == LIMIT - 1 and min(left) == 0
    told, _ = _ask(processes, steady, 4)
    assert [answer.status_code for answer in told] == [200] * 4
    for each in processes:
        each.process.terminate()
        each.process.wait(30)
    (today,) = (await get_usage(database, tenant.number, 1)).days
    assert (today.requests, today.refused) == (len(taken), len(refused))


def _ask(processes: list[Process], key: str, count: int) -> tuple[list[httpx.Response], float]:
    start = time.monotonic()
    headers = {"Authorization": f"Bearer {key}"}
    with ThreadPoolExecutor(8) as pool:
        urls = [f"{processes[n % 2].url}/api/v1/ingestion-runs" for n in range(count)]
        answers = list(pool.map(lambda url: httpx.get(url, headers=headers, timeout=60), urls))
    return answers, time.monotonic() - start
