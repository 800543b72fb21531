"""The semantic route: nearest neighbours of the question's vector by cosine (the specification's section 2)."""

from muniment.database.vectors import vector_text
from muniment.retrieval.routes.route import Route
from muniment.retrieval.state import Found, Search


async def find(search: Search) -> list[Found]:
    """The nearest records, exactly where the visible set is small. Raises where the search has no vector."""
    plan = search.planned
    assert plan.vector is not None
    wanted = search.profile.semantic.wanted(search.top_k)
    vector, model = vector_text(plan.vector), search.tools.model_no
    if plan.within is not None:
        rows = await search.scope.rows(
            "retrieval.semantic_narrowed", records=plan.within, model=model, vector=vector, limit=wanted
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
