"""The semantic route: nearest neighbours of the question's vector by cosine (the specification's section 2)."""

from muniment.retrieval.pinning import multirange
from muniment.retrieval.routes.route import Route
from muniment.retrieval.state import Found, Search


async def find(search: Search) -> list[Found]:
    """The nearest records, exactly where the visible set is small. Raises where the search has no vector."""
    plan = search.planned
    assert plan.vector is not None
    wanted = search.profile.semantic.wanted(search.top_k)
    vector, model = plan.vector_text, search.tools.model_no
    pinned = search.pinned
    if plan.within is not None:
        within = plan.within if pinned is None else [each for each in plan.within if not pinned.lacked_vector(each)]
        rows = await search.scope.rows(
            "retrieval.semantic_narrowed", records=within, model=model, vector=vector, limit=wanted
        )
    elif pinned is not None:
        rows = await search.scope.rows(
            "replay.semantic",
            spaces=plan.spaces,
            model=model,
            vector=vector,
            known_at=plan.known_at,
            limit=wanted,
            lacking=multirange(pinned.lacking),
        )
    else:
        rows = await search.scope.rows(
            "vector.search",
            spaces=plan.spaces,
            model=model,
            vector=vector,
            known_at=plan.known_at,
            limit=wanted,
            exact=plan.documents <= search.tools.settings.vector_exact_limit,
        )
    return [Found(row["record_no"], row["cosine"]) for row in rows]


ROUTE = Route("semantic", find, needs_vector=True)
