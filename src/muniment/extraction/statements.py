"""What an extractor finds in texts: statements of subject, relation and object, each with the words it rests on."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, NamedTuple, get_args

EntityType = Literal[
    "person", "organization", "place", "product", "event", "thing", "time", "quantity", "unknown"
]  # fmt: skip
StatementKind = Literal["statement", "event", "intention"]

ENTITY_TYPES: Final = frozenset(get_args(EntityType))
STATEMENT_KINDS: Final = frozenset(get_args(StatementKind))
LONGEST_NAME: Final = 200
"""Characters of a subject, and of a relation; an index row has room for these."""
LONGEST_OBJECT: Final = 1000


class Span(NamedTuple):
    """Characters [start, end) of the text of a record, by its number."""

    record_no: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement. ``text`` restates it as a sentence; ``confidence`` is between 0 and 1.

    ``event_from`` and ``event_to`` say when it holds or happened, half open, where the words say so; when they were
    said is no part of it. One with ``ends`` denies whichever of these relations its object is known to stand in; where
    it has no object, the last that is known.
    """

    subject: str
    relation: str
    object: str
    text: str
    spans: tuple[Span, ...]
    subject_type: EntityType = "unknown"
    object_type: EntityType = "unknown"
    negated: bool = False
    kind: StatementKind = "statement"
    confidence: float = 0.9
    event_from: datetime | None = None
    event_to: datetime | None = None
    ends: tuple[str, ...] = ()

    def identity(self) -> tuple[Hashable, ...]:
        """What makes two statements about the same record one."""
        return identity(
            self.subject, self.relation, self.object, self.negated, self.kind, self.event_from, self.event_to
        )

    def without(self, records: set[int]) -> "Statement | None":
        """The statement as it rests on the other records alone; None where it rests on these only."""
        spans = tuple(span for span in self.spans if span.record_no not in records)
        return replace(self, spans=spans) if spans else None


def identity(
    subject: str,
    relation: str,
    object_: str,
    negated: bool,
    kind: str,
    event_from: datetime | None,
    event_to: datetime | None,
) -> tuple[Hashable, ...]:
    """The parts of a statement that make it the same as another, whatever its letters' case."""
    return subject.casefold(), relation, object_.casefold(), negated, kind, event_from, event_to
