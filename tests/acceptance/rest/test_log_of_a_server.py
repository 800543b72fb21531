"""What a live server writes into its log when things go wrong: never what was sent to it, and no secret of its own."""

import os
import signal
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.conftest import LiveServer, start_server, stop_server

QUESTION = "Where did Quetzalcoatl hide the marmalade?"
EVIDENCE = "Quetzalcoatl hid the marmalade under the pagoda."
PROVIDER_KEY = "provider-key-tyrannosaurus"
TOKEN = "mun_0123456789_xylophone"
PASSWORD = "password-rumpelstiltskin"
NEVER = ("quetzalcoatl", "marmalade", "pagoda", "tyrannosaurus", "xylophone", "rumpelstiltskin", "bearer ")


class Failing(BaseHTTPRequestHandler):
    """A provider that answers with an error, which quotes what it was sent, its key too."""

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        told = b"refused: " + str(self.headers.get("Authorization")).encode() + b" " + sent
        self.send_response(500)
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Says nothing."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    provider = ThreadingHTTPServer(("127.0.0.1", 0), Failing)
    threading.Thread(target=provider.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{provider.server_address[1]}/v1"
    running = start_server(
        tmp_path / "store",
        {
            "MUNIMENT_ANSWER_URL": url,
            "MUNIMENT_ANSWER_MODEL": "m",
            "MUNIMENT_ANSWER_API_KEY": PROVIDER_KEY,
            "MUNIMENT_ANSWER_RETRIES": "0",
            "MUNIMENT_LOG_LEVEL": "debug",
        },
    )
    yield running
    stop_server(running)
    provider.shutdown()
    provider.server_close()


def test_no_body_question_token_or_password_is_in_the_log_whatever_goes_wrong(server: LiveServer) -> None:
    started = server.log.read_text(encoding="utf-8")
    with server.client() as client:
        ingested = client.post("/api/v1/sources/ingest", json={"sources": [{"kind": "text", "text": EVIDENCE}]})
        assert ingested.status_code == 200
        assert client.post("/api/v1/query", json={"question": QUESTION}).status_code == 200  # the provider fails
        with client.stream("POST", "/api/v1/query?stream=true", json={"question": QUESTION}) as streamed:
            assert streamed.status_code == 200 and streamed.read()
        json_header = {"Content-Type": "application/json"}
        broken = f'{{"query": "{QUESTION}", "x": '
        for body in (broken, f'["{QUESTION}"]', f'{{"query": "{QUESTION}\\ud800"}}', "[" * 9000):
            answer = client.post("/api/v1/search", content=body, headers=json_header)
            assert answer.status_code == 400, answer.text
        assert client.post("/api/v1/search", json={"query": QUESTION, PASSWORD: PASSWORD}).status_code == 400
        assert client.get("/api/v1/records", params={"password": PASSWORD}).status_code == 400
        short = client.post("/api/v1/search", json={"query": QUESTION, "timeout": 0.0001})
        assert short.status_code == 200 and short.json()["partial"]
        assert client.get(f"/api/v1/records/{PASSWORD}").status_code == 404
        secret = {"namespace": {"project_id": "x"}, "sources": [{"kind": "text", "text": f"{EVIDENCE}\0{PASSWORD}"}]}
        client.post("/api/v1/sources/ingest", json=secret)
    with server.client(TOKEN) as stranger:
        assert stranger.post("/api/v1/search", json={"query": QUESTION}).status_code == 401
    _break_the_store(server)
    with server.client() as client:
        failed = client.post("/api/v1/search", json={"query": QUESTION})
        assert failed.status_code >= 500, failed.text
        client.post("/api/v1/messages", json={"group_id": "g", "messages": [{"role": "user", "content": EVIDENCE}]})
    said = server.log.read_text(encoding="utf-8").replace(started, "").lower()
    assert said.strip(), "a server that says nothing of its failures is not looked at here"
    assert [word for word in NEVER if word in said] == [] and server.key.lower() not in said


def _break_the_store(server: LiveServer) -> None:
    """Ends the database under the server, as a machine that runs out of memory would."""
    pids = [path.read_text().split()[0] for path in server.data_dir.rglob("postmaster.pid")]
    assert len(pids) == 1
    os.kill(int(pids[0]), signal.SIGQUIT)
