"""Serving: what a start prints, what a stop leaves, what a kill leaves, and what is refused."""

import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psutil
import pytest
from tests.acceptance.cli.test_command_line import _run
from tests.acceptance.conftest import start_server, stop_server


def _postgres_of(data_dir: Path) -> list[psutil.Process]:
    return [
        process for process in psutil.process_iter(["cmdline"])
        if any(str(data_dir) in part for part in process.info["cmdline"] or [])
    ]  # fmt: skip


def _wait_until_gone(data_dir: Path) -> None:
    deadline = time.monotonic() + 30
    while _postgres_of(data_dir) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert _postgres_of(data_dir) == []


def test_an_interrupt_stops_everything_and_the_next_start_has_the_data(tmp_path: Path) -> None:
    data_dir = tmp_path / "store"
    first = start_server(data_dir)
    with first.client() as client:
        body = {"group_id": "g", "messages": [{"role": "user", "content": "Keep this."}]}
        client.post("/api/v1/messages", json=body).raise_for_status()
    assert stop_server(first, signal.SIGINT) == 0
    _wait_until_gone(data_dir)
    second = start_server(data_dir, key=first.key)
    assert "shown this once" not in second.log.read_text(encoding="utf-8")
    with second.client() as client:
        assert [record["text"] for record in client.get("/api/v1/records").json()["records"]] == ["Keep this."]
    second.process.kill()
    second.process.wait()
    _wait_until_gone(data_dir)
    third = start_server(data_dir, key=first.key)
    with third.client() as client:
        assert len(client.get("/api/v1/records").json()["records"]) == 1
    assert stop_server(third, signal.SIGTERM) == 0


def test_a_killed_postgresql_comes_back_under_a_running_server(tmp_path: Path) -> None:
    server = start_server(tmp_path / "store")
    (postmaster,) = [
        process for process in _postgres_of(tmp_path / "store")
        if process.name() == "postgres" and "keeper.py" not in " ".join(process.cmdline()) and "-D" in process.cmdline()
    ]  # fmt: skip
    postmaster.kill()
    deadline = time.monotonic() + 60
    status = 0
    while status != 200 and time.monotonic() < deadline:
        time.sleep(0.2)
        status = httpx.get(f"{server.url}/health/ready", timeout=30).status_code
    assert status == 200
    assert stop_server(server) == 0


def test_an_open_address_is_refused_without_a_key(tmp_path: Path) -> None:
    environment = {"MUNIMENT_DATA_DIR": str(tmp_path / "store")}
    refused = _run(environment, "serve", "--host", "0.0.0.0", "--port", "0")
    assert refused.code == 5 and "server.unsafe_address" in refused.err
    made = _run(environment, "key", "create", "--label", "outside", "--json")
    assert made.code == 0 and made.json["secret"].startswith("mun_")
    server = start_server(tmp_path / "store", {"MUNIMENT_HOST": "0.0.0.0"}, key=made.json["secret"])
    assert stop_server(server) == 0


def test_a_port_in_use_is_said_so(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = _run({"MUNIMENT_DATA_DIR": str(tmp_path / "store")}, "serve", "--port", str(port))
    assert done.code == 8 and "server.port_in_use" in done.err


def test_plain_sql_reads_the_tenant_and_writes_nothing(tmp_path: Path) -> None:
    environment = {"MUNIMENT_DATA_DIR": str(tmp_path / "store")}
    assert _run(environment, "ingest", "-", stdin=b"The buoy is green.").code == 0
    read = _run(environment, "psql", "-c", "select text from muniment.record_content")
    assert read.code == 0 and "The buoy is green." in read.out
    written = _run(environment, "psql", "-c", "delete from muniment.record_content")
    assert written.code != 0 and "read-only transaction" in written.err
    forced = _run(environment, "psql", "-c", "set transaction read write; delete from muniment.record_content")
    assert forced.code != 0 and "permission denied" in forced.err


def test_the_demonstration_gets_every_citation_right(tmp_path: Path) -> None:
    done = _run({"TMPDIR": str(tmp_path)}, "demo")
    assert done.code == 0, done.out + done.err
    assert "6 of 6 questions answered rightly" in done.out
    assert list(tmp_path.glob("muniment*")) == []  # and leaves nothing of ours behind


@pytest.mark.parametrize("with_signal", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_ends_a_rebuild_with_a_reason_and_the_next_start_has_the_data(
    tmp_path: Path, with_signal: signal.Signals
) -> None:
    data_dir = tmp_path / "store"
    server = start_server(data_dir)
    messages = [{"role": "user", "content": f"Tom said that item {n} is red."} for n in range(400)]
    with server.client() as client, ThreadPoolExecutor(1) as thread:
        client.post("/api/v1/messages", json={"group_id": "g", "messages": messages}).raise_for_status()
        rebuilding = thread.submit(client.post, "/api/v1/rebuild", timeout=120)
        time.sleep(0.5)  # much less than it takes to embed so many anew
        begun = time.monotonic()
        assert stop_server(server, with_signal) == 0
        answer = rebuilding.result()
    assert (answer.status_code, answer.json()["code"]) == (503, "server.stopping")
    assert time.monotonic() - begun < 10  # the rebuild itself would have been waited for that long
    said = server.log.read_text(encoding="utf-8")
    assert "Traceback" not in said and "[error" not in said
    _wait_until_gone(data_dir)
    second = start_server(data_dir, key=server.key)
    with second.client() as client:
        rows = client.post("/api/v1/rebuild", timeout=120).raise_for_status().json()["projections"]
        assert rows["lexical"] == 400
    assert stop_server(second) == 0
