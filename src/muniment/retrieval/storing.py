"""Storing query runs: every search and question is kept with its steps, and with what a replay needs."""

import asyncio
import json
from collections import deque
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from muniment.database.numbers import allocate
from muniment.database.pool import Database, Scope
from muniment.database.served import note_served
from muniment.errors import MunimentError
from muniment.model.identifiers import RECORD, public_id
from muniment.model.result import RouteScore
from muniment.retrieval.pinning import MOST_LACKING, pinned_values
from muniment.retrieval.result import answerability_share, route_scores
from muniment.retrieval.state import Candidate, Search, StageRecord

_BLOCK = 64
KEPT = 1000  # records of a list that the result came from
_TRACED = 100  # of one that was given up
_VERSION = version("muniment")


class QueryNumbers:
    """Numbers of query runs, taken in blocks, so that most questions take none from the database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._free: dict[int, deque[int]] = {}
        self._lock = asyncio.Lock()

    async def next(self, tenant: int) -> int:
        """A fresh number of the tenant."""
        async with self._lock:
            free = self._free.setdefault(tenant, deque())
            if not free:
                free.extend(await allocate(self._database, tenant, "query", _BLOCK))
            return free.popleft()


async def store_run(search: Search, query_no: int) -> None:
    """Writes the run, its stages and its hits into the search's transaction."""
    plan = search.planned
    await _store(
        search,
        query_no,
        parameters=_parameters(search),
        known_at=plan.known_at,
        statistics=_statistics(search),
        answer=search.answer,
        abstain=search.abstain,
        score=answerability_share(search),
        pinned=pinned_values(search),
        pending=plan.pending,
        spaces=plan.spaces,
        **_hits(search),
    )
    if search.tools.settings.served_retention_days > 0 and search.pinned is None:
        await note_served(search.scope, _served(search))


async def refuse_erased(search: Search) -> None:
    """Refuses a result of a replica that has not seen an erasure yet: what is erased is served to nobody any more.

    Raises ``store.busy``: asked again a moment later, the question is answered without it.
    """
    numbers = sorted({item.candidate.record_no for item in search.evidence})
    if await search.scope.value("replica.kept", records=numbers) < len(numbers):
        raise MunimentError("store.busy", "something that was found is being erased: ask again")


def _served(search: Search) -> list[tuple[int, str]]:
    """The texts that the result shows, with the numbers of the records that they came from."""
    if search.mode == "search":
        return [(item.candidate.record_no, item.text) for item in search.evidence]
    if search.abstain or search.answer is None:
        return []
    cited = {citation.record_id for citation in search.citations}
    items = [item for item in search.evidence if public_id(RECORD, item.record_id) in cited]
    return [(item.candidate.record_no, text) for item in items for text in (item.text, search.answer)]


async def store_failure(scope: Scope, search: Search, query_no: int, code: str) -> None:
    """Writes a run that failed, with the steps that it had taken, in a transaction of its own: its hits are none."""
    search.scope, search.candidates = scope, []
    await _store(
        search,
        query_no,
        parameters=_parameters(search) | {"error": code},
        known_at=0 if search.plan is None else search.plan.known_at,
        statistics={},
        answer=None,
        abstain=None,
        score=None,
        pinned={},
        pending=0,
        spaces=[],
        records=[],
        scores=[],
        routes=[],
        cited=[],
    )


async def _store(
    search: Search,
    query_no: int,
    *,
    parameters: Mapping[str, Any],
    statistics: Mapping[str, Any],
    pinned: Mapping[str, Any],
    **outcome: Any,
) -> None:
    """Writes the run with the steps that it took, and what came of it."""
    await search.scope.execute(
        "query_runs.insert",
        query_no=query_no,
        space=await _space_of(search),
        query_id=search.query_id,
        mode=search.mode,
        question=search.question,
        parameters=json.dumps(parameters),
        statistics=json.dumps(statistics),
        pinned=json.dumps(pinned),
        started_at=search.started_at,
        duration_ms=search.elapsed_ms(),
        partial=search.partial,
        notes=search.notes,
        most_lacking=MOST_LACKING,
        **_stages(search),
        **outcome,
    )


def _stages(search: Search) -> dict[str, Any]:
    """The steps as columns. A list that the result came from is kept whole, up to 1,000 records."""
    lists, scores, details = [], [], []
    for stage in search.trace:
        listed, final = stage.listed or (), _in_force(search, stage)
        kept = listed[: KEPT if final else _TRACED]
        shown = [item.hit_score if isinstance(item, Candidate) else item.score for item in kept]
        lists.append("{" + str([item.record_no for item in kept])[1:-1] + "}")
        scores.append("{" + ("%.7g," * len(shown))[:-1] % tuple(shown) + "}")  # one call is faster than many
        details.append(json.dumps(stage.detail | {"in_force": True} if final else stage.detail))
    return {
        "stage_names": [stage.name for stage in search.trace],
        "decisions": [stage.decision for stage in search.trace],
        "details": details,
        "durations": [stage.duration_ms for stage in search.trace],
        "lists": lists,
        "list_scores": scores,
    }


def _in_force(search: Search, stage: StageRecord) -> bool:
    """Whether the result came from what the step found: wider searches of the gate may have taken its place."""
    if stage.listed is None:
        return False
    return stage.listed is search.candidates or stage.listed is search.found.get(stage.name)


def _hits(search: Search) -> dict[str, Sequence[Any]]:
    cited = {citation.record_id for citation in search.citations}
    routes = route_scores(search)
    return {
        "records": [item.candidate.record_no for item in search.evidence],
        "scores": [item.candidate.hit_score for item in search.evidence],
        "routes": [_routes(routes[item.candidate.record_no]) for item in search.evidence],
        "cited": [public_id(RECORD, item.record_id) in cited for item in search.evidence],
    }


async def _space_of(search: Search) -> int:
    """The space a run belongs to: the only one it saw, else that of exactly its namespace, else none (0)."""
    spaces = [] if search.plan is None else search.plan.spaces
    if len(spaces) == 1:
        return spaces[0]
    namespace = search.namespace
    space: int = await search.scope.value(
        "query_runs.space", project=namespace.project_id, user=namespace.user_id, agent=namespace.agent_id
    )
    if search.scope.pinned and space not in search.scope.pinned:
        return search.scope.pinned[0]  # the credential's own: a pinned scope writes nothing of the whole tenant's
    return space


def _routes(routes: Mapping[str, RouteScore]) -> str:
    return json.dumps({name: {"rank": found.rank, "score": round(found.score, 6)} for name, found in routes.items()})


def _parameters(search: Search) -> dict[str, Any]:
    profile = search.profile
    embedder = search.tools.embedder
    return {
        "profile": {"name": profile.name, "version": profile.version, "digest": profile.digest()},
        "top_k": search.top_k,
        "request": search.request.model_dump(mode="json", exclude_defaults=True, exclude={"query", "question"}),
        "asked_at": search.asked_at.isoformat(),
        "language": search.language,
        "embedding_model": embedder.name if embedder is not None else None,
        "program": _VERSION,
    }


def _statistics(search: Search) -> dict[str, Any]:
    plan = search.planned
    return {
        "head": plan.head,
        "spaces": len(plan.spaces),
        "documents": plan.documents,
        "mean_length": plan.mean_length,
        "terms": search.counted,
        "embedded": plan.documents - plan.pending,
    }
