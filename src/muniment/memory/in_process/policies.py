"""Policies, kept in the store's log."""

from __future__ import annotations

from muniment.log.policies import get_policy, list_policies, put_policy
from muniment.memory.in_process.opened import Opened
from muniment.memory.interface.policies import Policies
from muniment.model.policy import Policy, PolicyChange


class LocalPolicies(Opened, Policies):
    """What the store does with sensitive content."""

    async def policy(self) -> Policy:
        runtime = await self._open()
        return await get_policy(runtime.database, runtime.tenant.number)

    async def policies(self) -> list[Policy]:
        runtime = await self._open()
        return await list_policies(runtime.database, runtime.tenant.number)

    async def _put_policy(self, change: PolicyChange) -> Policy:
        runtime = await self._open()
        self._left_work = True
        return await put_policy(
            runtime.database, runtime.tenant.number, classes=change.classes, retention=change.retention,
            reason=change.reason,
        )  # fmt: skip
