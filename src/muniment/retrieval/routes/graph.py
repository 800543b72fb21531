"""The graph route: a walk along three kinds of edges from the best of the earlier routes (section 4)."""

from muniment.retrieval.routes.route import Route
from muniment.retrieval.state import Found, Search


async def find(search: Search) -> list[Found]:
    """What two hops reach from the top of each earlier route, best path first; the seeds themselves score 1."""
    plan, parameters = search.planned, search.profile.graph
    seeds = {item.record_no for found in search.found.values() for item in found[: parameters.seeds]}
    if not seeds:
        return []
    rows = await search.scope.rows(
        "retrieval.graph",
        spaces=plan.spaces,
        seeds=sorted(seeds),
        known_at=plan.known_at,
        hops=parameters.hops if plan.hops is None else plan.hops,
        frontier=parameters.frontier,
    )
    within = None if plan.within is None else set(plan.within)
    return [Found(row["record_no"], row["score"]) for row in rows if within is None or row["record_no"] in within]


ROUTE = Route("graph", find)
