"""Tenants: making one, and the one that a local store opens."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.audit.chain import record_act
from muniment.database.pool import Database
from muniment.database.queries import query
from muniment.errors import MunimentError
from muniment.model.derivations import CURRENT
from muniment.model.identifiers import TENANT, new_id, parse_id, public_id
from muniment.model.tenants import TenantState


@dataclass(frozen=True, slots=True)
class Tenant:
    """A tenant: its number, which stays inside, and its public id."""

    number: int
    public_id: UUID


@dataclass(frozen=True, slots=True)
class TenantEntry:
    """A tenant as lists show it. One that is suspended lets nobody in: no key, no token, no SQL login."""

    id: str
    name: str
    state: TenantState
    created_at: datetime
    changed_at: datetime | None = None


async def create_tenant(database: Database, name: str) -> Tenant:
    """A new, empty tenant."""
    async with database.transaction() as connection:
        number: int = (await connection.execute(query("tenants.next_number"))).scalar_one()
    tenant = Tenant(number, new_id())
    async with database.scope(number) as scope:
        await scope.execute("tenants.insert", public_id=tenant.public_id, name=name)
        await scope.execute("tenants.insert_head")
        for derivation, version in CURRENT.items():
            await scope.execute("derivation.set_version", name=derivation, version=version)
    return tenant


async def default_tenant(database: Database) -> Tenant:
    """The tenant that a local store opens, made at the first call; safe to call from several processes at once."""
    async with database.transaction() as connection:
        number = (await connection.execute(query("tenants.default_number"))).scalar()
    if number is None:
        made = await create_tenant(database, "default")
        async with database.transaction() as connection:
            await connection.execute(query("tenants.set_default"), {"number": made.number})
            number = (await connection.execute(query("tenants.default_number"))).scalar_one()
    async with database.scope(number) as scope:
        public_id: UUID = await scope.value("tenants.public_id")
    return Tenant(number, public_id)


async def admit_tenant(database: Database, name: str) -> Tenant:
    """A new tenant under a name that people will see, told to its audit log; raises ``input.invalid``."""
    name = name.strip()
    if not 1 <= len(name) <= 256 or not name.isprintable():
        raise MunimentError("input.invalid", "a tenant needs a name of 1 to 256 printable characters", field="name")
    tenant = await create_tenant(database, name)
    async with database.scope(tenant.number) as scope:
        await record_act(scope, "tenant.create", public_id(TENANT, tenant.public_id))
    return tenant


async def list_tenants(database: Database) -> list[TenantEntry]:
    """Every tenant of the installation, the oldest first: for who administers that, never for a credential."""
    async with database.transaction() as connection:
        rows = (await connection.execute(query("tenants.all"), {"public_id": None})).mappings().all()
    return [
        TenantEntry(public_id(TENANT, row["public_id"]), row["name"], row["state"], row["created_at"]) for row in rows
    ]


async def find_tenant(database: Database, tenant_id: str) -> Tenant:
    """The tenant of a public id: for who administers the installation. Raises ``tenant.not_found``."""
    identity = parse_id(TENANT, tenant_id)
    number = None if identity is None else await number_of_tenant(database, identity)
    if identity is None or number is None:
        raise MunimentError("tenant.not_found", "there is no such tenant", tenant_id=tenant_id[:64])
    return Tenant(number, identity)


async def number_of_tenant(database: Database, identity: UUID) -> int | None:
    """The number of the tenant of a public id, in whatever state; None where there is none."""
    async with database.transaction() as connection:
        row = (await connection.execute(query("tenants.all"), {"public_id": identity})).first()
    return None if row is None else int(row.tenant_id)


async def about_tenant(database: Database, tenant: int) -> TenantEntry:
    """The tenant itself."""
    async with database.scope(tenant) as scope:
        row = await scope.row("tenants.about")
    assert row is not None
    return _shown(row)


async def suspend_tenant(database: Database, tenant_id: str) -> TenantEntry:
    """Lets nobody of the tenant in, within ``keys.CACHE_SECONDS``; what it has is kept, and its jobs go on.

    Raises ``tenant.not_found``, and ``tenant.kept`` for the tenant that a local store opens.
    """
    return await _set_state(database, tenant_id, "suspended")


async def resume_tenant(database: Database, tenant_id: str) -> TenantEntry:
    """Lets a suspended tenant's credentials open it again; raises ``tenant.not_found``."""
    return await _set_state(database, tenant_id, "active")


async def _set_state(database: Database, tenant_id: str, state: Literal["active", "suspended"]) -> TenantEntry:
    tenant = await find_tenant(database, tenant_id)
    async with database.transaction() as connection:
        default = (await connection.execute(query("tenants.default_number"))).scalar()
    if state == "suspended" and tenant.number == default:
        raise MunimentError("tenant.kept", "this is the tenant that the store itself opens")
    async with database.scope(tenant.number) as scope:
        if await scope.value("tenants.set_state", state=state) is None:
            raise MunimentError("tenant.not_found", "there is no such tenant", tenant_id=tenant_id)
        await record_act(scope, "tenant.resume" if state == "active" else "tenant.suspend", tenant_id)
    return await about_tenant(database, tenant.number)


def _shown(row: Mapping[Any, Any]) -> TenantEntry:
    changed_at = row.get("changed_at")
    return TenantEntry(public_id(TENANT, row["public_id"]), row["name"], row["state"], row["created_at"], changed_at)
