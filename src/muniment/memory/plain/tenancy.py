"""The tenant, in the plain form."""

from __future__ import annotations

from muniment.memory.plain.waiting import Waiting
from muniment.model.quotas import Quota, Usage


class PlainTenancy(Waiting):
    """As ``Tenancy``, waiting."""

    def quota(self) -> Quota:
        """What the tenant may use, and what it uses now."""
        return self._loop.call(self._memory.quota())

    def usage(self, *, days: int = 30) -> Usage:
        """What the tenant used on each of the last days, in UTC."""
        return self._loop.call(self._memory.usage(days=days))
