"""Query runs: every search and question is stored with its steps, and can be read again."""

import asyncio
import json
from collections import deque
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import BaseModel

from muniment.database.numbers import allocate
from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.model.identifiers import QUERY, RECORD, parse_id, public_id
from muniment.model.result import RouteScore
from muniment.retrieval.result import answerability_share, route_scores
from muniment.retrieval.state import Search

_BLOCK = 64


class QueryStage(BaseModel):
    """One step of a query run: what it decided, in numbers, and how long it took."""

    name: str
    decision: str | None
    detail: dict[str, Any]
    duration_ms: float


class QueryHit(BaseModel):
    """A hit as it was given. ``text`` is the record's content now, None where it was erased since."""

    rank: int
    score: float
    record_id: str
    routes: dict[str, Any]
    cited: bool
    text: str | None


class QueryRunSummary(BaseModel):
    """A query run in a list."""

    id: str
    mode: str
    question: str
    abstain: bool | None
    score: float | None
    started_at: datetime
    duration_ms: float


class QueryRun(QueryRunSummary):
    """A query run whole: its parameters, the statistics it ranked by, its steps and its hits."""

    parameters: dict[str, Any]
    known_at: int
    statistics: dict[str, Any]
    answer: str | None
    stages: list[QueryStage]
    hits: list[QueryHit]


class QueryRunPage(BaseModel):
    """Query runs, the latest first; ``next`` is the cursor of the page that follows, None at the end."""

    runs: list[QueryRunSummary]
    next: str | None = None


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
    cited = {citation.record_id for citation in search.citations}
    routes = route_scores(search)
    await search.scope.execute(
        "query_runs.insert",
        query_no=query_no,
        space=await _space_of(search),
        query_id=search.query_id,
        mode=search.mode,
        question=search.question,
        parameters=json.dumps(_parameters(search)),
        known_at=search.planned.known_at,
        statistics=json.dumps(_statistics(search)),
        answer=search.answer,
        abstain=search.abstain,
        score=answerability_share(search),
        started_at=search.started_at,
        duration_ms=search.elapsed_ms(),
        stage_names=[stage.name for stage in search.trace],
        decisions=[stage.decision for stage in search.trace],
        details=[json.dumps(stage.detail) for stage in search.trace],
        durations=[stage.duration_ms for stage in search.trace],
        records=[item.candidate.record_no for item in search.evidence],
        scores=[item.candidate.hit_score for item in search.evidence],
        routes=[_routes(routes[item.candidate.record_no]) for item in search.evidence],
        cited=[public_id(RECORD, item.record_id) in cited for item in search.evidence],
    )


async def _space_of(search: Search) -> int:
    """The space a run belongs to: the only one it saw, else that of exactly its namespace, else none (0)."""
    spaces = search.planned.spaces
    if len(spaces) == 1:
        return spaces[0]
    namespace = search.namespace
    space: int = await search.scope.value(
        "query_runs.space", project=namespace.project_id, user=namespace.user_id, agent=namespace.agent_id
    )
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
        "language": profile.lexical.language,
        "embedding_model": embedder.name if embedder is not None else None,
    }


def _statistics(search: Search) -> dict[str, Any]:
    plan = search.planned
    return {
        "head": plan.head,
        "spaces": len(plan.spaces),
        "documents": plan.documents,
        "mean_length": plan.mean_length,
        "terms": {term.term: term.documents for term in plan.terms[: search.profile.lexical.most_terms]},
        "embedded": plan.documents - plan.pending,
    }


async def get_query_run(database: Database, tenant: int, query_id: str) -> QueryRun:
    """The run under its public id, with its steps and hits; raises ``run.not_found``."""
    uuid = parse_id(QUERY, query_id)
    async with database.scope(tenant) as scope:
        row = None if uuid is None else await scope.row("query_runs.get", query_id=uuid)
        if row is None:
            raise MunimentError("run.not_found", "there is no such query run", query_id=query_id)
        stages = await scope.rows("query_runs.stages", query_no=row["query_no"])
        hits = await scope.rows("query_runs.hits", query_no=row["query_no"])
    return QueryRun(
        **_summary(row),
        parameters=row["parameters"],
        known_at=row["known_at"],
        statistics=row["statistics"],
        answer=row["answer"],
        stages=[
            QueryStage(name=s["name"], decision=s["decision"], detail=s["detail"], duration_ms=s["duration_ms"])
            for s in stages
        ],
        hits=[
            QueryHit(
                rank=h["rank"],
                score=h["score"],
                record_id=public_id(RECORD, h["record_id"]),
                routes=h["routes"],
                cited=h["cited"],
                text=h["text"],
            )
            for h in hits
        ],
    )


async def list_query_runs(
    database: Database, tenant: int, *, limit: int = 50, cursor: str | None = None
) -> QueryRunPage:
    """The tenant's query runs, the latest first; raises ``input.invalid`` for a limit or cursor that cannot be."""
    if not 1 <= limit <= 1000:
        raise MunimentError("input.invalid", "limit must lie between 1 and 1000", limit=1000)
    before = 2**62 if cursor is None else int(cursor) if cursor.isdecimal() and len(cursor) < 19 else None
    if before is None:
        raise MunimentError("input.invalid", "the cursor is not one of ours")
    async with database.scope(tenant) as scope:
        rows = await scope.rows("query_runs.list", before=before, limit=limit + 1)
    page = rows[:limit]
    return QueryRunPage(
        runs=[QueryRunSummary(**_summary(row)) for row in page],
        next=str(page[-1]["query_no"]) if len(rows) > limit else None,
    )


def _summary(row: Any) -> dict[str, Any]:
    identifier: UUID = row["query_id"]
    return {
        "id": public_id(QUERY, identifier),
        "mode": row["mode"],
        "question": row["question"],
        "abstain": row["abstain"],
        "score": row["score"],
        "started_at": row["started_at"],
        "duration_ms": row["duration_ms"],
    }
