"""From authlib's threads back to the event loop, where the database is."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

_Result = TypeVar("_Result")
_PATIENCE = 60.0  # seconds; the database's own limits end a statement sooner


class Bridge:
    """Runs coroutines on the loop that it was made on, for threads."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()

    def call(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        """The result of the coroutine, in the context of the calling thread; raises what it raises."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(_PATIENCE)
