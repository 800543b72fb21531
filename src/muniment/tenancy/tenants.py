"""Tenants: making one, and the one that a local store opens."""

from dataclasses import dataclass
from uuid import UUID

from muniment.database.pool import Database
from muniment.database.queries import query
from muniment.model.identifiers import new_id


@dataclass(frozen=True, slots=True)
class Tenant:
    """A tenant: its number, which stays inside, and its public id."""

    number: int
    public_id: UUID


async def create_tenant(database: Database, name: str) -> Tenant:
    """A new, empty tenant."""
    async with database.transaction() as connection:
        number: int = (await connection.execute(query("tenants.next_number"))).scalar_one()
    tenant = Tenant(number, new_id())
    async with database.scope(number) as scope:
        await scope.execute("tenants.insert", public_id=tenant.public_id, name=name)
        await scope.execute("tenants.insert_head")
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
