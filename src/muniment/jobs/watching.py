"""A job watched until it ends, in whatever process it runs: its row is looked at, and changes are told."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Final

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.jobs.administration import get_job
from muniment.model.job import ENDED, Job

MOST_WATCHERS: Final = 64
"""How many may watch a tenant's jobs at a time, in one process."""
_LOOK_EVERY: Final = 0.5  # seconds; progress is not written down more often


class JobWatch:
    """All watching in one process, so that a server that stops can end it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._watchers: Counter[int] = Counter()
        self._closing = asyncio.Event()

    def close(self) -> None:
        """Ends all watching."""
        self._closing.set()

    async def watch(self, tenant: int, job_id: str) -> AsyncGenerator[Job, None]:
        """The job as it is now, again after each change, and last as it ended.

        Raises ``job.not_found`` and ``feed.full``.
        """
        if self._watchers[tenant] >= MOST_WATCHERS:
            raise MunimentError("feed.full", f"{MOST_WATCHERS} watch already", limit=MOST_WATCHERS)
        self._watchers[tenant] += 1
        try:
            seen: Job | None = None
            while not self._closing.is_set():
                job = await get_job(self._database, tenant, job_id)
                if job != seen:
                    yield job
                if job.state in ENDED:
                    return
                seen = job
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK_EVERY):
                        await self._closing.wait()
        finally:
            self._watchers[tenant] -= 1
            if not self._watchers[tenant]:
                del self._watchers[tenant]
