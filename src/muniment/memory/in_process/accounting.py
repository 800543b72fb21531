"""The store's tenant itself."""

from __future__ import annotations

from muniment.audit.chain import list_acts
from muniment.memory.in_process.opened import Opened
from muniment.memory.interface.accounting import Accounting
from muniment.model.audit import AuditPage
from muniment.model.quotas import Quota, Usage
from muniment.model.tenants import TenantDescription
from muniment.tenancy.quotas import get_quota, get_usage
from muniment.tenancy.tenants import about_tenant


class LocalAccounting(Opened, Accounting):
    """The tenant that is open."""

    async def own_tenant(self) -> TenantDescription:
        runtime = await self._open()
        return TenantDescription.of(await about_tenant(runtime.database, runtime.tenant.number))

    async def quota(self) -> Quota:
        runtime = await self._open()
        return await get_quota(runtime.database, runtime.tenant.number)

    async def usage(self, *, days: int = 30) -> Usage:
        runtime = await self._open()
        return await get_usage(runtime.database, runtime.tenant.number, days)

    async def audit(self, *, limit: int = 50, cursor: str | None = None) -> AuditPage:
        runtime = await self._open()
        return await list_acts(runtime.database, runtime.tenant.number, limit=limit, cursor=cursor)
