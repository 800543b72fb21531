"""The stages that run the routes and fuse what they found."""

import time
from typing import Any

from muniment.retrieval.deadline import ROUTES_SHARE
from muniment.retrieval.formulas.fusion import reciprocal_ranks
from muniment.retrieval.guarding import guarded
from muniment.retrieval.plan import settle_vector
from muniment.retrieval.routes.registry import ROUTES
from muniment.retrieval.routes.route import Route
from muniment.retrieval.state import Found, Search, StageRecord, ranking
from muniment.retrieval.supporting import replace_by_support

_LEFT_OUT = "left out"


async def run_routes(search: Search) -> tuple[str, dict[str, Any]]:
    """Runs the routes one after the other. One that ran out of time is left out, and the result says so."""
    left_out: list[str] = []
    for route in ROUTES:
        if not search.runs(route.name):
            continue
        outcome = await _run(search, route)
        search.trace_stage(outcome)
        if outcome.decision == _LEFT_OUT:
            left_out.append(route.name)
    _note_switched_off(search)
    counts = ", ".join(f"{name} {len(found)}" for name, found in search.found.items())
    return counts or "nothing", {"left_out": left_out}


async def _run(search: Search, route: Route) -> StageRecord:
    start = time.perf_counter()
    late = search.deadline.passed(ROUTES_SHARE)
    if route.needs_vector and not late:
        await settle_vector(search)
    idle = None if route.needs_vector and late else route.idle_because(search)
    if idle is not None:
        return StageRecord(route.name, "idle", {"because": idle}, (time.perf_counter() - start) * 1000)
    if late:
        return _left_out(search, route, "the time was up", start)
    outcome = await guarded(search, ROUTES_SHARE, lambda: _find(search, route))
    if outcome is None:
        return _left_out(search, route, "it took too long", start)
    found, detail = outcome
    search.found[route.name] = found
    spent = (time.perf_counter() - start) * 1000
    return StageRecord(route.name, f"{len(found)} found", {"found": len(found)} | detail, spent, found)


def _note_switched_off(search: Search) -> None:
    """Says that nothing was found because of what the request leaves out, or may not have been."""
    off = [route.name for route in ROUTES if not search.runs(route.name)]
    if len(off) == len(ROUTES):
        search.note("without switches every route off: nothing was searched")
    elif off and search.planned.spaces and not any(search.found.values()):
        search.note(f"no route found anything; without switches off {', '.join(off)}")


async def _find(search: Search, route: Route) -> tuple[list[Found], dict[str, Any]]:
    """What the route found, all of it log records, and which of them stand in for which routing hit."""
    found = await route.find(search)
    if route.support is None:
        places = {"inside": search.inside, "partly": search.partly, "around": search.around}
        return found, {name: sorted(each) for name, each in places.items() if each and route.name == "temporal"}
    found, replaced = await replace_by_support(search, route.support, found)
    detail: dict[str, Any] = {"replaced": [{"hit": hit, "by": records} for hit, records in replaced.items()]}
    learned = {"telling": sorted(search.telling), "outdated": sorted(search.outdated)}
    return found, detail | {name: records for name, records in learned.items() if records}


def _left_out(search: Search, route: Route, why: str, start: float) -> StageRecord:
    search.cut_short(f"the {route.name} route was left out, {why}: the result may lack records")
    return StageRecord(route.name, _LEFT_OUT, {"because": why}, (time.perf_counter() - start) * 1000)


def fuse(search: Search) -> dict[int, float]:
    """Reciprocal rank fusion of what the routes found, by record."""
    parameters = search.profile.fusion
    rankings = {name: ranking(found) for name, found in search.found.items()}
    weights = parameters.weights_under(search.planned.outlook.balance)
    return reciprocal_ranks(rankings, weights, parameters.constant)
