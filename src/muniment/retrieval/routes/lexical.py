"""The lexical route: BM25 over the exact tokens and stems of the question (the specification's section 1)."""

from muniment.retrieval.pinning import rarest
from muniment.retrieval.routes.route import Route
from muniment.retrieval.state import Found, Search


async def find(search: Search) -> list[Found]:
    """The best records by BM25. A narrowed search measures each record of the group or session instead."""
    plan, parameters = search.planned, search.profile.lexical
    if not plan.held:
        return []
    if plan.within is not None:
        terms = plan.held[: parameters.most_terms]
        rows = await search.scope.rows(
            "retrieval.lexical_narrowed",
            records=plan.within,
            terms=[term.term for term in terms],
            weights=[term.weight * term.idf for term in terms],
            mean_length=plan.mean_length,
            k1=parameters.k1,
            b=parameters.b,
            limit=parameters.wanted(search.top_k),
        )
    elif search.pinned is not None:
        terms = rarest(plan.held)
        rows = await search.scope.rows(
            "replay.lexical",
            spaces=plan.spaces,
            terms=[term.term for term in terms],
            weights=[term.weight * term.idf for term in terms],
            mean_length=plan.mean_length,
            known_at=plan.known_at,
            k1=parameters.k1,
            b=parameters.b,
            limit=parameters.wanted(search.top_k),
        )
    else:
        rows = await search.scope.rows(
            "retrieval.lexical",
            spaces=plan.spaces,
            question=plan.searched,
            language=parameters.language,
            known_at=plan.known_at,
            k1=parameters.k1,
            b=parameters.b,
            limit=parameters.wanted(search.top_k),
            cap=parameters.cap,
        )
    return [Found(row["record_no"], row["score"]) for row in rows]


ROUTE = Route("lexical", find)
