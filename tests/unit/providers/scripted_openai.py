"""A scripted stand-in for an OpenAI-compatible endpoint: it answers on loopback what a test tells it to."""

import contextlib
import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

Reply = tuple[int, Any]  # status, and a JSON value or the raw body as bytes
Script = Callable[[dict[str, Any]], Reply]


def vectors(request: dict[str, Any], dimensions: int = 4) -> Reply:
    """A right answer: the vector of a text points where its length says, in reverse order."""
    data = []
    for index, text in enumerate(request["input"]):
        vector = [0.0] * dimensions
        vector[len(text) % dimensions] = 2.0
        data.append({"object": "embedding", "index": index, "embedding": vector})
    return 200, {"object": "list", "model": request["model"], "data": data[::-1], "usage": {}}


class ScriptedOpenAI:
    """Serves ``POST /v1/embeddings`` by a script; ``requests`` and ``authorizations`` hold what was asked."""

    def __init__(self, script: Script = vectors, *, delay: float = 0.0) -> None:
        self.requests: list[dict[str, Any]] = []
        self.authorizations: list[str | None] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append(request)
                outer.authorizations.append(self.headers["Authorization"])
                time.sleep(delay)
                status, body = script(request) if self.path == "/v1/embeddings" else (404, {})
                raw = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                with contextlib.suppress(OSError):  # the client may have given up waiting
                    self.wfile.write(raw)

            def log_message(self, format: str, *args: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
