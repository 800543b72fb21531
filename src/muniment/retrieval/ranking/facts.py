"""The facts that rankings need of all candidates at once, fetched in one statement."""

from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from muniment.retrieval.formulas.coverage import Places
from muniment.retrieval.state import Pinned, Search, Term, ranking

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
_EPOCH = date(1970, 1, 1).toordinal()


@dataclass(slots=True)
class Facts:
    """Arrays over the candidates (n) and the question's terms (m), in the order of record numbers.

    ``cosines`` is 0 where a record has no vector, as ``has_vector`` says. ``days`` are local to where it was said.
    ``named`` and ``by_user`` say whether a speaker whom the question names, or the role user, said it.
    """

    records: list[int]
    terms: list[Term]
    places: Places
    counts: Floats
    cosines: Floats
    has_vector: Flags
    asks: Flags
    named: Flags
    by_user: Flags
    days: list[date | None]
    kinds: list[str]
    modalities: list[str]
    trust: Floats

    def __len__(self) -> int:
        return len(self.records)


async def gather(search: Search) -> Facts:
    """The facts of every candidate that a route found, and of the neighbours that the profile lets in."""
    plan, profile = search.planned, search.profile
    terms = plan.terms[: profile.lexical.most_terms]
    found = {item.record_no for route in search.found.values() for item in route}
    anchors = {
        record_no
        for route in ("lexical", "semantic")
        for record_no in ranking(search.found.get(route, []))[: profile.neighbours.anchors]
    }
    lexical = ranking(search.found.get("lexical", []))
    complete = "lexical" in search.found and len(lexical) < profile.lexical.wanted(search.top_k)
    row = await search.scope.row(
        "retrieval.describe",
        spaces=plan.spaces,
        records=sorted(found),
        anchors=sorted(anchors),
        reach=profile.neighbours.reach,
        known_at=plan.known_at,
        counted=lexical if complete else None,
        terms=[term.term for term in terms],
        speakers=sorted(plan.named),
        model=search.tools.model_no,
        vector=plan.vector_text,
    )
    assert row is not None
    facts = _facts(row, terms, plan.within)
    if search.pinned is not None:
        _take_vectors_away(facts, search.pinned)
    return facts


def _take_vectors_away(facts: Facts, pinned: Pinned) -> None:
    """Those of records that had none when the search was first made."""
    lacking = np.array([pinned.lacked_vector(record_no) for record_no in facts.records], dtype=np.bool_)
    facts.cosines[lacking] = 0.0
    facts.has_vector[lacking] = False


def _facts(row: Any, terms: list[Term], within: list[int] | None) -> Facts:
    counts = np.zeros((len(row["records"]), len(terms)))
    candidates = np.array(row["count_candidates"], dtype=np.int64) - 1
    counts[candidates, np.array(row["count_terms"], dtype=np.int64) - 1] = row["counts"]
    cosines = np.array(row["cosines"], dtype=np.float64)  # null becomes nan
    records = np.array(row["records"], dtype=np.int64)
    keep = np.ones(len(records), dtype=np.bool_) if within is None else np.isin(records, within)
    kept = np.flatnonzero(keep)
    has_vector = ~np.isnan(cosines)
    return Facts(
        records=records[keep].tolist(),
        terms=terms,
        places=Places(
            np.array(row["groups"], dtype=np.int64)[keep],
            np.array(row["positions"], dtype=np.int64)[keep],
            np.array(row["lengths"], dtype=np.float64)[keep],
        ),
        counts=counts[keep],
        cosines=np.where(has_vector, cosines, 0.0)[keep],
        has_vector=has_vector[keep],
        asks=np.array(row["asks"], dtype=np.bool_)[keep],
        named=np.array(row["named"], dtype=np.bool_)[keep],
        by_user=np.array(row["by_user"], dtype=np.bool_)[keep],
        days=[None if row["days"][i] is None else date.fromordinal(_EPOCH + row["days"][i]) for i in kept.tolist()],
        kinds=[row["kinds"][i] for i in kept.tolist()],
        modalities=[row["modalities"][i] for i in kept.tolist()],
        trust=np.array(row["trusts"], dtype=np.float64)[keep],
    )
