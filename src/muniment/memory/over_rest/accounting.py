"""The tenant of the credential itself."""

from __future__ import annotations

from muniment.memory.interface.accounting import Accounting
from muniment.memory.over_rest.connected import Connected
from muniment.memory.wire import read_answer
from muniment.model.audit import AuditPage
from muniment.model.quotas import Quota, Usage
from muniment.model.tenants import TenantDescription


class RemoteAccounting(Connected, Accounting):
    """The tenant that the credential opens."""

    async def own_tenant(self) -> TenantDescription:
        return read_answer(TenantDescription, await self._open().get("tenant"))

    async def quota(self) -> Quota:
        return read_answer(Quota, await self._open().get("quota"))

    async def usage(self, *, days: int = 30) -> Usage:
        return read_answer(Usage, await self._open().get("usage", {"days": str(days)}))

    async def audit(self, *, limit: int = 50, cursor: str | None = None) -> AuditPage:
        return read_answer(AuditPage, await self._open().get("audit", {"limit": limit, "cursor": cursor}))
