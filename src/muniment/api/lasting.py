"""Answers that last, such as feeds and exports: each goes on for as long as its credential opens the tenant."""

import asyncio
import inspect
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any, Final, TypeVar

from litestar import Request

from muniment.api.authentication import principal_of
from muniment.database.pinning import pinned_to
from muniment.errors import MunimentError
from muniment.tenancy.principal import Principal

ASK_SECONDS: Final = 1.0
"""How often a quiet answer asks again; one that sends asks before each piece. Both are told what is remembered of a
credential for requests, for ``CACHE_SECONDS`` at most."""
QUIET_SECONDS: Final = 15.0
"""After so long a comment keeps proxies from closing the connection."""
_T = TypeVar("_T")


class _End:
    """Behind the last item."""


async def still_opens(request: Request[Principal, Any, Any]) -> None:
    """Returns where the credential would open the same to the same request now; raises ``auth.*`` otherwise.

    The check is that of a request that begins, remembered as long, without being counted as one. Raises ``store.*``
    where it cannot be made.
    """
    began = request.user
    with pinned_to(None):  # credentials lie outside of every namespace
        now = await principal_of(request)
    if now is None or now.tenant != began.tenant:
        raise MunimentError("auth.invalid", "the credential no longer opens what it opened when the answer began")
    if now.pin != began.pin:
        raise MunimentError("auth.namespace_denied", "the credential is pinned to another namespace than it was")
    request.scope["user"] = now
    handler = request.route_handler
    for layer in handler.ownership_layers[1:]:  # those of the application, the first, count requests
        for guard in layer.guards or ():
            told = guard(request, handler)
            if inspect.isawaitable(told):
                await told


async def lasting(
    request: Request[Principal, Any, Any], items: AsyncGenerator[_T, None]
) -> AsyncGenerator[_T | None, None]:
    """The items as they come, and None where none came for ``QUIET_SECONDS``.

    Raises what ``items`` does, and ``auth.*`` once the credential opens nothing more: ``items`` are then given up.
    """
    waiting: asyncio.Task[_T | _End] | None = None
    loop = asyncio.get_running_loop()
    told = loop.time()
    try:
        while True:
            waiting = waiting or asyncio.create_task(_next(items))
            done, _ = await asyncio.wait({waiting}, timeout=ASK_SECONDS)
            if done:
                ended, waiting = waiting, None
                item = ended.result()
                if isinstance(item, _End):
                    return
                await still_opens(request)
                yield item
            else:
                await still_opens(request)
                if loop.time() - told < QUIET_SECONDS:
                    continue
                yield None
            told = loop.time()
    finally:  # the caller may have gone: what is under way is given up
        if waiting is not None:
            waiting.cancel()
        else:
            await items.aclose()


async def _next(items: AsyncIterator[_T]) -> _T | _End:
    return await anext(items, _End())
