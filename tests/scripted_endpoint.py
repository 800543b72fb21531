"""A scripted stand-in for an OpenAI-compatible endpoint: it answers on loopback what a test tells it to.

It holds no model. Embeddings are asked for at ``/v1/embeddings``, chat completions at ``/v1/chat/completions``.
"""

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Said:
    """A chat completion, streamed where the request asks for a stream.

    ``pause`` in seconds comes before each piece of a stream, and before the whole otherwise. With ``cut`` the
    connection is dropped half way.
    """

    text: str = ""
    ending: str | None = "stop"
    refusal: str | None = None
    pause: float = 0.0
    cut: bool = False
    piece: int = 7

    def pieces(self) -> list[str]:
        return [self.text[start : start + self.piece] for start in range(0, len(self.text), self.piece)]


Reply = tuple[int, Any] | Said  # status with a JSON value or the raw body as bytes, or a chat completion
Script = Callable[[dict[str, Any]], Reply]
_USAGE = {"prompt_tokens": 321, "completion_tokens": 45, "total_tokens": 366}


def vectors(request: dict[str, Any], dimensions: int = 4) -> Reply:
    """A right answer: the vector of a text points where its length says, in reverse order."""
    data = []
    for index, text in enumerate(request["input"]):
        vector = [0.0] * dimensions
        vector[len(text) % dimensions] = 2.0
        data.append({"object": "embedding", "index": index, "embedding": vector})
    return 200, {"object": "list", "model": request["model"], "data": data[::-1], "usage": {}}


def in_turn(*replies: Reply | Script) -> Script:
    """One reply after the other, the last one ever after."""
    left = list(replies)

    def script(request: dict[str, Any]) -> Reply:
        reply = left.pop(0) if len(left) > 1 else left[0]
        return reply(request) if callable(reply) else reply

    return script


def verdict(answer: str, *cited: str, abstain: bool = False) -> Said:
    """The JSON that is asked for."""
    return Said(json.dumps({"answer": answer, "abstain": abstain, "citation_ids": list(cited)}))


def evidence_in(request: dict[str, Any]) -> list[dict[str, Any]]:
    """The evidence that a request carries, read as the prompt says that it is delimited."""
    user = request["messages"][1]["content"]
    block = user.split("\n<evidence>\n")[1].split("\n</evidence>\n")[0]
    found: list[dict[str, Any]] = json.loads(block)
    return found


class ScriptedEndpoint:
    """Serves by a script; ``requests`` and ``authorizations`` hold what was asked."""

    def __init__(self, script: Script = vectors, *, delay: float = 0.0) -> None:
        self.requests: list[dict[str, Any]] = []
        self.authorizations: list[str | None] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append(request)
                outer.authorizations.append(self.headers["Authorization"])
                time.sleep(delay)
                asked = "embeddings" if "input" in request else "chat/completions"
                reply = script(request) if self.path == f"/v1/{asked}" else (404, {})
                self.close_connection = True
                with contextlib.suppress(OSError):  # the client may have given up waiting
                    if isinstance(reply, tuple):
                        self._send(*reply)
                    elif request.get("stream"):
                        self._stream(reply, request)
                    else:
                        self._send_said(reply, request)

            def _send(self, status: int, body: Any, *, promised: int = 0) -> None:
                raw = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(promised or len(raw)))
                self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.write(raw)

            def _send_said(self, said: Said, request: dict[str, Any]) -> None:
                time.sleep(said.pause)
                message = {"role": "assistant", "content": said.text, "refusal": said.refusal}
                choice = {"index": 0, "message": message, "finish_reason": said.ending}
                whole = json.dumps(_completion(request, "chat.completion", [choice]) | {"usage": _USAGE}).encode()
                if said.cut:
                    self._send(200, whole[: len(whole) // 2], promised=len(whole))
                else:
                    self._send(200, whole)

            def _stream(self, said: Said, request: dict[str, Any]) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Transfer-Encoding", "chunked")
                self.send_header("Connection", "close")
                self.end_headers()
                events = list(_events(said, request))
                for event in events[: len(events) // 2] if said.cut else events:
                    time.sleep(said.pause)
                    raw = f"data: {event}\n\n".encode()
                    self.wfile.write(f"{len(raw):x}\r\n".encode() + raw + b"\r\n")
                    self.wfile.flush()
                if not said.cut:
                    self.wfile.write(b"0\r\n\r\n")

            def log_message(self, format: str, *args: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True  # nobody waits for an answer that is slow on purpose
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


def _completion(request: dict[str, Any], kind: str, choices: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {"id": "scripted", "object": kind, "created": 0, "model": request["model"], "choices": list(choices)}


def _events(said: Said, request: dict[str, Any]) -> Iterator[str]:
    for text in said.pieces():
        choice: dict[str, Any] = {"index": 0, "delta": {"content": text}, "finish_reason": None}
        yield json.dumps(_completion(request, "chat.completion.chunk", [choice]))
    last: dict[str, Any] = {"index": 0, "delta": {}, "finish_reason": said.ending}
    if said.refusal is not None:
        last["delta"] = {"refusal": said.refusal}
    yield json.dumps(_completion(request, "chat.completion.chunk", [last]))
    if request.get("stream_options", {}).get("include_usage"):
        yield json.dumps(_completion(request, "chat.completion.chunk", []) | {"usage": _USAGE})
    yield "[DONE]"
