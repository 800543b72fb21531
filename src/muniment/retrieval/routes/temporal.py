"""The temporal route: what happened near the time that the question names (the specification's section 3)."""

from muniment.extraction.time.questions import asks_when, window_unit, without_times
from muniment.retrieval.routes.route import Route
from muniment.retrieval.state import Found, Search, ranking

_INSIDE = 0.999


async def find(search: Search) -> list[Found]:
    """The records whose times are near the one that the question names, with what the earlier routes found best.

    A question that asks when and names no time scores only the latter; any other question finds nothing here.
    """
    plan, parameters = search.planned, search.profile.temporal
    language = search.language
    span, when = plan.time, asks_when(search.question)
    if span is None and not when:
        return []
    window = (None, None) if span is None else span.window
    also = {record_no for found in search.found.values() for record_no in ranking(found)[: parameters.also]}
    rows = await search.scope.rows(
        "temporal.search",
        spaces=plan.spaces,
        known_at=plan.known_at,
        text=without_times(search.question, plan.times),
        language=language,
        from_at=window[0],
        to_at=window[1],
        unit=1.0 if span is None else window_unit(span).total_seconds(),
        asks_when=when,
        weights=parameters.weights,
        near=parameters.near,
        also=sorted(also),
        within=plan.within,
        limit=parameters.limit,
    )
    if span is not None:
        search.inside = {row["record_no"] for row in rows if row["proximity"] >= _INSIDE}
    return [Found(row["record_no"], row["score"]) for row in rows]


ROUTE = Route("temporal", find)
