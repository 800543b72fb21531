"""The job ``remove_tenant``: removes a tenant whose deletion has begun; queued as the store's own tenant's.

The same is done in the foreground by ``muniment tenant delete``, and at the start of a store for tenants that its
ledger says are deleted and its database, restored from an older backup, has again.
"""

import contextlib
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import structlog

from muniment.audit.acting import acting_as
from muniment.audit.chain import record_act
from muniment.database.pool import Database, Scope
from muniment.errors import MunimentError
from muniment.jobs.context import JobContext
from muniment.log.departed import Departure, read_departures, remove_files
from muniment.model.identifiers import TENANT, parse_id
from muniment.queue import enqueue
from muniment.tenancy.removal import Handed, Removed, find_deletion, operator_scope, remove_tenant, sweep
from muniment.tenancy.tenants import number_of_tenant

KIND: Final = "remove_tenant"
_log = structlog.get_logger(__name__)


async def remove(context: JobContext, _tenant: int, arguments: dict[str, Any]) -> dict[str, Any]:
    """Removes the tenant ``arguments["tenant"]``, as far as it is not gone yet; how many rows."""
    public = parse_id(TENANT, arguments["tenant"])
    if public is None:
        return {}
    gone = 0

    def count(_table: str, rows: int) -> None:
        nonlocal gone
        gone += rows

    await finish_removal(context.database, context.admin_url, public, removed=count)
    return {"rows": gone}


async def enqueue_removal(scope: Scope, tenant_id: str) -> None:
    """Puts the job into the queue, once for each tenant. The scope is that of the store's own tenant."""
    await enqueue(scope, KIND, {"tenant": tenant_id}, dedup=tenant_id)


async def finish_removal(
    database: Database, admin_url: str | None, public: UUID, *, removed: Removed | None = None
) -> None:
    """Rows, files, and what waits in Redis. Raises as ``removal.remove_tenant``, and ``store.ledger_unusable``."""
    jobs = await remove_tenant(database, admin_url, public, removed=removed)
    remove_files(database.settings, public)
    if jobs and database.settings.redis_url is not None:
        await _take_back(database, jobs)


async def enter_departure(scope: Scope, departure: Departure) -> None:
    """Gives the scope's tenant up: writes its receipt, and lets its rows be removed from now on."""
    hexadecimal = {
        name: None if value is None else bytes.fromhex(value)
        for name, value in (
            ("root", departure.root),
            ("audit_digest", departure.audit_digest),
            ("export_sha256", departure.export_sha256),
        )
    }
    await scope.execute(
        "deletion.begin", public_id=departure.public, begun_at=datetime.fromisoformat(departure.begun_at),
        commits=departure.commits, entries=departure.entries, checkpoint=departure.checkpoint,
        audit_entries=departure.audit_entries, **hexadecimal,
    )  # fmt: skip
    await scope.execute("deletion.condemn")


async def replay_departures(database: Database, admin_url: str | None) -> int:
    """Removes each tenant that the ledger says is deleted and the database has; how many. Raises ``store.*``.

    Cheap where there is none: one look-up a deleted tenant.
    """
    made = 0
    for departure in read_departures(database.settings):
        public = departure.public
        assert public is not None
        number = await number_of_tenant(database, public)
        if number is None:
            remove_files(database.settings, public)  # a backup that was joined brought them back
            continue
        try:
            with acting_as("ledger"):
                if await find_deletion(database, public) is None:
                    async with database.scope(number) as scope:
                        await enter_departure(scope, departure)
                        operator = await operator_scope(scope)
                        await record_act(operator, "tenant.delete", departure.tenant, entries=departure.entries)
                await finish_removal(database, admin_url, public)
                made += 1
        except MunimentError as error:
            _log.error("tenant_not_removed", tenant=departure.tenant, code=error.code)
            raise
    if made:
        _log.warning("tenants_removed", tenants=made)
    return made


async def go_on(database: Database, admin_url: str | None) -> bool:
    """Removes what came after, and goes on with what broke off; whether files are to be rewritten."""
    unwritten = False
    for public, under_way, not_rewritten in await sweep(database):
        unwritten |= not_rewritten and not under_way
        if under_way and admin_url is not None:
            await finish_removal(database, admin_url, public)
    return unwritten


async def _take_back(database: Database, jobs: Handed) -> None:
    from muniment.jobs.redis_queue import UNREACHABLE, open_redis, take_back  # late: without Redis nobody waits for it

    with contextlib.suppress(*UNREACHABLE):  # an id that is left there names nothing, and is gone within the hour
        redis = await open_redis(database.settings)
        try:
            await take_back(redis, jobs)
        finally:
            await redis.aclose(close_connection_pool=True)
