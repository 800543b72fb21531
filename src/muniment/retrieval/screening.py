"""What a tenant's policy keeps out of questions."""

import asyncio
import time
from typing import Final

from muniment.database.policies import policy_in_force
from muniment.database.pool import Database
from muniment.model.policy import Policy
from muniment.providers.sensitive import load_finder

_FRESH: Final = 1.0  # seconds for which a process need not ask again whether questions are to be masked


class QuestionScreen:
    """Masks in questions what the policy keeps out of the store, since questions are stored too."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[int, tuple[float, Policy]] = {}

    async def masked(self, tenant: int, question: str) -> str:
        """The question as it may be searched by and stored; a policy is known to it within a second."""
        policy = await self._policy(tenant)
        classes = policy.ingested("mask") | policy.ingested("refuse")
        if not classes:
            return question
        finder = await load_finder(classes)
        return (await asyncio.to_thread(finder.masked, question))[0]

    async def _policy(self, tenant: int) -> Policy:
        until, policy = self._known.get(tenant, (0.0, Policy()))
        if time.monotonic() >= until:
            async with self._database.scope(tenant) as scope:
                policy = await policy_in_force(scope)
                await self._database.quotas.limits_in(scope)  # the search asks for them next
            self._known[tenant] = time.monotonic() + _FRESH, policy
        return policy
