"""Stopping: requests under way have a grace, then the process ends, whatever hangs; a second signal ends it at once."""

import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import psutil
import pytest
from tests.acceptance.conftest import LiveServer, command, start_server, stop_server

from scripted_endpoint import Said, ScriptedEndpoint, evidence_in, verdict

_QUESTION = {"question": "What colour is the pier?"}
_HANGS = 600.0  # seconds; nothing here waits as long


@pytest.fixture
def asking() -> Iterator[Callable[[Callable[[], httpx.Response]], "Future[httpx.Response]"]]:
    """Sends a request beside the test."""
    with ThreadPoolExecutor(4) as pool:
        yield pool.submit


def _serving(tmp_path: Path, model: ScriptedEndpoint, **settings: str) -> LiveServer:
    environment = {
        "MUNIMENT_ANSWER_URL": model.url, "MUNIMENT_ANSWER_MODEL": "scripted", "MUNIMENT_ANSWER_RETRIES": "0",
        "MUNIMENT_ANSWER_TIMEOUT": str(_HANGS),
    }  # fmt: skip
    server = start_server(tmp_path / "store", environment | settings)
    with server.client() as client:
        body = {"group_id": "g", "messages": [{"role": "user", "content": "The pier is blue."}]}
        client.post("/api/v1/messages", json=body).raise_for_status()
    return server


def _asked(model: ScriptedEndpoint) -> None:
    _until(lambda: bool(model.requests))


def _until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _log(server: LiveServer) -> str:
    return server.log.read_text(encoding="utf-8")


@contextmanager
def _suspended_reading(server: LiveServer) -> Iterator[None]:
    """Stops the process that has sources read, so that the next file is never read to its end; ended behind it."""
    with server.client() as client:
        client.post("/api/v1/sources/upload?filename=a.pdf", content=b"%PDF-1.4 nothing").raise_for_status()
    (reading,) = [
        child for child in psutil.Process(server.process.pid).children() if "fork_server" in " ".join(child.cmdline())
    ]
    reading.suspend()
    try:
        yield
    finally:
        with suppress(psutil.NoSuchProcess):
            reading.kill()


def test_what_hangs_is_cut_off_and_the_process_ends(
    tmp_path: Path, asking: Callable[[Callable[[], httpx.Response]], "Future[httpx.Response]"]
) -> None:
    grace = {"MUNIMENT_STOP_GRACE": "1", "MUNIMENT_JOB_STOP_GRACE": "1"}
    with ScriptedEndpoint(lambda request: Said("{}", pause=_HANGS)) as model:
        server = _serving(tmp_path, model, **grace)
        with _suspended_reading(server), server.client() as client:
            hanging = [
                asking(lambda: client.post("/api/v1/query", json=_QUESTION, timeout=_HANGS)),
                asking(lambda: client.post("/api/v1/sources/upload?filename=b.pdf", content=b"%PDF-", timeout=_HANGS)),
            ]
            _asked(model)
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(60) == 0, _log(server)
            for answer in hanging:
                assert (answer.result().status_code, answer.result().json()["code"]) == (503, "server.stopping")
    assert "Stopping: what is under way has up to 6 s" in _log(server) and "Traceback" not in _log(server)
    assert stop_server(start_server(tmp_path / "store", key=server.key)) == 0


def test_what_ends_within_the_grace_is_answered(
    tmp_path: Path, asking: Callable[[Callable[[], httpx.Response]], "Future[httpx.Response]"]
) -> None:
    def script(request: dict[str, object]) -> Said:
        _until(lambda: "Stopping" in _log(server))
        return verdict("It is blue.", evidence_in(request)[0]["id"])

    with ScriptedEndpoint(script) as model:
        server = _serving(tmp_path, model, MUNIMENT_STOP_GRACE=str(_HANGS))
        with server.client() as client:
            answer = asking(lambda: client.post("/api/v1/query", json=_QUESTION, timeout=_HANGS))
            _asked(model)
            assert stop_server(server, signal.SIGTERM) == 0
            assert answer.result().json()["answer"] == "It is blue."


def test_a_second_signal_ends_at_once_and_the_next_start_has_the_data(
    tmp_path: Path, asking: Callable[[Callable[[], httpx.Response]], "Future[httpx.Response]"]
) -> None:
    with ScriptedEndpoint(lambda request: Said("{}", pause=_HANGS)) as model:
        server = _serving(tmp_path, model, MUNIMENT_STOP_GRACE=str(_HANGS))
        with server.client() as client:
            cut_off = asking(lambda: client.post("/api/v1/query", json=_QUESTION, timeout=_HANGS))
            _asked(model)
            server.process.send_signal(signal.SIGINT)
            _until(lambda: "Stopping" in _log(server))
            server.process.send_signal(signal.SIGINT)
            assert server.process.wait(30) == 128 + signal.SIGINT
            with pytest.raises(httpx.TransportError):
                cut_off.result()
    assert "Traceback" not in _log(server)
    again = start_server(tmp_path / "store", key=server.key)
    with again.client() as client:
        assert [record["text"] for record in client.get("/api/v1/records").json()["records"]] == ["The pier is blue."]
    assert stop_server(again) == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_it_starts_ends_it_and_the_next_start_starts(tmp_path: Path, number: signal.Signals) -> None:
    store, log = tmp_path / "store", tmp_path / "first.log"
    with log.open("wb") as said:
        process = subprocess.Popen(
            command("serve", "--port", "0", "--data-dir", str(store)), stdout=said, stderr=said, start_new_session=True
        )
    _until(lambda: (store / "users.lock").exists())
    process.send_signal(number)
    assert process.wait(60) == 0
    assert "Traceback" not in log.read_text(encoding="utf-8")
    assert stop_server(start_server(store)) == 0
