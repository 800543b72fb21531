"""The watchdog: ends what SQL logins do for too long, whatever they set.

A login can lift every timeout that its sessions start with. So each server and worker looks every few seconds at what
the logins of the store do, through a function of the database that sees these sessions and may end them, and no others.
"""

import asyncio
import logging

from muniment.database.pool import Database
from muniment.database.queries import query
from muniment.errors import MunimentError
from muniment.settings import Settings

_log = logging.getLogger("muniment.tenancy")


class SqlWatchdog:
    """Watches between ``start`` and ``stop``; any number of processes may. The database may be away at any time."""

    def __init__(self, database: Database, settings: Settings) -> None:
        """Goes by ``settings.sql_login_*``; with a period of 0 it does nothing."""
        self._database = database
        self._settings = settings
        self._loop: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Starts watching in the background."""
        if self._settings.sql_login_period > 0:
            self._loop = asyncio.create_task(self._watch(), name="muniment SQL watchdog")

    async def stop(self) -> None:
        """Watches no more."""
        if self._loop is not None:
            self._loop.cancel()
            await asyncio.gather(self._loop, return_exceptions=True)
            self._loop = None

    async def look(self) -> int:
        """Ends what is over its limits now; how many sessions that were. Raises ``store.*``."""
        values = {
            "statement": self._settings.sql_login_statement_limit,
            "transaction": self._settings.sql_login_transaction_limit,
        }
        async with self._database.transaction() as connection:
            ended = (await connection.execute(query("sql_logins.end_overruns"), values)).all()
        for row in ended:
            _log.warning("an SQL login was stopped: %s, %s for %.0f s", row.login, row.reason, row.seconds or 0)
        return len(ended)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(self._settings.sql_login_period)
            try:
                await self.look()
            except MunimentError as error:
                _log.warning("SQL logins are not watched, the database does not answer: %s", error.code)
            except Exception as error:
                _log.error("watching SQL logins failed: %s", type(error).__name__)
