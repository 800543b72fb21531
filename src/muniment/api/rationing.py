"""Requests a minute: each is taken from the tenant's bucket before its body is read, and every answer tells the rate.

The fields are those of the IETF draft "RateLimit header fields for HTTP" (httpapi), as
``RateLimit-Policy: "requests";q=600;w=60`` and ``RateLimit: "requests";r=599;t=1``: what remains of the quota, and in
how many seconds all of it is there again.
"""

from typing import Any, Final

from litestar.connection import ASGIConnection
from litestar.datastructures import MutableScopeHeaders
from litestar.handlers.base import BaseRouteHandler
from litestar.types import Message, Scope

from muniment.database.request_rate import WINDOW, Rate
from muniment.errors import MunimentError
from muniment.runtime import Runtime

_RATE: Final = "muniment_rate"


async def ration(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """A guard: takes one request of the tenant; raises ``quota.requests_exceeded``."""
    principal = connection.scope.get("user")
    if principal is None:
        return
    runtime: Runtime = connection.app.state.runtime
    try:
        connection.state[_RATE] = await runtime.database.requests.take(principal.tenant)
    except MunimentError as error:
        if error.code == "quota.requests_exceeded":
            connection.state[_RATE] = Rate(error.facts["limit"], 0, error.facts["window"])
        raise


async def tell_rate(message: Message, scope: Scope) -> None:
    """Adds the fields to an answer that begins, where the tenant has a limit."""
    rate: Rate | None = scope.get("state", {}).get(_RATE)
    if message["type"] == "http.response.start" and rate is not None:
        headers = MutableScopeHeaders.from_message(message)
        headers["RateLimit-Policy"] = f'"requests";q={rate.limit};w={WINDOW}'
        headers["RateLimit"] = f'"requests";r={rate.remaining};t={rate.reset}'
