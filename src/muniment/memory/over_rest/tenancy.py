"""The tenant of the credential."""

from __future__ import annotations

from muniment.memory.interface.tenancy import Tenancy
from muniment.memory.over_rest.connected import Connected
from muniment.memory.wire import read_answer
from muniment.model.quotas import Quota, Usage


class RemoteTenancy(Connected, Tenancy):
    """The tenant that the credential opens."""

    async def quota(self) -> Quota:
        return read_answer(Quota, await self._open().get("quota"))

    async def usage(self, *, days: int = 30) -> Usage:
        return read_answer(Usage, await self._open().get("usage", {"days": str(days)}))
