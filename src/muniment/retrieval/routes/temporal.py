"""The temporal route: what happened near the time that the question names (the specification's section 3)."""

from muniment.extraction.time.placing import Place, RecordTime, best_place
from muniment.extraction.time.questions import asks_when, window_unit, without_times
from muniment.extraction.time.spans import TimeSpan
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
        await _place(search, span, [row["record_no"] for row in rows if row["proximity"] < _INSIDE])
    return [Found(row["record_no"], row["score"]) for row in rows]


async def _place(search: Search, span: TimeSpan, records: list[int]) -> None:
    """Says of the records whose moments are not all in the window whether their times lie in it as calendars show them,
    reach into it, or are far longer."""
    times: dict[int, list[RecordTime]] = {}
    for row in await search.scope.rows("temporal.times", records=records) if records else []:
        time = RecordTime(row["from_at"], row["to_at"], row["grain"], row["said_offset"] or 0)
        times.setdefault(row["record_no"], []).append(time)
    places = {record_no: best_place(each, span) for record_no, each in times.items()}
    search.inside |= {record_no for record_no, place in places.items() if place is Place.INSIDE}
    search.partly = {record_no for record_no, place in places.items() if place is Place.PARTLY}
    search.around = {record_no for record_no, place in places.items() if place is Place.AROUND}


ROUTE = Route("temporal", find)
