"""What the summaries of a group are compiled from: its turns in their order, and the facts that rest on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from muniment.database.pool import Row, Scope
from muniment.extraction.turns import Turn

MOST_TURNS: Final = 5000
"""Records of a group that are read for its summaries, the first ones."""


@dataclass(frozen=True, slots=True)
class GroupFact:
    """A live fact and the first record of the group on which it rests; characters ``start`` to ``end`` of that."""

    record_no: int
    basis_no: int
    subject: str
    relation: str
    object: str
    negated: bool
    kind: str
    text: str
    start: int
    end: int
    event_from: datetime | None = None
    event_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class GroupSource:
    """A group as it stands. ``inputs`` is a digest of all that is here, ``commit`` the last that changed it.

    ``positions`` and ``vectors`` (unit length) are by the record's number; a record may lack its vector.
    """

    group_no: int
    space: int
    inputs: str
    commit: int
    turns: Sequence[Turn] = ()
    positions: Mapping[int, int] = field(default_factory=dict)
    facts: Sequence[GroupFact] = ()
    vectors: Mapping[int, Sequence[float]] = field(default_factory=dict)

    @property
    def language(self) -> str:
        """The language of most turns."""
        spoken = [turn.language for turn in self.turns]
        return max(set(spoken), key=lambda each: (spoken.count(each), each)) if spoken else "english"

    @property
    def speakers(self) -> list[str]:
        """Who speaks, in the order of first words."""
        return list(dict.fromkeys(turn.speaker for turn in self.turns if turn.speaker))

    def said(self) -> tuple[datetime | None, datetime | None]:
        """When the first and the last turn that has a time was said."""
        times = [turn.said_at for turn in self.turns if turn.said_at is not None]
        return (min(times), max(times)) if times else (None, None)


async def digest_of(scope: Scope, group_no: int) -> tuple[str | None, int]:
    """A digest of what a group's summaries rest on, None where nothing is left, and the last commit that changed it."""
    row = await scope.row("summaries.digest", group_no=group_no, most=MOST_TURNS)
    assert row is not None
    return row["inputs"], row["through_commit"]


async def read_group(scope: Scope, group_no: int, model_no: int | None) -> GroupSource | None:
    """The group, None where it has no live record. With ``model_no`` the vectors of that model come along."""
    inputs, commit = await digest_of(scope, group_no)
    if inputs is None:
        return None
    rows = await scope.rows("summaries.turns", group_no=group_no, most=MOST_TURNS)
    facts = await scope.rows("summaries.facts", group_no=group_no, most=MOST_TURNS)
    vectors = {}
    if model_no is not None and any(row["modality"] == "conversation" for row in rows):
        found = await scope.rows("summaries.vectors", records=[row["record_no"] for row in rows], model=model_no)
        vectors = {row["record_no"]: _vector(row["vector"]) for row in found}
    return GroupSource(
        group_no=group_no,
        space=rows[0]["space_id"],
        inputs=inputs,
        commit=commit,
        turns=[_turn(row) for row in rows],
        positions={row["record_no"]: row["position"] for row in rows},
        facts=[_fact(row) for row in facts],
        vectors=vectors,
    )


def _turn(row: Row) -> Turn:
    return Turn(
        record_no=row["record_no"], text=row["text"], speaker=row["speaker"], role=row["role"], said_at=row["said_at"],
        said_offset=row["said_offset"], language=row["language"], modality=row["modality"],
    )  # fmt: skip


def _fact(row: Row) -> GroupFact:
    return GroupFact(
        record_no=row["record_no"], basis_no=row["basis_no"], subject=row["subject"], relation=row["relation"],
        object=row["object"], negated=row["negated"], kind=row["kind"], text=row["text"], start=row["span_start"],
        end=row["span_end"], event_from=row["event_from"], event_to=row["event_to"],
    )  # fmt: skip


def _vector(text: str) -> list[float]:
    return [float(part) for part in text[1:-1].split(",")]
