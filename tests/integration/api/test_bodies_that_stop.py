"""Bodies that stop coming: the request is given up in time, and who hangs up is no fault of the server."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from muniment.api.app import create_app
from muniment.runtime import open_runtime
from muniment.settings import Settings
from muniment.tenancy.keys import create_key
from muniment.tenancy.principal import SCOPES

_JSON, _FORM = b"application/json", b"application/x-www-form-urlencoded"
_PATHS = [
    ("/api/v1/search", b"", _JSON), ("/api/v1/sources/upload", b"filename=a.txt", b"text/plain"),
    ("/oauth/token", b"", _FORM),
]  # fmt: skip


@dataclass
class Server:
    app: Any
    key: str

    async def post(
        self, path: str, query: bytes, media_type: bytes, *events: dict[str, Any]
    ) -> tuple[int, bytes, dict]:
        """What comes back for a request whose body comes as these events, and then nothing."""
        left, sent = list(events), []

        async def receive() -> dict[str, Any]:
            return left.pop(0) if left else await asyncio.get_running_loop().create_future()

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        headers = [
            (b"host", b"server"),
            (b"content-type", media_type),
            (b"authorization", f"Bearer {self.key}".encode()),
        ]
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
            "path": path, "raw_path": path.encode(), "query_string": query, "headers": headers,
            "client": ("127.0.0.1", 5), "server": ("server", 80), "state": {},
        }  # fmt: skip
        async with asyncio.timeout(20):
            await self.app(scope, receive, send)
        start = next(message for message in sent if message["type"] == "http.response.start")
        body = b"".join(message.get("body", b"") for message in sent if message["type"] == "http.response.body")
        return start["status"], body, dict(start["headers"])


@pytest.fixture
async def called(admin_url: str, tmp_path: Path) -> AsyncIterator[Server]:
    settings = Settings(
        database_url=SecretStr(admin_url), data_dir=tmp_path / "store", embedding_provider="none", pool_size=4,
        receive_timeout=0.3, public_url="https://server",
    )  # fmt: skip
    async with open_runtime(settings, run_jobs=False) as runtime:
        app = create_app(settings, nullcontext(runtime))
        app.state.runtime = runtime
        key = await create_key(runtime.database, runtime.tenant.number, "test", SCOPES)
        yield Server(app, key.secret)


def _piece(body: bytes) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": True}


@pytest.mark.parametrize(("path", "query", "media_type"), _PATHS)
async def test_a_body_that_does_not_come_on_is_given_up(
    called: Server, path: str, query: bytes, media_type: bytes
) -> None:
    status, body, headers = await called.post(path, query, media_type, _piece(b'{"qu'))
    assert (status, headers[b"connection"]) == (408, b"close")
    assert b"request.timeout" in body and b"MUNIMENT_RECEIVE_TIMEOUT" in body


@pytest.mark.parametrize(("path", "query", "media_type"), _PATHS)
async def test_who_hangs_up_in_a_body_is_no_error_of_the_server(
    called: Server, path: str, query: bytes, media_type: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        status, body, _ = await called.post(path, query, media_type, _piece(b'{"qu'), {"type": "http.disconnect"})
    assert (status, caplog.records) == (499, []) and b"request.abandoned" in body


def _slowly(called: Server, pieces: Iterator[bytes], seconds: float) -> None:
    """Has the server be sent these pieces at this pace."""

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(seconds)
        piece = next(pieces, None)
        return {"type": "http.request", "body": b"", "more_body": False} if piece is None else _piece(piece)

    app = called.app
    called.app = lambda scope, _, send: app(scope, receive, send)


async def test_a_body_that_comes_slowly_is_waited_for(called: Server) -> None:
    _slowly(called, (bytes([byte]) for byte in b'{"query": "ferry"}'), 0.05)
    status, body, _ = await called.post("/api/v1/search", b"", _JSON)
    assert status == 200, body


@pytest.mark.parametrize(("path", "query", "media_type"), _PATHS)
async def test_a_body_that_drips_is_given_up(called: Server, path: str, query: bytes, media_type: bytes) -> None:
    _slowly(called, repeat(b" "), 0.1)
    status, body, _ = await called.post(path, query, media_type)
    assert status == 408 and b"1000 bytes a second" in body


async def test_only_bodies_that_bring_content_may_be_large(called: Server) -> None:
    large = _piece(b" " * (1024 * 1024 + 1))
    status, body, _ = await called.post("/api/v1/search", b"", _JSON, large)
    assert status == 413 and b"MUNIMENT_MAX_COMMAND_BYTES" in body
    end = {"type": "http.request", "body": b"{}", "more_body": False}
    status, body, _ = await called.post("/api/v1/messages", b"", _JSON, large, end)
    assert status == 400 and b"group_id: is missing" in body, body
