"""The store's tenant."""

from __future__ import annotations

from muniment.memory.in_process.opened import Opened
from muniment.memory.interface.tenancy import Tenancy
from muniment.model.quotas import Quota, Usage
from muniment.tenancy.quotas import get_quota, get_usage


class LocalTenancy(Opened, Tenancy):
    """The tenant that is open."""

    async def quota(self) -> Quota:
        runtime = await self._open()
        return await get_quota(runtime.database, runtime.tenant.number)

    async def usage(self, *, days: int = 30) -> Usage:
        runtime = await self._open()
        return await get_usage(runtime.database, runtime.tenant.number, days)
