"""Nothing of a tenant is left behind: every table is in its archive, or is left out for a reason."""

from policies import TENANT_TABLES

from muniment.database.pool import Database
from muniment.tenancy.tenants import Tenant

_RATIONS = "what a server allows its tenants, and what it has counted of that, is that server's"
LEFT_OUT: dict[str, str] = {
    "muniment.quota": _RATIONS,
    "muniment.ration": _RATIONS,
    "muniment.search_lease": _RATIONS,
    "muniment.usage_day": _RATIONS,
    "muniment.usage_entry": _RATIONS,
}
"""Tables of tenants that no archive holds, and why."""
_OF_THE_SERVER = "muniment_auth."
"""Credentials and the like are the server's, not the memory's: they are made anew elsewhere."""


async def test_every_table_of_tenants_is_in_their_archive(database: Database, tenant: Tenant) -> None:
    async with database.scope(tenant.number) as scope:
        archived = {f"muniment.{row['name']}" for row in await scope.rows("archive.tables")}
    tables = {name for name in TENANT_TABLES if not name.startswith(_OF_THE_SERVER)}
    assert archived <= tables and archived.isdisjoint(LEFT_OUT)
    assert tables - archived <= LEFT_OUT.keys()
