"""Connections that send no request, or half a head of one, are closed; those that send whole ones are not."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from muniment.api.request_heads import timed_heads

_SECONDS = 0.4
_REQUEST = b"GET / HTTP/1.1\r\nHost: server\r\n\r\n"
_SLOW = b"GET /slow HTTP/1.1\r\nHost: server\r\n\r\n"


async def _app(scope: dict[str, Any], _: Any, send: Any) -> None:
    await asyncio.sleep(2 * _SECONDS if scope["path"] == "/slow" else 0)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture
async def port() -> AsyncIterator[int]:
    config = uvicorn.Config(_app, http=timed_heads(_SECONDS), lifespan="off", log_config=None)
    config.load()
    state = ServerState()
    made = lambda: config.http_protocol_class(config=config, server_state=state, app_state={})  # type: ignore[operator, call-arg, union-attr]  # noqa: E731
    server = await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()
    for connection in list(state.connections):
        connection.transport.abort()


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: ser"])
async def test_what_is_no_whole_head_in_time_is_closed(port: int, sent: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    async with asyncio.timeout(10 * _SECONDS):
        assert await reader.read() == b""
    writer.close()


async def test_half_a_head_behind_a_request_is_closed_too(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(_REQUEST)
    assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
    writer.write(b"GET / HT")
    async with asyncio.timeout(10 * _SECONDS):
        assert await reader.read() == b""
    writer.close()


async def test_requests_that_take_long_and_come_again_are_served(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for request in (_SLOW, _REQUEST, _SLOW):
        writer.write(request)
        assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        await asyncio.sleep(_SECONDS / 4)
    writer.close()


async def test_a_body_that_never_comes_to_what_is_answered_already_is_closed_too(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST / HTTP/1.1\r\nHost: server\r\nContent-Length: 100000\r\n\r\n")
    assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
    writer.write(b"{")
    async with asyncio.timeout(10 * _SECONDS):
        assert await reader.read() == b""
    writer.close()
