"""A real server process, as a user starts it, with its own store and its first API key."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

_START = re.compile(r"listens on (http://\S+)")
_KEY = re.compile(r"shown this once: (mun_\S+)")


@dataclass(frozen=True, slots=True)
class LiveServer:
    """Where it listens, and a key for everything."""

    url: str
    key: str
    data_dir: Path
    process: subprocess.Popen[bytes]
    log: Path

    def client(self, key: str | None = None) -> httpx.Client:
        """An HTTP client with this key, or with the first one."""
        return httpx.Client(base_url=self.url, headers={"Authorization": f"Bearer {key or self.key}"}, timeout=60)


def command(*arguments: str) -> list[str]:
    """The command line of ``muniment`` in this environment."""
    return [str(Path(sys.executable).with_name("muniment")), *arguments]


def start_server(data_dir: Path, environment: dict[str, str] | None = None, key: str = "") -> LiveServer:
    """Starts ``muniment serve`` on a free port and waits until it says where it listens."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MUNIMENT_")}
    data_dir.parent.mkdir(parents=True, exist_ok=True)
    log = data_dir.with_name(data_dir.name + ".log")
    with open(log, "w", encoding="utf-8") as said:  # a file: nobody empties a pipe while the server runs
        process = subprocess.Popen(
            command("serve", "--port", "0", "--data-dir", str(data_dir)), stdout=said, stderr=subprocess.STDOUT,
            env=clean | {"PYTHONUNBUFFERED": "1"} | (environment or {}), start_new_session=True,
        )  # fmt: skip
    deadline = time.monotonic() + 120
    while "startup complete" not in (text := log.read_text(encoding="utf-8")):
        assert process.poll() is None and time.monotonic() < deadline, f"the server did not start: {text}"
        time.sleep(0.05)
    url, made = _START.search(text), _KEY.search(text)
    assert url is not None, text
    return LiveServer(url[1], made[1] if made else key, data_dir, process, log)


def stop_server(server: LiveServer, with_signal: int = signal.SIGINT) -> int:
    """Sends the signal and waits for the end; returns the exit status."""
    server.process.send_signal(with_signal)
    return server.process.wait(30)


@pytest.fixture(scope="session")
def live_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server for all tests that only need one to be there."""
    running = start_server(tmp_path_factory.mktemp("live") / "store")
    yield running
    assert stop_server(running) == 0
