"""Policies over REST."""

from __future__ import annotations

from muniment.memory.interface.policies import Policies
from muniment.memory.over_rest.connected import Connected
from muniment.memory.wire import read_answer
from muniment.model.policy import Policy, PolicyChange, PolicyList


class RemotePolicies(Connected, Policies):
    """What the server does with sensitive content."""

    async def policy(self) -> Policy:
        return read_answer(Policy, await self._open().get("policy"))

    async def policies(self) -> list[Policy]:
        return read_answer(PolicyList, await self._open().get("policy/history")).policies

    async def _put_policy(self, change: PolicyChange) -> Policy:
        return read_answer(Policy, await self._open().put("policy", change.model_dump_json().encode()))
