"""The job ``vacuum``: after an erasure, the database's files are rewritten, so that no old row is left in any.

A plain VACUUM leaves the bytes of dead rows where they are until something else needs the place. So every table is
written anew with its indexes (an HNSW index keeps the vectors of deleted rows), the statistics too, which quote
values; then the log of writes is switched and recycled. Rows that an open transaction, a standby or a slot may still
see are written anew too: while there is one that is older than what was erased, the job waits, and is tried again.
"""

import asyncio
import time
from datetime import UTC, datetime
from typing import Any, Final

import psycopg
from psycopg.sql import SQL, Identifier

from muniment.database.pool import Database
from muniment.database.queries import query
from muniment.database.setup import driver_conninfo
from muniment.errors import MunimentError
from muniment.jobs.context import JobContext
from muniment.log.erasure import VACUUM as KIND

__all__ = ["KIND", "rewrite_files", "vacuum"]

_WAIT: Final = "10s"  # for the lock of one table, before which others may queue
_PATIENCE: Final = 15.0  # seconds; what is open for longer is waited for by trying again
_LOOK: Final = 0.1


async def vacuum(context: JobContext, tenant: int, _arguments: dict[str, Any]) -> dict[str, Any]:
    """Rewrites the database where it is small enough, and notes so of the tenant's erasures that were purged before."""
    assert context.admin_url is not None
    begun = datetime.now(UTC)
    size = await asyncio.to_thread(rewrite_files, context.admin_url, context.settings.erase_rewrite_limit)
    if size is not None:
        return {"left": size}
    await note_vacuumed(context.database, tenant, begun)
    return {"rewritten": 1}


async def note_vacuumed(database: Database, tenant: int, begun: datetime) -> None:
    """Notes that what was purged before, and who was deleted, is in no file of the database any more."""
    async with database.scope(tenant) as scope:
        await scope.execute("erasure.vacuumed", begun=begun)
        await scope.execute("deletion.vacuumed", begun=begun)


def rewrite_files(admin_url: str, limit: int | None) -> int | None:
    """Rewrites all tables; where they have more bytes than ``limit``, their size is returned and nothing done.

    Each table is locked while it is rewritten, about a second for 100 MB. Raises ``store.busy`` where a lock is not to
    be had, or somebody may still see what was deleted before; ``store.not_permitted`` where the administrator may not
    do it all, or is not shown who that is.
    """
    try:
        with psycopg.connect(driver_conninfo(admin_url), autocommit=True, connect_timeout=10) as connection:
            return _rewrite(connection, limit)
    except psycopg.errors.LockNotAvailable as error:
        raise MunimentError("store.busy", "a table is in use, and cannot be rewritten now") from error
    except psycopg.errors.InsufficientPrivilege as error:
        raise MunimentError("store.not_permitted", "the administrator's role may not rewrite the database") from error
    except psycopg.Error as error:
        raise MunimentError("store.unavailable", "the database cannot be reached") from error


def _rewrite(connection: "psycopg.Connection[Any]", limit: int | None) -> int | None:
    size = connection.execute(_text("vacuum.size")).fetchone()
    if limit is not None and size is not None and size[0] > limit:
        found: int = size[0]
        return found
    connection.execute(SQL("set lock_timeout = {}").format(_WAIT))
    connection.execute(_text("vacuum.unlimited"))
    connection.execute(_text("vacuum.mark"))
    _wait_for_readers(connection, time.monotonic() + _PATIENCE)
    for schema, table in connection.execute(_text("vacuum.tables")).fetchall():
        connection.execute(SQL("vacuum (full, analyze) {}").format(Identifier(schema, table)))
    for table in ("pg_statistic", "pg_statistic_ext_data"):
        connection.execute(SQL("vacuum (full) {}").format(Identifier("pg_catalog", table)))
    _wait_for_readers(connection, 0.0)  # a standby may have fallen back behind the mark in between
    connection.execute(_text("vacuum.forget_statements"))
    # twice: what a checkpoint needs of the log before it is recycled by the one after
    for _ in range(2):
        connection.execute(_text("vacuum.switch_log"))
        connection.execute(SQL("checkpoint"))
    return None


def _wait_for_readers(connection: "psycopg.Connection[Any]", until: float) -> None:
    """Returns once nobody may see what was deleted before the mark. Raises ``store.busy`` where somebody still does."""
    while (row := connection.execute(_text("vacuum.holders")).fetchone()) is not None:
        if row[0] is None:
            raise MunimentError(
                "store.not_permitted", "the administrator's role does not see who may still see erased rows"
            )
        if time.monotonic() >= until:
            raise MunimentError("store.busy", f"{row[0]} may still see what was erased, so that files would keep it")
        time.sleep(_LOOK)


def _text(name: str) -> bytes:
    return str(query(name)).encode()
