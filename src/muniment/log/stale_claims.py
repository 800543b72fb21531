"""What a commit does to claims: the names that its facts bring, and the keys that it makes stale.

Both belong to the transaction that seals: a decision that two names are one is sealed with the fact that brought the
second, so that the log never knew the one without the other, and no fact counts before its key is on the list of what
is to be recompiled.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from muniment.database.pool import Scope
from muniment.model.identifiers import DECISION, RECORD, new_id, public_id
from muniment.queue import enqueue

KIND: Final = "claims"
"""The job that recompiles what is stale."""

NAME_SIMILARITY: Final = 0.75
"""Names of one type are one that share more than this part of their trigrams. "Maya Chen" and "Maya Cheng" do not."""


@dataclass(frozen=True, slots=True)
class NameDecision:
    """The name in one part (``subject`` or ``object``) of a fact means the entity named in a part of another."""

    decision: UUID
    space: int
    record_no: int
    record_id: UUID
    part: str
    of_no: int
    of_id: UUID
    of_part: str
    rule: str
    similarity: float | None

    def detail(self) -> dict[str, Any]:
        """What the log says of it: public ids alone, so that an erased name is in no entry."""
        told = {
            "decision": public_id(DECISION, self.decision),
            "means": public_id(RECORD, self.of_id),
            "of_part": self.of_part,
            "part": self.part,
            "rule": self.rule,
        }
        return told if self.similarity is None else told | {"similarity": round(self.similarity, 4)}


async def link_names(scope: Scope, records: Sequence[int]) -> list[NameDecision] | None:
    """The decisions about the names of the facts among new records; None where none of them is a fact."""
    if not records:
        return None
    facts = await scope.value("seal.has_facts", first=min(records), last=max(records), records=list(records))
    if not facts:
        return None
    rows = await scope.rows("seal.link_names", records=list(records), threshold=NAME_SIMILARITY)
    return [
        NameDecision(
            new_id(), row["space_id"], row["record_no"], row["record_id"], row["part"], row["of_no"], row["of_id"],
            row["of_part"], row["rule"], row["similarity"],
        )
        for row in rows
    ]  # fmt: skip


async def mark_stale(
    scope: Scope,
    commit: int,
    *,
    brought: Sequence[int],
    closed: Sequence[int],
    archived: Sequence[tuple[UUID, int]],
    decisions: Sequence[NameDecision],
) -> None:
    """Notes what a commit made stale and enqueues the job that recompiles it. Under the head lock.

    ``brought`` are new facts, ``closed`` any records that the commit closes,
    ``archived`` versions of sources.
    """
    stale = 0
    if decisions:
        stale += await scope.value(
            "seal.apply_aliases",
            commit=commit,
            decisions=[each.decision for each in decisions],
            records=[each.record_no for each in decisions],
            parts=[each.part for each in decisions],
            of=[each.of_no for each in decisions],
            of_parts=[each.of_part for each in decisions],
            rules=[each.rule for each in decisions],
            similarities=[each.similarity for each in decisions],
        )
    if brought or closed or archived:
        stale += await scope.value(
            "seal.mark_claims",
            commit=commit,
            brought=list(brought),
            closed=list(closed),
            sources=[source for source, _ in archived],
            versions=[version for _, version in archived],
        )
    if stale:
        await enqueue(scope, KIND, {}, dedup=KIND)


async def mark_again(scope: Scope, facts: Sequence[int]) -> None:
    """Notes the keys of facts as stale for the whole of their history: an erasure takes facts out of every commit."""
    await mark_reopened(scope, 0, facts)


async def mark_reopened(scope: Scope, commit: int, facts: Sequence[int]) -> None:
    """Notes the keys of facts that count again as stale at the commit, sealed already, that says so.

    The head lock is held.

    With commit 0 for the whole of their history.
    """
    if facts and await scope.value("claims.mark_facts", commit=commit, records=list(facts)):
        await enqueue(scope, KIND, {}, dedup=KIND)
