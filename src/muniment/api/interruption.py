"""Requests that take as long as the store is large: a server that stops ends them instead of waiting for them."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from muniment.errors import MunimentError

_T = TypeVar("_T")


class Interruption:
    """All such work of one server. What it has committed stays; what it was at is rolled back."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()
        self._stopping = False

    def close(self) -> None:
        """Ends all of it, and lets none begin."""
        self._stopping = True
        for task in self._running:
            task.cancel()

    async def run(self, work: Coroutine[Any, Any, _T]) -> _T:
        """What the work gives; raises ``server.stopping`` where the server stops first."""
        if self._stopping:
            work.close()
            raise _stopping()
        task = asyncio.ensure_future(work)
        self._running.add(task)
        try:
            return await task
        except asyncio.CancelledError:
            if not self._stopping:
                task.cancel()  # it was the request that was given up
                raise
            raise _stopping() from None
        finally:
            self._running.discard(task)


def _stopping() -> MunimentError:
    return MunimentError("server.stopping", "the server stopped before it was done: ask again when it is back")
