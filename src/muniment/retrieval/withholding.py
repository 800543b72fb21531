"""What a tenant's policy withholds from searches and answers: sensitive words, named by their class instead."""

import asyncio
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from muniment.database.policies import policy_in_force
from muniment.database.pool import Database, Scope
from muniment.model.policy import Policy
from muniment.providers.sensitive import SensitiveFinder, load_finder

_FRESH: Final = 1.0  # seconds for which a process need not ask again whether questions are to be masked
_SHOWN: Final = ("text", "speaker", "role", "payload", "locator")  # of a record; keys and ids are names, and stay


@dataclass(frozen=True, slots=True)
class Withholding:
    """A policy at work on what is served."""

    finder: SensitiveFinder

    async def rows(self, rows: Sequence[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], Counter[str]]:
        """Rows of records as they may be shown, and how often what was withheld."""
        return await asyncio.to_thread(self._rows, rows)

    def _rows(self, rows: Sequence[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], Counter[str]]:
        counts: Counter[str] = Counter()
        shown = [
            {name: self._shown(value, counts) if name in _SHOWN else value for name, value in row.items()}
            for row in rows
        ]
        return shown, counts

    def _shown(self, value: Any, counts: Counter[str]) -> Any:
        if isinstance(value, str):
            masked, found = self.finder.masked(value)
            counts.update(each.sensitive for each in found)
            return masked
        if isinstance(value, Mapping):
            return {key: self._shown(inner, counts) for key, inner in value.items()}
        if isinstance(value, list):
            return [self._shown(inner, counts) for inner in value]
        if isinstance(value, int | float) and not isinstance(value, bool):
            masked = self._shown(str(value), counts)
            return value if masked == str(value) else masked
        return value


async def withholding(scope: Scope) -> Withholding | None:
    """What the policy in force withholds, None where that is nothing; raises ``policy.detector_missing``."""
    classes = (await policy_in_force(scope)).withheld
    return Withholding(await load_finder(classes)) if classes else None


def told(counts: Mapping[str, int]) -> str:
    """A note of what was withheld."""
    return "withheld by the policy: " + ", ".join(f"{name} ({count})" for name, count in sorted(counts.items()))


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
            self._known[tenant] = time.monotonic() + _FRESH, policy
        return policy
