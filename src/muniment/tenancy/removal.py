"""Removing a tenant that was given up: its logins, its jobs, then its rows, table by table, in small transactions.

What may be removed is decided by row security: the role that deletes sees the rows of a tenant alone whose state is
``deleted``, or of whom there is nothing else any more. Whatever breaks off goes on where it was, in any process: what
went is counted by the transaction in which it went.
"""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from muniment.audit.chain import record_act
from muniment.database.pool import Database, Row, Scope
from muniment.database.queries import query
from muniment.database.vector_index import drop_indexes
from muniment.errors import MunimentError
from muniment.model.identifiers import TENANT, parse_id, public_id
from muniment.model.tenants import TenantDeletion
from muniment.queue import enqueue
from muniment.tenancy.sql_logins import drop_logins, has_logins

_BATCH: Final = 5000  # rows a transaction, so that nothing is locked for long
_ROUNDS: Final = 100
_PAUSE: Final = 0.2  # seconds between two rounds where somebody is still writing
_QUEUE: Final = "muniment_jobs.queue"

Removed = Callable[[str, int], None]
"""Called with a table and how many rows just went from it."""
Handed = Sequence[tuple[UUID, int]]
"""Jobs that may have been handed to Redis: their ids, and how often each was tried."""


async def get_deletion(database: Database, tenant_id: str) -> TenantDeletion | None:
    """The receipt of a tenant that was deleted or is being deleted; None of any other."""
    row = await find_deletion(database, parse_id(TENANT, tenant_id))
    return None if row is None else _shown(row, database)


async def list_deletions(database: Database) -> list[TenantDeletion]:
    """The receipts of all deleted tenants, the latest first."""
    async with database.transaction() as connection:
        rows = (await connection.execute(query("deletion.all"))).mappings().all()
    return [_shown(dict(row), database) for row in rows]


async def find_deletion(database: Database, public: UUID | None) -> Row | None:
    """The receipt as it lies in the database."""
    async with database.transaction() as connection:
        found = (await connection.execute(query("deletion.get"), {"public_id": public})).mappings().one_or_none()
    return None if found is None else dict(found)


async def operator_scope(scope: Scope) -> Scope:
    """Goes on in the same transaction as the store's own tenant, whose audit log outlives the others."""
    operator: int = await scope.value("tenants.default_number")
    other = await Scope.of(scope.connection, operator, scope.settings)
    assert scope.settings is not None
    timeout = int(1000 * scope.settings.write_timeout)
    await other.execute("scope.open", spaces=None, timeout=timeout)
    return other


async def remove_tenant(
    database: Database, admin_url: str | None, public: UUID, *, removed: Removed | None = None
) -> Handed:
    """Removes everything of a tenant whose deletion has begun; returns the jobs that it still had in the queue.

    May be called again at any time, and by several processes at once. Raises ``tenant.not_found``, ``store.busy``
    where somebody goes on writing, ``sql_login.unavailable`` and ``store.*``.
    """
    row = await find_deletion(database, public)
    if row is None:
        raise MunimentError("tenant.not_found", "there is no such tenant, or it is not to be deleted")
    tenant: int = row["tenant_no"]
    if row["deleted_at"] is None:
        await _remove_definitions(database, admin_url, tenant)
    jobs: list[tuple[UUID, int]] = []
    for _ in range(_ROUNDS):
        jobs += await _remove_rows(database, tenant, removed)
        if await _finish(database, tenant, public):
            return jobs
        await asyncio.sleep(_PAUSE)
    raise MunimentError("store.busy", "something still writes rows of the tenant; delete it again to go on")


async def sweep(database: Database) -> list[tuple[UUID, bool, bool]]:
    """Removes what was added while a tenant went, for a day after; the receipts that are not finished.

    Each is given with whether it is under way, and whether files are to be rewritten.
    """
    async with database.transaction() as connection:
        rows = (await connection.execute(query("deletion.unfinished"))).mappings().all()
    for row in rows:
        if not row["under_way"]:
            async with database.scope(row["tenant_no"]) as scope:
                left = await scope.rows("deletion.rows_left")
            if left:
                await _remove_rows(database, row["tenant_no"], None)
    return [(row["public_id"], row["under_way"], row["unwritten"]) for row in rows]


async def _remove_definitions(database: Database, admin_url: str | None, tenant: int) -> None:
    """SQL logins and indexes of the tenant's own, which are no rows."""
    if await has_logins(database, tenant):
        await asyncio.to_thread(drop_logins, admin_url, tenant)
    if admin_url is not None:
        await asyncio.to_thread(drop_indexes, admin_url, tenant)


async def _remove_rows(database: Database, tenant: int, removed: Removed | None) -> list[tuple[UUID, int]]:
    seconds = database.settings.write_timeout
    async with database.scope(tenant, seconds=seconds) as scope:
        await scope.execute("deletion.lock")
        jobs = [(row["job_id"], row["attempts"]) for row in await scope.rows("deletion.forget_jobs")]
        if jobs:
            await scope.execute("deletion.count", table=_QUEUE, rows=len(jobs))
        tables = [row["name"] for row in await scope.rows("deletion.tables")]
    for table in tables:
        while True:
            async with database.scope(tenant, seconds=seconds) as scope:
                await scope.execute("deletion.lock")
                count: int = await scope.value("deletion.remove_rows", table=table, limit=_BATCH)
                if count:
                    await scope.execute("deletion.count", table=table, rows=count)
            if count and removed is not None:
                removed(table, count)
            if count < _BATCH:
                break
    return jobs


async def _finish(database: Database, tenant: int, public: UUID) -> bool:
    """Takes the tenant itself away where nothing else of it is left, and tells the audit log; whether it is gone."""
    async with database.scope(tenant, seconds=database.settings.write_timeout) as scope:
        await scope.execute("deletion.lock")
        await scope.row("deletion.lock_tenant")
        if await scope.rows("deletion.rows_left") or await scope.rows("deletion.forget_jobs"):
            return False
        if not await scope.value("deletion.remove_tenant"):
            return True  # by another process, meanwhile
        await scope.execute("deletion.count", table="muniment_auth.tenant", rows=1)
        await scope.execute("deletion.deleted")
        row = await scope.row("deletion.get", public_id=public)
        assert row is not None
        operator = await operator_scope(scope)
        await enqueue(operator, "vacuum", {}, dedup="vacuum")
        await enqueue(operator, "report", {}, dedup="report")  # its views show each tenant by its name
        await record_act(operator, "tenant.deleted", public_id(TENANT, public), **_told(row))
    return True


def _told(row: Row) -> dict[str, Any]:
    return {"rows": sum(row["rows"].values()), "tables": len(row["rows"]), "root": bytes(row["root"]).hex()}


def _shown(row: Row, database: Database) -> TenantDeletion:
    vacuumed: datetime | None = row["vacuumed_at"]
    expire = None if vacuumed is None else vacuumed + timedelta(days=database.settings.backup_retention_days)
    state = "deleting" if row["deleted_at"] is None else "deleted"
    if expire is not None:
        state = "backups expired" if expire <= datetime.now(UTC) else "vacuumed"
    hexadecimal = {
        name: None if row[name] is None else bytes(row[name]).hex()
        for name in ("root", "audit_digest", "export_sha256")
    }
    kept = ("begun_at", "deleted_at", "vacuumed_at", "commits", "entries", "checkpoint", "audit_entries", "rows")
    return TenantDeletion.model_validate(
        {name: row[name] for name in kept}
        | hexadecimal
        | {"tenant": public_id(TENANT, row["public_id"]), "state": state, "backups_expire_at": expire}
    )
