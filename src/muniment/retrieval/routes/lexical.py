"""The lexical route: BM25 over the exact tokens and stems of the question (the specification's section 1)."""

from typing import Any

from muniment.retrieval.pinning import rarest
from muniment.retrieval.routes.route import Route
from muniment.retrieval.state import Found, Search


async def find(search: Search) -> list[Found]:
    """The best records by BM25, with the plan's statistics: those of now, or those that a run told again has kept.

    A narrowed search measures each record that the filters leave instead.
    """
    plan, parameters = search.planned, search.profile.lexical
    if not plan.held:
        return []
    narrowed = plan.within is not None
    terms = plan.held[: parameters.most_terms] if narrowed else rarest(plan.held)
    given: dict[str, Any] = {
        "terms": [term.term for term in terms],
        "weights": [term.weight * term.idf for term in terms],
        "mean_length": plan.mean_length,
        "k1": parameters.k1,
        "b": parameters.b,
        "limit": parameters.wanted(search.top_k),
    }
    if narrowed:
        rows = await search.scope.rows("retrieval.lexical_narrowed", records=plan.within, **given)
    else:
        rows = await search.scope.rows(
            "retrieval.lexical",
            spaces=plan.spaces,
            documents=[term.documents for term in terms],
            known_at=plan.known_at,
            cap=parameters.capped(plan.documents),
            **given,
        )
    return [Found(row["record_no"], row["score"]) for row in rows]


ROUTE = Route("lexical", find)
