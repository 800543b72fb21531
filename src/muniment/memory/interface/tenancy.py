"""The tenant: what it may use, and what it used."""

from __future__ import annotations

from abc import abstractmethod

from muniment.memory.interface.part import Part
from muniment.model.quotas import Quota, Usage


class Tenancy(Part):
    """The tenant as a whole."""

    @abstractmethod
    async def quota(self) -> Quota:
        """What the tenant may use, and what it uses now."""

    @abstractmethod
    async def usage(self, *, days: int = 30) -> Usage:
        """What the tenant used on each of the last days, in UTC, today among them; at most 1,000 days."""
