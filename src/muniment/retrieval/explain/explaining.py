"""Explanations of a stored run: of every hit, or of any record of the log."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from muniment.database.pool import Database, Scope
from muniment.errors import MunimentError
from muniment.model.identifiers import RECORD, parse_id, public_id
from muniment.model.query_runs import Explanation, RunExplanation
from muniment.retrieval.again import Retold, retell
from muniment.retrieval.explain.falls import find_fall
from muniment.retrieval.explain.shares import route_shares, score_parts, term_shares
from muniment.retrieval.explain.subject import Subject, read_subjects
from muniment.retrieval.runs import StoredRun, read_run
from muniment.retrieval.state import Tools

_SAME = 1e-4


async def explain(
    database: Database, tools: Tools, tenant: int, query_id: str, record_id: str | None = None
) -> RunExplanation:
    """Why each hit of the run was returned; with ``record_id``, why that record of the log was, or where it fell.

    Raises ``run.not_found`` and ``record.not_found``. Nothing is stored.
    """
    async with database.scope(tenant, seconds=tools.settings.statement_timeout, snapshot=True) as scope:
        run = await read_run(scope, query_id)
        if run.error is not None:
            return _failed(run, run.error, record_id)
        retold = await retell(scope, tools, tenant, run)
        told = RunExplanation(
            query_id=run.public_id,
            mode=run.row["mode"],
            question=run.row["question"],
            hits=[],
            notes=[*run.row["notes"], *_caveats(run)],
        )
        if record_id is None:
            told.hits = await _hits(scope, run, retold)
        else:
            told.record = await _record(scope, run, retold, record_id)
    return told


def _failed(run: StoredRun, code: str, record_id: str | None) -> RunExplanation:
    """Of a run that failed: how far it had come, and that no record came of it."""
    query_id, question = run.public_id, run.row["question"]
    stage = run.stages[-1].name if run.stages else None
    behind = f"after the step {stage}" if stage else "before its first step had ended"
    detail = f"the run failed ({code}) {behind}: nothing was returned"
    record = None
    if record_id is not None:
        record = Explanation(
            query_id=query_id, record_id=record_id, question=question,
            returned=False, stage=stage, fell="run_failed", detail=detail,
        )  # fmt: skip
    notes = [*run.row["notes"], detail]
    return RunExplanation(
        query_id=query_id, mode=run.row["mode"], question=question, hits=[], record=record, notes=notes
    )


async def _hits(scope: Scope, run: StoredRun, retold: Retold) -> list[Explanation]:
    found = await read_subjects(scope, retold.search, [hit["record_id"] for hit in run.hits])
    subjects = {subject.record_no: subject for subject in found}
    return [_returned(run, retold, subjects[hit["record_no"]], hit) for hit in run.hits]


async def _record(scope: Scope, run: StoredRun, retold: Retold, record_id: str) -> Explanation:
    uuid = parse_id(RECORD, record_id)
    subjects = [] if uuid is None else await read_subjects(scope, retold.search, [uuid])
    if not subjects:
        raise MunimentError("record.not_found", "there is no such record", record_id=record_id)
    hit = next((hit for hit in run.hits if hit["record_no"] == subjects[0].record_no), None)
    if hit is not None:
        return _returned(run, retold, subjects[0], hit)
    return await _fallen(scope, run, retold, subjects[0])


def _returned(run: StoredRun, retold: Retold, subject: Subject, hit: Mapping[str, Any]) -> Explanation:
    again, parts = score_parts(run, retold, subject)
    notes = _caveats(run)
    if again is None or abs(again - hit["score"]) > _SAME:
        shown = "cannot be computed again" if again is None else f"is {again:.4f} when computed again"
        notes.append(f"the score {shown}: what stood beside it was erased since, or the profile is gone")
    listed = [share.route for share in route_shares(run, retold, subject) if share.rank is not None]
    where = ", ".join(listed) if listed else "no route: it stands next to what was found"
    gone = "; its content was erased since" if subject.erased else ""
    return Explanation(
        **_common(run, retold, subject),
        returned=True,
        rank=hit["rank"],
        detail=f"hit {hit['rank']} of {len(run.hits)} with {hit['score']:.4f}; found by {where}{gone}",
        numbers={"rank": hit["rank"], "score": hit["score"]},
        score=hit["score"] if again is None or abs(again - hit["score"]) > _SAME else again,
        parts=parts,
        notes=notes,
    )


async def _fallen(scope: Scope, run: StoredRun, retold: Retold, subject: Subject) -> Explanation:
    common = _common(run, retold, subject)
    score, parts = score_parts(run, retold, subject)
    fallen = await find_fall(scope, run, retold, subject, common["routes"], score)
    seen = fallen.stage != "plan"
    if not seen:
        common["routes"] = []
    return Explanation(
        **common,
        returned=False,
        stage=fallen.stage,
        fell=fallen.fell,
        detail=fallen.detail,
        numbers=fallen.numbers,
        score=score if seen else None,
        parts=parts if seen else [],
        duplicate_of=None if fallen.twin is None else await _public(scope, fallen.twin),
        notes=_caveats(run),
    )


def _common(run: StoredRun, retold: Retold, subject: Subject) -> dict[str, Any]:
    return {
        "query_id": run.public_id,
        "record_id": public_id(RECORD, subject.row["record_id"]),
        "question": run.row["question"],
        "routes": route_shares(run, retold, subject),
        "terms": term_shares(retold, subject),
        "erased": subject.erased,
        "text": subject.row["text"],
    }


async def _public(scope: Scope, record_no: int) -> str | None:
    rows = await scope.rows("query_runs.record_ids", records=[record_no])
    identifiers: list[UUID] = [row["record_id"] for row in rows]
    return public_id(RECORD, identifiers[0]) if identifiers else None


def _caveats(run: StoredRun) -> list[str]:
    used = run.row["parameters"]["profile"]
    if run.profile is not None:
        return []
    return [f"the constants of the profile {used['name']}, version {used['version']}, are not to be had any more"]
