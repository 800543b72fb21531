"""The record that an explanation is about: what the log and the indexes hold of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from muniment.database.pool import Scope
from muniment.retrieval.formulas.bm25 import term_score
from muniment.retrieval.pinning import rarest
from muniment.retrieval.state import Search, Term


@dataclass(frozen=True, slots=True)
class Subject:
    """A record with its row, how often it holds each term of the question, and its cosine, None where it has none."""

    row: Mapping[str, Any]
    counts: Mapping[str, int]
    cosine: float | None

    @property
    def record_no(self) -> int:
        """The record's internal number."""
        number: int = self.row["record_no"]
        return number

    @property
    def erased(self) -> bool:
        """Whether its content was erased."""
        return self.row["text"] is None


async def read_subjects(scope: Scope, search: Search, record_ids: Sequence[UUID]) -> list[Subject]:
    """Those of the records that the tenant has, in no order. Raises nothing for others."""
    plan = search.planned
    asked = sorted({term.term for term in plan.terms})
    rows = await scope.rows("replay.records", record_ids=list(record_ids), terms=asked, known_at=plan.known_at)
    cosines: dict[int, float] = {}
    if plan.vector is not None and search.tools.model_no is not None and rows:
        found = await scope.rows(
            "replay.cosines",
            model=search.tools.model_no,
            records=[row["record_no"] for row in rows],
            vector=plan.vector_text,
        )
        pinned = search.pinned
        cosines = {
            row["record_no"]: row["cosine"]
            for row in found
            if pinned is None or not pinned.lacked_vector(row["record_no"])
        }
    return [
        Subject(
            row=dict(row),
            counts=dict(zip(row["terms"], row["counts"], strict=True)),
            cosine=cosines.get(row["record_no"]),
        )
        for row in rows
    ]


def bm25_terms(search: Search, subject: Subject) -> dict[str, float]:
    """What each term adds to the record's lexical score, for those that the lexical index looks at."""
    plan, parameters = search.planned, search.profile.lexical
    looked_at: Sequence[Term] = rarest(plan.held)
    if plan.within is not None:
        looked_at = plan.held[: parameters.most_terms]
    return {
        term.term: term_score(
            term.weight * term.idf,
            subject.counts.get(term.term, 0),
            subject.row["length"] or 0,
            plan.mean_length,
            parameters.k1,
            parameters.b,
        )
        for term in looked_at
    }
