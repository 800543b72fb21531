"""Query runs, read again: in a list, whole, and step by step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from muniment.database.pool import Database, Scope
from muniment.errors import MunimentError
from muniment.model.identifiers import QUERY, RECORD, parse_id, public_id
from muniment.model.query_runs import (
    QueryHit,
    QueryRun,
    QueryRunPage,
    QueryRunSummary,
    QueryStage,
    TracedCandidate,
)
from muniment.providers.withholding import withholding
from muniment.retrieval.profile import Profile
from muniment.retrieval.stored_profiles import stored_version

_BUDGETS = {
    "group_records": "its group had given as many records as it may",
    "group_tokens": "its group had used up its tokens",
    "tokens": "the tokens of an answer were used up",
}


@dataclass(frozen=True, slots=True)
class StoredStage:
    """A step as it is stored, with the numbers of the records that it found or ranked, best first."""

    number: int
    name: str
    decision: str | None
    detail: Mapping[str, Any]
    duration_ms: float
    records: Sequence[int]
    scores: Sequence[float]

    @property
    def in_force(self) -> bool:
        """Whether the result came from this list."""
        return bool(self.detail.get("in_force"))


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A query run as it is stored. ``profile`` is None where its constants are not to be had any more."""

    row: Mapping[str, Any]
    profile: Profile | None
    stages: Sequence[StoredStage]
    hits: Sequence[Mapping[str, Any]]

    @property
    def public_id(self) -> str:
        """The run's public id."""
        return public_id(QUERY, self.row["query_id"])

    @property
    def error(self) -> str | None:
        """The code of the error that the run failed with, None where it did not fail."""
        code: str | None = self.row["parameters"].get("error")
        return code

    @property
    def request(self) -> Mapping[str, Any]:
        """The request, without the question and without defaults."""
        request: Mapping[str, Any] = self.row["parameters"].get("request", {})
        return request

    def stage(self, name: str) -> StoredStage | None:
        """The last step of this name, preferring one whose list was in force."""
        named = [stage for stage in self.stages if stage.name == name]
        return next((stage for stage in reversed(named) if stage.in_force), named[-1] if named else None)

    @property
    def ranked(self) -> StoredStage | None:
        """The ranked list that the hits were taken from."""
        ranks = [stage for stage in self.stages if stage.in_force and not _is_route(stage.name)]
        return ranks[-1] if ranks else None

    @property
    def routes(self) -> Mapping[str, StoredStage]:
        """What the routes found, as it was fused, by their names."""
        return {stage.name: stage for stage in self.stages if stage.in_force and _is_route(stage.name)}


def _is_route(name: str) -> bool:
    return name not in ("rank", "deep_recall") and not name.startswith("refine ")


async def read_run(scope: Scope, query_id: str, *, stage: int | None = None, lists: bool = True) -> StoredRun:
    """The run under its public id, with the lists of its steps, or of one step; raises ``run.not_found``."""
    uuid = parse_id(QUERY, query_id)
    row = None if uuid is None else await scope.row("query_runs.get", query_id=uuid)
    if row is None:
        raise MunimentError("run.not_found", "there is no such query run", query_id=query_id)
    number = row["query_no"]
    rows = await scope.rows("query_runs.lists", query_no=number, stage=stage) if lists else ()
    used = row["parameters"]["profile"]
    return StoredRun(
        row=dict(row),
        profile=await stored_version(scope, used["name"], used["version"], used["digest"]),
        stages=[
            StoredStage(
                s["stage_no"], s["name"], s["decision"], s["detail"], s["duration_ms"], s["records"], s["scores"]
            )
            for s in rows
        ],
        hits=[dict(hit) for hit in await scope.rows("query_runs.hits", query_no=number)],
    )


def _known_at(row: Mapping[str, Any]) -> int | None:
    """The commit as of which was searched; None where a run failed before that was settled."""
    return None if not row["known_at"] and "error" in row["parameters"] else row["known_at"]


async def get_query_run(database: Database, tenant: int, query_id: str, *, details: bool = True) -> QueryRun:
    """The run under its public id, with its steps and hits; raises ``run.not_found``."""
    async with database.scope(tenant) as scope:
        run = await read_run(scope, query_id, lists=False)
        stages = await scope.rows("query_runs.stages", query_no=run.row["query_no"])
        screen = await withholding(scope)
    hits = run.hits if screen is None else (await screen.rows(run.hits))[0]
    row = run.row
    return QueryRun(
        **_summary(row),
        parameters=row["parameters"],
        known_at=_known_at(row),
        statistics=row["statistics"],
        answer=row["answer"],
        notes=row["notes"],
        stages=[
            QueryStage(
                number=s["stage_no"],
                name=s["name"],
                decision=s["decision"],
                duration_ms=s["duration_ms"],
                listed=s["listed"],
                detail=s["detail"] if details else None,
            )
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


async def get_query_stage(database: Database, tenant: int, query_id: str, number: int) -> QueryStage:
    """A step of a run with its numbers and its candidates; raises ``run.not_found``, ``run.stage_not_found``."""
    async with database.scope(tenant) as scope:
        run = await read_run(scope, query_id)
        stage = next((stage for stage in run.stages if stage.number == number), None)
        if stage is None:
            raise MunimentError(
                "run.stage_not_found", f"the run has steps 1 to {len(run.stages)}", last=len(run.stages)
            )
        named = {
            row["record_no"]: public_id(RECORD, row["record_id"])
            for row in await scope.rows("query_runs.record_ids", records=list(stage.records))
        }
    hits = {hit["record_no"]: hit["rank"] for hit in run.hits}
    dropped = reasons(run)
    weight = _weight(run, stage)
    constant = 60.0 if run.profile is None else run.profile.fusion.constant
    candidates = [
        TracedCandidate(
            record_id=named[record_no],
            rank=rank,
            score=score,
            weight=weight,
            contribution=None if weight is None else weight / (constant + rank),
            hit=hits.get(record_no),
            dropped_because=None if record_no in hits else dropped.get(record_no, "its rank lies below the cut"),
        )
        for rank, (record_no, score) in enumerate(zip(stage.records, stage.scores, strict=True), start=1)
        if record_no in named
    ]
    return QueryStage(
        number=stage.number,
        name=stage.name,
        decision=stage.decision,
        duration_ms=stage.duration_ms,
        listed=len(stage.records),
        detail=dict(stage.detail),
        candidates=candidates,
    )


def reasons(run: StoredRun) -> dict[int, str]:
    """Why records that were ranked high enough are not among the hits, by their numbers."""
    found: dict[int, str] = {}
    if (ground := run.stage("ground")) is not None:
        found |= dict.fromkeys(ground.detail.get("duplicates", ()), "it says the same as a better hit")
        found |= dict.fromkeys(ground.detail.get("withheld", ()), "words alone that the policy withholds led to it")
        found |= dict.fromkeys(ground.detail.get("not_live", ()), "it did not count at the commit, or was erased")
    if (budget := run.stage("budget")) is not None:
        for reason, records in budget.detail.get("dropped", {}).items():
            found |= dict.fromkeys(records, _BUDGETS[reason])
    return found


def weights_of(run: StoredRun) -> dict[str, float] | None:
    """The weight of each route in the run's fusion, None where its profile is not to be had."""
    plan = run.stage("plan")
    if run.profile is None or plan is None:
        return None
    return run.profile.fusion.weights_under(plan.detail.get("balance", ""))


def _weight(run: StoredRun, stage: StoredStage) -> float | None:
    weights = weights_of(run)
    return weights.get(stage.name, 1.0) if weights is not None and stage.name in run.routes else None


_LAST = UUID(int=2**128 - 1)


async def list_query_runs(
    database: Database, tenant: int, *, limit: int = 50, cursor: str | None = None
) -> QueryRunPage:
    """The tenant's query runs, the latest first; raises ``input.invalid`` for a limit or cursor that cannot be."""
    if not 1 <= limit <= 1000:
        raise MunimentError("input.invalid", "limit must lie between 1 and 1000", limit=1000)
    before = _LAST if cursor is None else parse_id(QUERY, cursor)
    if before is None:
        raise MunimentError("input.invalid", "the cursor is not one of ours")
    async with database.scope(tenant) as scope:
        rows = await scope.rows("query_runs.list", before=before, limit=limit + 1)
    page = rows[:limit]
    return QueryRunPage(
        runs=[QueryRunSummary(**_summary(row)) for row in page],
        next=public_id(QUERY, page[-1]["query_id"]) if len(rows) > limit else None,
    )


def _summary(row: Any) -> dict[str, Any]:
    identifier: UUID = row["query_id"]
    error = row["parameters"].get("error")
    return {
        "id": public_id(QUERY, identifier),
        "mode": row["mode"],
        "question": row["question"],
        "abstain": row["abstain"],
        "score": row["score"],
        "started_at": row["started_at"],
        "duration_ms": row["duration_ms"],
        "profile": row["parameters"]["profile"]["name"],
        "partial": row["partial"],
        "state": "failed" if error is not None else "partial" if row["partial"] else "succeeded",
        "error": error,
    }
