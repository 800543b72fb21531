"""Requests that a stop cuts off: each is answered with problem details, and none is an error of the server's."""

import asyncio
import json
from typing import Any, Final

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from muniment.api.problems import PROBLEM_JSON, problem_details
from muniment.errors import MunimentError
from muniment.stopping import Stopping

_RETRY: Final = b"5"  # seconds


class CutOff:
    """The application. Where the server cancels a request because it stops, the answer is 503 ``server.stopping``, or
    ends where it had begun."""

    def __init__(self, app: ASGIApp, stopping: Stopping) -> None:
        self._app = app
        self._stopping = stopping

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if not self._stopping.asked or scope["type"] != ScopeType.HTTP or task is None:
                raise
            task.uncancel()
            if not begun:
                await _say_so(send)


async def _say_so(send: Any) -> None:
    body = problem_details(
        MunimentError(
            "server.stopping", "the server stops, and the request took longer than it may then: send it again"
        )
    )
    headers = [(b"content-type", PROBLEM_JSON.encode()), (b"retry-after", _RETRY), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": body.status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(body.model_dump(mode="json")).encode()})
