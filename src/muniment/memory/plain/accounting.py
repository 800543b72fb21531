"""The tenant itself, in the plain form."""

from __future__ import annotations

from muniment.memory.plain.waiting import Waiting
from muniment.model.audit import AuditPage
from muniment.model.quotas import Quota, Usage
from muniment.model.tenants import TenantDescription


class PlainAccounting(Waiting):
    """As ``Accounting``, waiting."""

    def own_tenant(self) -> TenantDescription:
        """The tenant whose memory it is."""
        return self._loop.call(self._memory.own_tenant())

    def quota(self) -> Quota:
        """What the tenant may use, and what it uses now."""
        return self._loop.call(self._memory.quota())

    def usage(self, *, days: int = 30) -> Usage:
        """What the tenant used on each of the last days, in UTC."""
        return self._loop.call(self._memory.usage(days=days))

    def audit(self, *, limit: int = 50, cursor: str | None = None) -> AuditPage:
        """Who administered what, and who erased, the latest first."""
        return self._loop.call(self._memory.audit(limit=limit, cursor=cursor))
