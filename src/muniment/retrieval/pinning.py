"""What a query run keeps so that its search can be made again as it was: statistics, vectors, and what had none."""

import base64
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from muniment.retrieval.formulas.bm25 import idf
from muniment.retrieval.lessening import lessened
from muniment.retrieval.state import Pinned, Plan, Search, Term

_MOST_TERMS = 64  # that a search weighs: the rarest by the lexical index, the most telling by the ranking
_MOST_VECTORS = 4
_MOST_SPEAKERS = 256
MOST_LACKING = 1000
"""How many records without a vector are kept with a run; where there are more, which they were is not known."""


def in_order(terms: Iterable[Term]) -> list[Term]:
    """The terms of a question, the most telling first."""
    return sorted(terms, key=lambda term: (-term.weight * term.idf, term.term))


def rarest(held: Sequence[Term]) -> list[Term]:
    """Those of the terms that the lexical index looks at."""
    return sorted(held, key=lambda term: (term.documents, term.term))[:_MOST_TERMS]


def counts_to_keep(terms: Sequence[Term]) -> dict[str, int]:
    """How many visible documents hold each term, for those that a search weighs; ``terms`` are in order."""
    kept = [*terms[:_MOST_TERMS], *rarest([term for term in terms if term.documents > 0])]
    return {term.term: term.documents for term in kept}


def pinned_values(search: Search) -> dict[str, Any]:
    """What is kept beside the statistics, as JSON values. Vectors are rounded as the database rounds them."""
    plan = search.planned
    return {
        "total_length": plan.total_length,
        "whole": len(search.counted) >= len(plan.terms),
        "speakers": plan.speakers[:_MOST_SPEAKERS],
        "held": list(search.held),
        "vectors": [[text, _packed(vector)] for text, vector in list(search.vectors.items())[:_MOST_VECTORS]],
        "searched": plan.searched if plan.searched != search.question else None,
        "embedded_text": plan.embedded_text,
        "hops": plan.hops,
        "exact": plan.documents <= search.tools.settings.vector_exact_limit,
        "model": search.tools.model_no,
        "language": search.language,
    }


def pinned_from(statistics: Mapping[str, Any], kept: Mapping[str, Any]) -> Pinned:
    """What ``pinned_values`` kept, with the run's statistics."""
    documents = statistics["documents"]
    return Pinned(
        head=statistics["head"],
        documents=documents,
        total_length=kept.get("total_length", round(statistics["mean_length"] * documents)),
        pending=documents - statistics["embedded"],
        terms=statistics["terms"],
        whole=kept.get("whole", True),
        speakers=kept.get("speakers", []),
        held=kept.get("held", []),
        vectors={text: _unpacked(packed) for text, packed in kept.get("vectors", [])},
        lacking=_ranges(kept["lacking"]) if kept.get("lacking") is not None else None,
        exact=kept.get("exact", True),
        language=kept.get("language"),
    )


async def weigh_again(search: Search, plan: Plan, pinned: Pinned) -> None:
    """Fills the plan's terms with the statistics of the first time.

    A term that was not counted then is left out where only some were kept, since it did not count; otherwise it is
    counted now, and the search notes it.
    """
    language = search.language
    rows = await search.scope.rows("replay.question_terms", question=plan.searched, language=language)
    weights = {row["term"]: row["weight"] for row in rows}
    weights = lessened(weights, search.question, plan.times, plan.named.values(), search.profile.lexical.lesser)
    plan.documents, plan.total_length = pinned.documents, pinned.total_length
    counts = {term: pinned.terms[term] for term in weights if term in pinned.terms}
    lacking = sorted(set(weights) - set(counts))
    if lacking and pinned.whole:
        counted = await search.scope.rows("replay.statistics", spaces=plan.spaces, terms=lacking)
        counts |= {row["term"]: int(row["documents"]) for row in counted}
        search.note(f"{len(lacking)} terms were counted anew: the query run does not have them")
    plan.terms = in_order(Term(term, weights[term], n, idf(plan.documents, n)) for term, n in counts.items())
    search.counted |= counts_to_keep(plan.terms)


def multirange(ranges: Sequence[tuple[int, int]] | None) -> str:
    """Ranges of record numbers as PostgreSQL writes an int8multirange."""
    return "{" + ",".join(f"[{first},{end})" for first, end in ranges or ()) + "}"


def _ranges(text: str) -> list[tuple[int, int]]:
    bounds = [part.strip("[]{}() ") for part in text.split(",")] if text != "{}" else []
    return [(int(first), int(end)) for first, end in zip(bounds[::2], bounds[1::2], strict=True)]


def _packed(vector: Sequence[float]) -> str:
    rounded = np.array(vector, dtype=np.float32).astype("<f2")
    return base64.b64encode(rounded.tobytes()).decode("ascii")


def _unpacked(packed: str) -> list[float]:
    vector: list[float] = np.frombuffer(base64.b64decode(packed), dtype="<f2").astype(np.float64).tolist()
    return vector
