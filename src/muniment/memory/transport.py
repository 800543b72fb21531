"""HTTP to a Muniment server: problem details become errors, and what may be sent again is sent again."""

import asyncio
import json
import random
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import httpx

from muniment.errors import CATALOGUE, MunimentError

_ATTEMPTS: Final = 5
_FIRST_PAUSE: Final = 0.2
_LONGEST_PAUSE: Final = 10.0
_CONNECT_TIMEOUT: Final = 10.0
_PIECE: Final = 1024 * 1024
_UPLOAD_PACE: Final = 100_000  # bytes a second
_PASSING: Final = frozenset({502, 503, 504})


class Transport:
    """Requests to one server with one key. Closed once, it stays closed."""

    def __init__(self, url: str, api_key: str, timeout: float, *, transport: httpx.AsyncBaseTransport | None = None):
        """``timeout`` in seconds bounds one attempt; ``transport`` takes the place of the network."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise MunimentError("input.invalid", "a server's URL starts with http:// or https:// and names a host")
        if not api_key.isascii() or not api_key.isprintable():
            raise MunimentError("auth.invalid", "the API key holds characters that no key has")
        headers = {"Accept": "application/json", "User-Agent": "muniment-python"}
        if api_key:
            headers["Authorization"] = f"Bearer {api_key}"
        self._client = httpx.AsyncClient(
            base_url=url.rstrip("/") + "/api/v1/",
            headers=headers,
            timeout=httpx.Timeout(timeout, connect=_CONNECT_TIMEOUT),
            transport=transport,
        )

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.aclose()

    async def get(self, path: str, query: Mapping[str, Any] | None = None) -> bytes:
        """The body of a successful answer. A list in the query is the parameter several times, None is left out."""
        given = {name: value for name, value in (query or {}).items() if value is not None}
        return await self._send(self._client.build_request("GET", path, params=given), repeatable=True)

    async def post(
        self, path: str, body: bytes = b"{}", *, idempotency_key: str | None = None, repeatable: bool = False
    ) -> bytes:
        """The body of a successful answer. An ``idempotency_key`` makes any POST ``repeatable``."""
        headers = {"Content-Type": "application/json"}
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        try:
            request = self._client.build_request("POST", path, content=body, headers=headers)
        except UnicodeError:
            raise MunimentError("idempotency.key_invalid", "the Idempotency-Key holds what no header can") from None
        return await self._send(request, repeatable=repeatable or idempotency_key is not None)

    async def put(self, path: str, body: bytes) -> bytes:
        """The body of a successful answer; a PUT may always be sent again."""
        headers = {"Content-Type": "application/json"}
        request = self._client.build_request("PUT", path, content=body, headers=headers)
        return await self._send(request, repeatable=True)

    async def delete(self, path: str) -> None:
        """Takes something away. Sent once, but where it got no connection: the second time it would not be there."""
        await self._send(self._client.build_request("DELETE", path), repeatable=False)

    async def upload(
        self, path: str, query: Mapping[str, str], content: Path | bytes, *, idempotency_key: str | None = None
    ) -> bytes:
        """The body of a successful answer to bytes, or a file's, sent as they are: as a POST of JSON is repeated.

        The answer has a second for every 100 kB to come, and the timeout at least: what is sent is read meanwhile.
        Raises ``OSError`` where the file cannot be read.
        """
        size = len(content) if isinstance(content, bytes) else (await asyncio.to_thread(content.stat)).st_size
        headers = {"Content-Type": "application/octet-stream", "Content-Length": str(size)}
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        known = self._client.timeout
        timeout = httpx.Timeout(
            connect=known.connect, write=known.write, pool=known.pool, read=max(known.read or 0, size / _UPLOAD_PACE)
        )
        body = content if isinstance(content, bytes) else _File(content)
        try:
            request = self._client.build_request(
                "POST", path, params=dict(query), content=body, headers=headers, timeout=timeout
            )
        except UnicodeError:
            raise MunimentError("idempotency.key_invalid", "the Idempotency-Key holds what no header can") from None
        return await self._send(request, repeatable=idempotency_key is not None)

    @asynccontextmanager
    async def stream(self, path: str, body: bytes) -> AsyncIterator[httpx.Response]:
        """A successful answer to a POST, to be read as it comes. Sent once; between events the timeout holds."""
        headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
        request = self._client.build_request("POST", path, content=body, headers=headers)
        try:
            response = await self._client.send(request, stream=True)
            if not response.is_success:
                raise problem_in(await response.aread(), response.status_code)
        except httpx.HTTPError as error:
            raise unreachable(error) from error
        try:
            yield response
        finally:
            await response.aclose()

    async def download(self, path: str) -> AsyncGenerator[bytes, None]:
        """A successful answer to a GET, in pieces as they come."""
        request = self._client.build_request("GET", path, headers={"Accept": "*/*"})
        try:
            response = await self._client.send(request, stream=True)
            try:
                if not response.is_success:
                    raise problem_in(await response.aread(), response.status_code)
                async for piece in response.aiter_bytes():
                    yield piece
            finally:
                await response.aclose()
        except httpx.HTTPError as error:
            raise unreachable(error) from error

    async def _send(self, request: httpx.Request, *, repeatable: bool) -> bytes:
        attempt = 0
        while True:
            last = attempt + 1 == _ATTEMPTS
            try:
                response = await self._client.send(request)
            except httpx.HTTPError as error:
                # a request that never got a connection did nothing, whatever it was to do
                never_sent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
                if last or not (repeatable or never_sent):
                    raise unreachable(error) from error
                await asyncio.sleep(_pause(attempt, None))
                attempt += 1
                continue
            if response.is_success:
                return response.content
            problem = problem_in(response.content, response.status_code)
            if attempt > 0 and repeatable and problem.code == "idempotency.in_progress":
                # the first attempt is still at work though its connection is long gone: it ends, or its lease does
                await asyncio.sleep(_pause(_ATTEMPTS, response.headers.get("Retry-After")))
                continue
            if last or not repeatable or response.status_code not in _PASSING:
                raise problem
            await asyncio.sleep(_pause(attempt, response.headers.get("Retry-After")))
            attempt += 1


class _File:
    """The bytes of a file in pieces, from the beginning each time that it is sent."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with await asyncio.to_thread(self._path.open, "rb") as file:
            while piece := await asyncio.to_thread(file.read, _PIECE):
                yield piece


def _pause(attempt: int, asked: str | None) -> float:
    """Seconds to wait: doubling, half of it by chance, and at least what the server asks for."""
    grown = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0**attempt)
    wanted = float(asked) if asked is not None and asked.isascii() and asked.isdigit() else 0.0
    return max(min(wanted, _LONGEST_PAUSE), grown * random.uniform(0.5, 1.0))


def unreachable(error: httpx.HTTPError) -> MunimentError:
    """The error of a request that got no answer, or none of its answer's end."""
    if isinstance(error, httpx.TimeoutException):
        return MunimentError("server.unreachable", "the server did not answer in time")
    return MunimentError("server.unreachable", "the server cannot be reached")


def problem_in(body: bytes, status: int) -> MunimentError:
    """The error that problem details tell of, with the same code; one that we do not know is ``internal``."""
    try:
        told: Any = json.loads(body)
    except ValueError:
        told = None
    if not isinstance(told, dict) or not isinstance(told.get("code"), str):
        code = "server.unreachable" if status in _PASSING else "internal"
        return MunimentError(code, f"the server answered {status}", status=status)
    code, detail = told["code"], str(told.get("detail") or told.get("title") or told["code"])
    facts = dict(told["facts"]) if isinstance(told.get("facts"), dict) else {}
    if code not in CATALOGUE:
        facts |= {"server_code": code, "status": status}
        code = "internal"
    problem = MunimentError(code, detail)
    problem.facts = facts
    return problem
