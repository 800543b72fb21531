"""The stages that run the routes and fuse what they found."""

import time
from typing import Any

from muniment.database.pool import translated_errors
from muniment.errors import MunimentError
from muniment.retrieval.formulas.fusion import reciprocal_ranks
from muniment.retrieval.plan import settle_vector
from muniment.retrieval.routes.registry import ROUTES
from muniment.retrieval.routes.route import Route
from muniment.retrieval.state import Search, StageRecord, ranking

_TRACED = 100
_LEFT_OUT = "left out"


async def run_routes(search: Search) -> tuple[str, dict[str, Any]]:
    """Runs the routes one after the other. One that ran out of time is left out, and the result says so.

    Each runs under a savepoint, so that its failure leaves the others their transaction. Raises ``store.busy`` when
    every route that had work ran out of time.
    """
    left_out: list[str] = []
    for route in ROUTES:
        outcome = await _run(search, route)
        search.trace.append(outcome)
        if outcome.decision == _LEFT_OUT:
            left_out.append(route.name)
    if left_out and not search.found:
        raise MunimentError("store.busy", "no route of the search answered in time", routes=left_out)
    counts = ", ".join(f"{name} {len(found)}" for name, found in search.found.items())
    return counts or "nothing", {"left_out": left_out}


async def _run(search: Search, route: Route) -> StageRecord:
    start = time.perf_counter()
    if route.needs_vector:
        await settle_vector(search)
    idle = route.idle_because(search)
    if idle is not None:
        return StageRecord(route.name, "idle", {"because": idle}, (time.perf_counter() - start) * 1000)
    try:
        with translated_errors():
            async with search.scope.connection.begin_nested():
                found = await route.find(search)
    except MunimentError as error:
        if error.code != "store.busy":
            raise
        search.note(f"the {route.name} route was left out, it took too long: the result may lack records")
        return StageRecord(route.name, _LEFT_OUT, {"error": error.code}, (time.perf_counter() - start) * 1000)
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
