"""The facts that rankings need of all candidates at once, fetched in two statements."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from muniment.database.vectors import vector_text
from muniment.retrieval.formulas.coverage import Places
from muniment.retrieval.state import Search, Term, ranking

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(slots=True)
class Facts:
    """Arrays over the candidates (n) and the question's terms (m), in the order of record numbers.

    ``cosines`` is 0 where a record has no vector, as ``has_vector`` says. ``said`` is local to where it was said.
    """

    records: list[int]
    terms: list[Term]
    places: Places
    counts: Floats
    cosines: Floats
    has_vector: Flags
    asks: Flags
    speakers: list[str | None]
    roles: list[str | None]
    said: list[datetime | None]
    kinds: list[str]
    trust: list[float]

    def __len__(self) -> int:
        return len(self.records)


async def gather(search: Search) -> Facts:
    """The facts of every candidate that a route found, and of the neighbours that the profile lets in."""
    plan, profile = search.planned, search.profile
    terms = plan.terms[: profile.lexical.most_terms]
    records = sorted({item.record_no for found in search.found.values() for item in found})
    anchors = {
        r for name in ("lexical", "semantic") for r in ranking(search.found.get(name, []))[: profile.neighbours.anchors]
    }
    async with search.tools.database.scope(search.tenant, seconds=profile.seconds) as scope:
        rows: Sequence[Any] = await scope.rows(
            "retrieval.describe",
            spaces=plan.spaces,
            records=records,
            anchors=sorted(anchors),
            reach=profile.neighbours.reach,
            known_at=plan.known_at,
            terms=[term.term for term in terms],
        )
        if plan.within is not None:
            within = set(plan.within)
            rows = [row for row in rows if row["record_no"] in within]
        known = {item.record_no: item.score for item in search.found.get("semantic", [])}
        missing = [row["record_no"] for row in rows if row["record_no"] not in known]
        if plan.vector is not None and missing:
            found = await scope.rows(
                "vector.cosines", model=search.tools.model_no, records=missing, vector=vector_text(plan.vector)
            )
            known |= {row["record_no"]: row["cosine"] for row in found}
    return _facts(rows, terms, known)


def _facts(rows: Sequence[Any], terms: list[Term], cosines: dict[int, float]) -> Facts:
    records = [row["record_no"] for row in rows]
    counts = [row["counts"] or [0] * len(terms) for row in rows]
    return Facts(
        records=records,
        terms=terms,
        places=Places(
            np.array([row["group_no"] for row in rows], dtype=np.int64),
            np.array([row["position"] for row in rows], dtype=np.int64),
            np.array([row["length"] for row in rows], dtype=np.float64),
        ),
        counts=np.array(counts, dtype=np.float64).reshape(len(rows), len(terms)),
        cosines=np.array([cosines.get(record_no, 0.0) for record_no in records], dtype=np.float64),
        has_vector=np.array([record_no in cosines for record_no in records], dtype=np.bool_),
        asks=np.array([row["asks"] for row in rows], dtype=np.bool_),
        speakers=[row["speaker"] for row in rows],
        roles=[row["role"] for row in rows],
        said=[_local(row["said_at"], row["said_offset"]) for row in rows],
        kinds=[row["kind"] for row in rows],
        trust=[row["trust"] for row in rows],
    )


def _local(said_at: datetime | None, offset: int | None) -> datetime | None:
    if said_at is None:
        return None
    zone = said_at.utcoffset() or timedelta()
    return said_at.replace(tzinfo=None) - zone + timedelta(minutes=offset or 0)
