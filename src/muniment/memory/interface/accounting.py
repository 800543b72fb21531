"""The tenant itself: what it may use, what it used, and who administered it."""

from __future__ import annotations

from abc import abstractmethod

from muniment.memory.interface.part import Part
from muniment.model.audit import AuditPage
from muniment.model.quotas import Quota, Usage
from muniment.model.tenants import TenantDescription


class Accounting(Part):
    """What there is to know of one's own tenant as a whole."""

    @abstractmethod
    async def own_tenant(self) -> TenantDescription:
        """The tenant whose memory it is."""

    @abstractmethod
    async def quota(self) -> Quota:
        """What the tenant may use, and what it uses now."""

    @abstractmethod
    async def usage(self, *, days: int = 30) -> Usage:
        """What the tenant used on each of the last days, in UTC, today among them; at most 1,000 days."""

    @abstractmethod
    async def audit(self, *, limit: int = 50, cursor: str | None = None) -> AuditPage:
        """Who administered what, and who erased, the latest first; ``next`` is the ``cursor`` of the page after."""
