"""What the operator of a store does to its tenants, told in the audit log of the operator's own tenant too.

The log of the tenant that it is done to goes when that is deleted.
"""

from muniment.audit.chain import record_act
from muniment.database.pool import Database
from muniment.model.quotas import Quota, QuotaChange
from muniment.model.tenants import NewTenant, TenantDetail
from muniment.tenancy.keys import create_key
from muniment.tenancy.principal import SCOPES
from muniment.tenancy.quotas import get_quota, put_quota
from muniment.tenancy.tenants import (
    about_tenant,
    admit_tenant,
    find_tenant,
    list_tenants,
    resume_tenant,
    suspend_tenant,
)


async def shown_tenants(database: Database) -> list[TenantDetail]:
    """Every tenant, the oldest first."""
    return [TenantDetail.of(entry) for entry in await list_tenants(database)]


async def shown_tenant(database: Database, tenant_id: str) -> TenantDetail:
    """One tenant; raises ``tenant.not_found``."""
    return TenantDetail.of(await about_tenant(database, (await find_tenant(database, tenant_id)).number))


async def make_tenant(database: Database, operator: int, name: str) -> NewTenant:
    """A tenant with a first API key, which has every scope; raises ``input.invalid``."""
    made = await admit_tenant(database, name)
    key = await create_key(database, made.number, "first key", SCOPES)
    about = TenantDetail.of(await about_tenant(database, made.number))
    await _note(database, operator, "tenant.create", about.id)
    return NewTenant(**about.model_dump(), key=key.key.id, secret=key.secret)


async def shut_out(database: Database, operator: int, tenant_id: str) -> TenantDetail:
    """Suspends a tenant; raises ``tenant.not_found`` and ``tenant.kept``."""
    done = await suspend_tenant(database, tenant_id)
    await _note(database, operator, "tenant.suspend", tenant_id)
    return TenantDetail.of(done)


async def let_in(database: Database, operator: int, tenant_id: str) -> TenantDetail:
    """Resumes a suspended tenant; raises ``tenant.not_found``."""
    done = await resume_tenant(database, tenant_id)
    await _note(database, operator, "tenant.resume", tenant_id)
    return TenantDetail.of(done)


async def quota_of(database: Database, tenant_id: str) -> Quota:
    """The limits of a tenant, each with what is in use of it; raises ``tenant.not_found``."""
    return await get_quota(database, (await find_tenant(database, tenant_id)).number)


async def limit_tenant(database: Database, operator: int, tenant_id: str, change: QuotaChange) -> Quota:
    """Sets all limits of a tenant; raises ``tenant.not_found``."""
    quota = await put_quota(database, (await find_tenant(database, tenant_id)).number, change)
    await _note(database, operator, "quota.put", tenant_id, **change.model_dump())
    return quota


async def tenant_to_export(database: Database, operator: int, tenant_id: str) -> int:
    """The number of a tenant whose archive the operator takes; raises ``tenant.not_found``."""
    number = (await find_tenant(database, tenant_id)).number
    await _note(database, operator, "tenant.export", tenant_id)
    return number


async def _note(database: Database, operator: int, act: str, tenant: str, **detail: object) -> None:
    async with database.scope(operator) as scope:
        await record_act(scope, act, tenant, **detail)
