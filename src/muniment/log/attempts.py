"""Trying a write again after what is nobody's fault: a deadlock, a lost connection, a server that restarts.

Safe for a write whose transaction also writes the end of its item: where a commit's outcome is unknown, the next
attempt finds the item or does not.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import structlog

from muniment.errors import MunimentError

TRANSIENT: Final = frozenset({"store.busy", "store.unavailable"})
_DELAYS: Final = (0.05, 0.2, 0.8, 2.0)  # seconds; each is drawn out by up to its half, so that writers part
_PATIENCE: Final = 30.0

_log = structlog.get_logger(__name__)
_Result = TypeVar("_Result")


async def persist(attempt: Callable[[], Awaitable[_Result]]) -> _Result:
    """The result of the first attempt that the database did not cut short; at most five, within half a minute.

    Raises the last error when all were, and any other error at once.
    """
    started = time.monotonic()
    for delay in _DELAYS:
        try:
            return await attempt()
        except MunimentError as error:
            if error.code not in TRANSIENT or time.monotonic() - started > _PATIENCE:
                raise
            _log.info("write_tried_again", code=error.code, delay=delay)
        await asyncio.sleep(delay * random.uniform(1.0, 1.5))
    return await attempt()
