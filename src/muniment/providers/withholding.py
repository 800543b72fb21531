"""What a tenant's policy withholds from all that is served: sensitive words, named by their class instead."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from pydantic import BaseModel

from muniment.database.policies import policy_in_force
from muniment.database.pool import Scope
from muniment.model.policy import Policy
from muniment.providers.sensitive import SensitiveFinder, load_finder

_SHOWN: Final = ("text", "speaker", "role", "payload", "locator")  # of a record; keys and ids are names, and stay
_SAID: Final = frozenset(
    (
        "text", "title", "phrasings", "participants", "decisions", "outcome", "plans", "entity", "subject", "object",
        "restatement", "quote", "name", "content",
    )
)  # fmt: skip
"""Members of what is derived that say something in the words of records."""
_BLOT: Final = "\N{FULL BLOCK}"

_Served = TypeVar("_Served", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Withholding:
    """A policy at work on what is served."""

    finder: SensitiveFinder

    async def rows(self, rows: Sequence[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], list[Counter[str]]]:
        """Rows of records as they may be shown, and how often what was withheld from each."""
        return await asyncio.to_thread(self._rows, rows)

    async def served(self, model: _Served) -> _Served:
        """Claims, summaries and the like as they may be shown: whatever of them is said in the words of records."""
        return await asyncio.to_thread(self._served, model)

    async def blotted(self, texts: Iterable[str]) -> list[str]:
        """The texts with what is withheld blotted out, character by character, so that places in them stay."""
        return await asyncio.to_thread(lambda: [self._blotted(text) for text in texts])

    def _rows(self, rows: Sequence[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], list[Counter[str]]]:
        counts: list[Counter[str]] = [Counter() for _ in rows]
        shown = [
            {name: self._shown(value, count) if name in _SHOWN else value for name, value in row.items()}
            for row, count in zip(rows, counts, strict=True)
        ]
        return shown, counts

    def _served(self, model: _Served) -> _Served:
        def members(of: Any) -> Any:
            if isinstance(of, BaseModel):
                return of.model_copy(update={name: member(name, getattr(of, name)) for name in type(of).model_fields})
            return [members(each) for each in of] if isinstance(of, list) else of

        def member(name: str, value: Any) -> Any:
            is_said = name in _SAID and (
                isinstance(value, str) or (isinstance(value, list) and all(isinstance(each, str) for each in value))
            )
            return self._shown(value, Counter()) if is_said else members(value)

        shown: _Served = members(model)
        return shown

    def _blotted(self, text: str) -> str:
        parts, end = [], 0
        for each in self.finder.find(text):
            parts += [text[end : each.start], _BLOT * (each.end - each.start)]
            end = each.end
        return "".join([*parts, text[end:]])

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
    return await withholding_by(await policy_in_force(scope))


async def withholding_by(policy: Policy) -> Withholding | None:
    """What a policy withholds, None where that is nothing; raises ``policy.detector_missing``."""
    classes = policy.withheld
    return Withholding(await load_finder(classes)) if classes else None


def withheld_note(counts: Mapping[str, int]) -> str:
    """A note of what was withheld."""
    return "withheld by the policy: " + ", ".join(f"{name} ({count})" for name, count in sorted(counts.items()))
