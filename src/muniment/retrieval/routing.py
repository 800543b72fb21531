"""The stages that run the routes and fuse what they found."""

import asyncio
import time
from typing import Any

from muniment.errors import MunimentError
from muniment.retrieval.formulas.fusion import reciprocal_ranks
from muniment.retrieval.routes.registry import ROUTES
from muniment.retrieval.routes.route import Route
from muniment.retrieval.state import Search, StageRecord, ranking

_TRACED = 100
_SURVIVABLE = frozenset({"store.busy", "provider.unavailable", "provider.invalid"})


async def run_routes(search: Search) -> tuple[str, dict[str, Any]]:
    """Runs the routes wave by wave. A route that ran out of time is left out, and the result says so.

    Raises ``store.busy`` when every route that had work ran out of time.
    """
    failed: list[str] = []
    for wave in sorted({route.wave for route in ROUTES}):
        routes = [route for route in ROUTES if route.wave == wave]
        outcomes = await asyncio.gather(*(_run(search, route) for route in routes))
        for route, outcome in zip(routes, outcomes, strict=True):
            search.trace.append(outcome)
            if outcome.decision == "left out":
                failed.append(route.name)
    if failed and not search.found:
        raise MunimentError("store.busy", "no route of the search answered in time", routes=failed)
    counts = {name: len(found) for name, found in search.found.items()}
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "nothing", {"left_out": failed}


async def _run(search: Search, route: Route) -> StageRecord:
    start = time.perf_counter()
    idle = route.idle_because(search)
    if idle is not None:
        return StageRecord(route.name, "idle", {"because": idle}, 0.0)
    try:
        found = await route.find(search)
    except MunimentError as error:
        if error.code not in _SURVIVABLE:
            raise
        search.note(f"the {route.name} route was left out ({error.code}): the result may lack records")
        return StageRecord(route.name, "left out", {"error": error.code}, (time.perf_counter() - start) * 1000)
    search.found[route.name] = found
    detail = {
        "found": len(found),
        "records": [item.record_no for item in found[:_TRACED]],
        "scores": [round(item.score, 6) for item in found[:_TRACED]],
    }
    return StageRecord(route.name, f"{len(found)} found", detail, (time.perf_counter() - start) * 1000)


def fuse(search: Search) -> dict[int, float]:
    """Reciprocal rank fusion of what the routes found, by record."""
    parameters = search.profile.fusion
    rankings = {name: ranking(found) for name, found in search.found.items()}
    return reciprocal_ranks(rankings, parameters.weights, parameters.constant)
