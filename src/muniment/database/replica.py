"""A streaming replica that serves searches, for as long as it is known to be no further behind than allowed.

How far it is behind is bounded from above by two looks: the primary's position in the write-ahead log with the time of
the look, kept for a while, and the replica's. What the primary had written at a time that the replica has passed is
there; so at worst it lags as far as that time lies back. An idle primary makes it no staler, and where either of the
two no longer answers, the bound grows until the primary serves alone.
"""

import asyncio
import logging
import time
from collections import deque
from contextlib import suppress
from typing import Final

from muniment.database.pool import Database
from muniment.database.queries import query
from muniment.errors import MunimentError
from muniment.settings import Settings

_LONGEST_PAUSE: Final = 5.0
_log = logging.getLogger("muniment.replica")


class Replica:
    """A replica of the database, watched from ``start`` until ``close``."""

    def __init__(self, url: str, primary: Database, settings: Settings) -> None:
        """``url`` is a SQLAlchemy URL of the role muniment_app on the replica."""
        self.database = Database(url, settings)
        self._primary = primary
        self._settings = settings
        self._past: deque[tuple[float, int]] = deque(maxlen=4096)  # when the primary was where
        self._fresh_at = -float("inf")
        self._admitted = False
        self._watching: asyncio.Task[None] | None = None

    @property
    def lag(self) -> float:
        """Seconds that it lags at most; infinite while it is not known to serve at all."""
        return time.monotonic() - self._fresh_at if self._admitted else float("inf")

    @property
    def usable(self) -> bool:
        """Whether searches may go there now."""
        return self.lag <= self._settings.replica_max_lag

    async def start(self) -> None:
        """Looks once, and then goes on looking. Raises ``store.unsafe_role`` where the URL's role is one."""
        try:
            await self._look()
        except MunimentError as error:
            if error.code == "store.unsafe_role":
                raise
            _log.warning("the replica does not serve yet: %s", error.code)
        self._watching = asyncio.create_task(self._watch(), name="muniment replica")

    async def close(self) -> None:
        """Stops looking and lets go of the connections."""
        if self._watching is not None:
            self._watching.cancel()
            with suppress(asyncio.CancelledError):
                await self._watching
        await self.database.close()

    def leave_out(self) -> None:
        """Sends searches to the primary until the replica has what that has now: a search there has just failed."""
        self._admitted = False
        self._fresh_at = -float("inf")
        self._past.clear()

    async def _watch(self) -> None:
        pause = self._settings.replica_poll
        while True:
            await asyncio.sleep(pause)
            try:
                await self._look()
                pause = self._settings.replica_poll
            except MunimentError as error:
                if self._admitted or pause == self._settings.replica_poll:
                    _log.warning("searches go to the primary, the replica is not usable: %s", error.code)
                self._admitted = False
                pause = min(_LONGEST_PAUSE, 2 * pause)

    async def _look(self) -> None:
        at = time.monotonic()  # before the look: what is written while it is made counts as later
        async with self._primary.transaction() as connection:
            primary = (await connection.execute(query("replica.primary_position"))).mappings().one()
        self._past.append((at, primary["position"]))
        if not self._admitted:
            await self.database.check()
        async with self.database.transaction() as connection:
            replica = (await connection.execute(query("replica.replica_position"))).mappings().one()
        if not replica["standby"] or replica["instance_id"] != primary["instance_id"]:
            raise MunimentError("store.schema_mismatch", "MUNIMENT_REPLICA_URL names no replica of the database")
        while self._past and self._past[0][1] <= replica["position"]:
            self._fresh_at = self._past.popleft()[0]
        if not self._admitted and self._fresh_at > -float("inf"):
            self._admitted = True
