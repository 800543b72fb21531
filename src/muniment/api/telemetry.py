"""Around every request: its id, a line in the log, its metrics and its span."""

import re
import time
from typing import Any, Final
from uuid import uuid4

import structlog
from litestar import Litestar, Request
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from muniment.model.identifiers import TENANT, public_id
from muniment.settings import Settings
from muniment.telemetry.context import note, noting
from muniment.telemetry.metrics import count_request, count_running
from muniment.telemetry.tracing import Traced, traced

_ID: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_HEADER: Final = b"x-request-id"
_log = structlog.get_logger(__name__)


def observe(app: Litestar, settings: Settings) -> None:
    """Has the application tell of each request. Lies around all of it, so that no answer is missed."""
    app.asgi_handler = RequestTelemetry(app.asgi_handler, settings)


async def note_tenant(request: Request[Any, Any, Any]) -> None:
    """Once a request is known to be a tenant's, what is told of it says so; a hook before each handler."""
    principal = request.scope.get("user")
    if principal is not None:
        note("tenant", public_id(TENANT, principal.tenant_public_id))


class RequestTelemetry:
    """Takes a caller's ``X-Request-ID`` or makes one, and sends it back."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._log = _log.info if settings.log_format == "json" else _log.debug

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        given = headers.get(_HEADER, b"")
        request_id = given.decode() if _ID.fullmatch(given) else uuid4().hex
        carrier = {"traceparent": headers[b"traceparent"].decode("latin-1")} if b"traceparent" in headers else {}
        answer = _Answer(send, request_id)
        began = time.perf_counter()
        count_running(1)
        try:
            with noting(request_id=request_id) as noted, traced("request", carrier=carrier, server=True) as span:
                try:
                    await self._app(scope, receive, answer.send)
                finally:
                    self._tell(scope, answer, time.perf_counter() - began, noted, span)
        finally:
            count_running(-1)

    def _tell(self, scope: Any, answer: "_Answer", seconds: float, noted: dict[str, str], span: Traced) -> None:
        method, route = str(scope["method"]), scope.get("path_template") or None
        count_request(method, route, answer.status, seconds)
        span.name(f"{method} {route or 'other'}")
        span.tell(method=method, route=route, status=answer.status, **noted)
        if answer.status >= 500:
            span.failed(str(answer.status))
        rest = {name: value for name, value in noted.items() if name != "request_id"}
        self._log(
            "request", method=method, route=route, status=answer.status, duration_ms=round(1000 * seconds, 1), **rest
        )


class _Answer:
    """Passes an answer on, with the request's id in it."""

    def __init__(self, send: Send, request_id: str) -> None:
        self._send = send
        self._request_id = request_id.encode()
        self.status = 499  # what a caller who left before it began would have got

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [*message["headers"], (_HEADER, self._request_id)]
        await self._send(message)
