"""Whether a server answers while it reads a large archive: search latency and memory during an upload, and in quiet.

    python tests/benchmarks/large_archive.py [--megabytes 500] [--kind zip|tar|tar.gz] [--files 2000] [--store DIR]

A server of its own, without an embedding model, gets a few hundred notes and is searched in quiet. Then an archive is
sent to it as the body of one request: ``--files`` small text files, and the rest in log files of 20 MB.
Meanwhile the searches go on. Reported are their p50, p95 and longest in both times, the largest resident memory of the
server, of the processes that read for it and of PostgreSQL's, and what became of the members.
"""

import argparse
import io
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil

_WORDS = (
    "keeper",
    "ladder",
    "roof",
    "shed",
    "harbour",
    "lamp",
    "engine",
    "valve",
    "ledger",
    "spring",
    "bridge",
    "buoy",
)
_BIG = 20_000_000
_PAUSE = 0.05  # seconds between two searches


def note(number: int, words: int = 120) -> str:
    """Some text of its own."""
    chosen = random.Random(number)
    return f"Note {number}. " + " ".join(f"{chosen.choice(_WORDS)}{chosen.randrange(400)}" for _ in range(words))


def members(size: int, files: int) -> Iterator[tuple[str, bytes]]:
    """The files of an archive: many small ones, and as many large ones as the size needs."""
    for number in range(files):
        yield f"notes/{number % 97}/{number}.txt", note(number).encode()
    some = [note(number) for number in range(1000)]
    each = sum(map(len, some)) // len(some) + 20
    for number in range(max(0, size - files * each) // _BIG):
        entries = (f"Entry {number}.{line}: {some[(number + line) % len(some)]}" for line in range(_BIG // each))
        yield f"logs/{number}.log", "\n\n".join(entries).encode()


def write_archive(path: Path, kind: str, size: int, files: int) -> None:
    """An archive of about so many bytes."""
    if kind == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as packed:
            for name, content in members(size, files):
                packed.writestr(name, content)
        return
    with tarfile.open(
        path, "w:gz" if kind == "tar.gz" else "w", **({"compresslevel": 1} if kind == "tar.gz" else {})
    ) as tar:
        for name, content in members(size, files):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))


class Server:
    """A server process with a store of its own."""

    def __init__(self, store: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        environment = {**os.environ, "MUNIMENT_DATA_DIR": str(store), "MUNIMENT_EMBEDDING_PROVIDER": "none"}
        muniment = [str(Path(sys.executable).parent / "muniment")]
        made = subprocess.run(
            [*muniment, "key", "create", "--label", "benchmark", "--json"],
            env=environment,
            check=True,
            capture_output=True,
        )
        self.url = f"http://127.0.0.1:{port}"
        self.key = json.loads(made.stdout)["secret"]
        self.process = subprocess.Popen(
            [*muniment, "serve", "--port", str(port)], env=environment, stdout=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline:
            try:
                if httpx.get(f"{self.url}/health/ready", timeout=5).status_code == 200:
                    return
            except httpx.HTTPError:
                time.sleep(0.2)
        raise SystemExit("the server did not start")

    def client(self) -> httpx.Client:
        return httpx.Client(
            base_url=f"{self.url}/api/v1", headers={"Authorization": f"Bearer {self.key}"}, timeout=httpx.Timeout(3600)
        )

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(60)


class Memory(threading.Thread):
    """Looks ten times a second how much each kind of process holds, and keeps the most."""

    def __init__(self, server: int) -> None:
        super().__init__(daemon=True)
        self.most: Counter[str] = Counter()
        self._server = psutil.Process(server)
        self._stopped = threading.Event()

    def run(self) -> None:
        while not self._stopped.wait(0.1):
            now: Counter[str] = Counter()
            for process in [self._server, *self._server.children(recursive=True)]:
                try:
                    kind, held = self._kind(process), process.memory_info().rss
                except psutil.Error:
                    continue
                now[kind] = max(now[kind], held)
            for kind, held in now.items():
                self.most[kind] = max(self.most[kind], held)

    def _kind(self, process: psutil.Process) -> str:
        if process.pid == self._server.pid:
            return "server"
        return "largest process of PostgreSQL" if "postgres" in process.name() else "largest process that reads"

    def stop(self) -> None:
        self._stopped.set()
        self.join()


class Searches(threading.Thread):
    """Searches one after the other, with a short pause, and keeps how long each took."""

    def __init__(self, server: Server) -> None:
        super().__init__(daemon=True)
        self.seconds: list[float] = []
        self._server = server
        self._stopped = threading.Event()

    def run(self) -> None:
        chosen = random.Random(7)
        with self._server.client() as client:
            while not self._stopped.wait(_PAUSE):
                query = " ".join(f"{chosen.choice(_WORDS)}{chosen.randrange(400)}" for _ in range(3))
                started = time.perf_counter()
                client.post("search", json={"query": query, "namespace": {"project_id": "quiet"}}).raise_for_status()
                self.seconds.append(time.perf_counter() - started)

    def stop(self) -> None:
        self._stopped.set()
        self.join()


def latency(seconds: list[float]) -> dict[str, float]:
    """Milliseconds."""
    cuts = statistics.quantiles(seconds, n=100)
    return {
        "searches": len(seconds), "p50": round(1000 * cuts[49], 1), "p95": round(1000 * cuts[94], 1),
        "longest": round(1000 * max(seconds), 1),
    }  # fmt: skip


def measure(server: Server, archive: Path, quiet: float) -> dict[str, Any]:
    """Searches in quiet, then while the archive is sent and read."""
    notes = [{"content": note(10**6 + n), "role": "user"} for n in range(400)]
    body = {"namespace": {"project_id": "quiet"}, "group_id": "notes", "messages": notes}
    with server.client() as client:
        client.post("messages", json=body).raise_for_status()
        before = Searches(server)
        before.start()
        time.sleep(quiet)
        before.stop()
        memory, during = Memory(server.process.pid), Searches(server)
        memory.start()
        during.start()
        started = time.perf_counter()
        with archive.open("rb") as file:
            answer = client.post(
                "sources/upload", params={"filename": archive.name, "project_id": "archive"}, content=file,
                headers={"Content-Type": "application/octet-stream"},
            )  # fmt: skip
        seconds = time.perf_counter() - started
        during.stop()
        memory.stop()
    if answer.status_code != 200:
        raise SystemExit(f"{answer.status_code}: {answer.text[:500]}")
    items = answer.json()["items"]
    return {
        "archive_mb": round(archive.stat().st_size / 1e6, 1),
        "seconds": round(seconds, 1),
        "states": dict(Counter(item["state"] for item in items)),
        "errors": dict(Counter(item["error"]["code"] for item in items if item.get("error"))),
        "records": sum(item["records"] for item in items),
        "quiet_ms": latency(before.seconds),
        "meanwhile_ms": latency(during.seconds),
        "peak_mib": {kind: round(held / 2**20) for kind, held in memory.most.items()},
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--megabytes", type=int, default=500)
    options.add_argument("--kind", choices=("zip", "tar", "tar.gz"), default="zip")
    options.add_argument("--files", type=int, default=2000)
    options.add_argument("--quiet", type=float, default=15.0, help="seconds of searching before")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="muniment-bench-") as directory:
        archive = Path(directory) / f"archive.{chosen.kind}"
        print(f"writing {archive.name}", file=sys.stderr, flush=True)
        write_archive(archive, chosen.kind, chosen.megabytes * 1_000_000, chosen.files)
        server = Server(Path(directory) / "store")
        try:
            print("sending it", file=sys.stderr, flush=True)
            print(json.dumps(measure(server, archive, chosen.quiet), indent=1))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
