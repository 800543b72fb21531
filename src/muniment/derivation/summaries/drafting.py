"""From what a group says to the summaries it should have."""

from dataclasses import dataclass

from muniment.derivation.cards.rules import card_of
from muniment.derivation.summaries.source import GroupSource
from muniment.derivation.summaries.versions import Draft


def drafts_by_rules(source: GroupSource) -> list[Draft]:
    """All summaries of a group in their deterministic form: the definition that stored ones are held against."""
    return [card_of(source)]


@dataclass(frozen=True, slots=True)
class Drafting:
    """Makes the summaries of a group, by rules."""

    async def drafts(self, tenant: int, source: GroupSource) -> list[Draft]:
        """The summaries that the group should have."""
        return drafts_by_rules(source)
