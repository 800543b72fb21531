"""Routing hits: what leads to log records and is none itself never reaches the answer (section 8).

Claims, cards, group summaries and profiles are derived from the log and lie outside it. A route that finds such
documents names, by a ``Support``, how the log records are found on which each rests; right after the route has run,
they take the documents' place in its list, so that nothing after it ever sees one.

A record of the kind ``fact`` is a log record: it has an id, a locator and a leaf in the history, and the answer's model
sees raw sources and facts. So a fact that the lexical or semantic route finds may be cited. Where a routing route finds
a record of the log, it stands there for the records it rests on, and is not read as evidence in that search even if
another route lists it too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from muniment.retrieval.formulas.supporting import support_score
from muniment.retrieval.state import Found, Search


@dataclass(frozen=True, slots=True)
class Support:
    """How a routing hit's records are found.

    The statement takes ``hits``, ``spaces``, ``known_at`` and ``most``, and gives rows of ``routing`` and
    ``record_no``, all live and visible. ``of_records`` says that hits are derived records of the log.
    """

    statement: str
    of_records: bool


EVIDENCE = Support("supporting.evidence", of_records=True)
"""Of a derived record: what it rests on by the table of evidence."""
GROUP = Support("supporting.group", of_records=False)
"""Of a group's summary, whose number is the group's: the records of the group."""


async def replace_by_support(
    search: Search, support: Support, hits: Sequence[Found]
) -> tuple[list[Found], dict[int, list[int]]]:
    """The log records that stand in for the routing hits, best first, and which stand in for each hit.

    Each hit gives its best records (8 in the specification); one that is given by several is listed once. A hit whose
    records are all closed or invisible gives none. Two statements.
    """
    weights, plan = search.profile.support, search.planned
    numbers = [item.record_no for item in hits[: weights.hits]]
    if support.of_records:
        search.routed.update(item.record_no for item in hits)
    if not numbers:
        return [], {}
    rows = await search.scope.rows(
        support.statement, hits=numbers, spaces=plan.spaces, known_at=plan.known_at, most=weights.looked_at
    )
    within = None if plan.within is None else set(plan.within)
    bases: dict[int, list[int]] = {number: [] for number in numbers}
    for row in rows:
        record_no = row["record_no"]
        if (within is None or record_no in within) and record_no not in search.routed:
            bases[row["routing"]].append(record_no)
    scores = await _scores(search, sorted({record_no for each in bases.values() for record_no in each}))
    replaced = {number: _best(each, scores)[: weights.best] for number, each in bases.items()}
    chosen = {record_no for each in replaced.values() for record_no in each}
    return [Found(record_no, scores[record_no]) for record_no in _best(chosen, scores)], replaced


def _best(records: Sequence[int] | set[int], scores: Mapping[int, float]) -> list[int]:
    return sorted(records, key=lambda record_no: (-scores[record_no], record_no))


async def _scores(search: Search, records: list[int]) -> dict[int, float]:
    if not records:
        return {}
    plan = search.planned
    terms = [term.term for term in plan.terms[: search.profile.lexical.most_terms]]
    rows = await search.scope.rows(
        "supporting.measure",
        records=records,
        terms=terms,
        model=search.tools.model_no,
        vector=plan.vector_text,
    )
    return {row["record_no"]: _score(search, dict(row), len(terms)) for row in rows}


def _score(search: Search, row: Mapping[str, Any], terms: int) -> float:
    lacked = search.pinned is not None and search.pinned.lacked_vector(row["record_no"])
    return support_score(
        search.profile.support,
        cosine=0.0 if lacked else row["cosine"],
        overlap=row["held"] / terms if terms else 0.0,
    )
