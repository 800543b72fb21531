"""Listening for new jobs: a connection of its own that PostgreSQL writes to when one is committed."""

import asyncio
import logging
from collections.abc import Callable

import psycopg
from psycopg.sql import SQL, Identifier
from sqlalchemy import URL

from muniment.database.queries import driver_query
from muniment.database.setup import driver_conninfo

_FIRST_PAUSE = 0.2
_LONGEST_PAUSE = 10.0

_log = logging.getLogger("muniment.jobs")


async def listen(url: URL, wake: Callable[[], None]) -> None:
    """Calls ``wake`` for each notification, and after each connection, until cancelled.

    The channel has a name that only the service can read: whoever is connected to a database may listen and notify.
    Reconnects with a growing pause for as long as PostgreSQL is away: the runner polls meanwhile. Needs a session
    of its own, which PgBouncer in transaction mode does not give.
    """
    pause = _FIRST_PAUSE
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(
                driver_conninfo(url), autocommit=True, connect_timeout=10, application_name="muniment jobs"
            ) as connection:
                channel = await (await connection.execute(driver_query("jobs.wake_channel").encode())).fetchone()
                assert channel is not None
                await connection.execute(SQL("listen {}").format(Identifier(channel[0])))
                pause = _FIRST_PAUSE
                wake()  # for what was committed while nobody listened
                async for _ in connection.notifies():
                    wake()
        except psycopg.Error as error:
            _log.debug("the listening connection ended: %s", type(error).__name__)
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)
