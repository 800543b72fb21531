"""Replay: a stored query run made again against the log as it was then, and why the two differ where they do."""

import time
from collections.abc import Callable
from importlib.metadata import version

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.model.identifiers import RECORD, public_id
from muniment.model.query_runs import Replay, ReplayDifference, ReplayedHit
from muniment.retrieval.again import search_again
from muniment.retrieval.budget import fit_budget
from muniment.retrieval.routes.registry import ROUTES
from muniment.retrieval.runs import StoredRun, read_run
from muniment.retrieval.stages import Stage, search_stages
from muniment.retrieval.state import Search, StageRecord, Tools, ranking
from muniment.retrieval.storing import KEPT

_SAME = 1e-4  # what is left of a score where the same numbers are added in another order


async def replay_run(database: Database, tools: Tools, tenant: int, query_id: str) -> Replay:
    """Makes the run again by what it kept, and compares the hits. Nothing is stored. Raises ``run.not_found``,
    and ``run.failed`` for a run without a result.

    A record sealed after the run's commit never shows. It may take longer than the run: it counts and measures all.
    """
    start = time.perf_counter()
    async with database.scope(tenant, seconds=tools.settings.statement_timeout, snapshot=True) as scope:
        run = await read_run(scope, query_id)
        if run.error is not None:
            raise MunimentError("run.failed", f"the run failed ({run.error}): it has no result to compare with")
        search = await search_again(scope, tools, tenant, run)
        try:
            await _go_through(search)
        finally:
            if search.embedding is not None:
                search.embedding.cancel()
        hits = _side_by_side(run, search)
        identical = all(_same(hit) for hit in hits)
        erased = await _erased(run, search)
        differences = [] if identical else _differences(run, search, erased)
    return Replay(
        query_id=run.public_id,
        known_at=run.row["known_at"],
        identical=identical,
        partial=run.row["partial"],
        hits=hits,
        differences=differences,
        notes=[note for note in search.notes if note not in run.row["notes"]],
        duration_ms=(time.perf_counter() - start) * 1000,
    )


async def _go_through(search: Search) -> None:
    stages = search_stages()
    if search.mode == "query":
        stages = (*stages, Stage("budget", fit_budget))
    for stage in stages:
        if search.runs(stage.name):
            decision, detail = await stage.run(search)
            search.trace_stage(StageRecord(stage.name, decision, detail, 0.0))


def _side_by_side(run: StoredRun, search: Search) -> list[ReplayedHit]:
    """The hits of both, those of the run first."""
    now = {
        item.candidate.record_no: (rank, item.candidate.hit_score, item.record_id)
        for rank, item in enumerate(search.evidence, start=1)
    }
    hits = []
    for hit in run.hits:
        rank, score, _ = now.pop(hit["record_no"], (None, None, None))
        hits.append(
            ReplayedHit(
                record_id=public_id(RECORD, hit["record_id"]),
                rank=hit["rank"],
                score=hit["score"],
                replayed_rank=rank,
                replayed_score=score,
            )
        )
    for rank, score, record_id in now.values():
        hits.append(
            ReplayedHit(
                record_id=public_id(RECORD, record_id), rank=None, score=None, replayed_rank=rank, replayed_score=score
            )
        )
    return hits


def _same(hit: ReplayedHit) -> bool:
    if hit.score is None or hit.replayed_score is None:
        return False
    return hit.rank == hit.replayed_rank and abs(hit.score - hit.replayed_score) <= _SAME


async def _erased(run: StoredRun, search: Search) -> list[int]:
    """Those of the records that the run ranked whose content was erased since."""
    ranked = run.ranked
    if ranked is None:
        return []
    rows = await search.scope.rows("replay.erased", records=list(ranked.records))
    return [row["record_no"] for row in rows]


def _differences(run: StoredRun, search: Search, erased: list[int]) -> list[ReplayDifference]:
    """All that is known to make a difference between the run and its replay; the last resort is to say so."""
    pinned, parameters = search.pinned, run.row["parameters"]
    assert pinned is not None
    found: list[ReplayDifference] = []

    def add(reason: str, detail: str, record_id: str | None = None) -> None:
        found.append(ReplayDifference.model_validate({"reason": reason, "detail": detail, "record_id": record_id}))

    shown = {hit["record_no"]: hit for hit in run.hits}
    for record_no in erased:
        if record_no in shown:
            add("erased", "a hit was erased since", public_id(RECORD, shown[record_no]["record_id"]))
    others = sum(record_no not in shown for record_no in erased)
    if others:
        add("erased", f"{others} of the records that were ranked beside the hits were erased since")
    if run.profile is None:
        used = parameters["profile"]
        name = f"{used['name']}, version {used['version']}"
        add("profile", f"the constants of the profile {name}, are not to be had any more: others stand in for them")
    if any("counted anew" in note for note in search.notes):
        add("statistics", "some terms were counted anew, since the run does not have their statistics")
    if pinned.lacking is None and pinned.pending:
        add("vectors", f"{pinned.pending} records had no vector then; which they were was not kept")
    policy = search.planned.policy
    if policy.commit > pinned.head:
        add("policy", f"the policy was set anew since, by commit {policy.commit}: it may withhold other words")
    if run.row["partial"]:
        add("partial", "the deadline cut the run short: " + "; ".join(run.row["notes"]))
    if parameters.get("program") != version("muniment"):
        add("program", f"the run was made by muniment {parameters.get('program')}, the replay by {version('muniment')}")
    _compare_routes(run, search, add, erased=bool(erased))
    if not found:
        add("unexplained", "nothing that is known to change a ranking has changed")
    return found


def _compare_routes(run: StoredRun, search: Search, add: Callable[[str, str], None], *, erased: bool) -> None:
    """What a route found otherwise than then, for the causes that only show so."""
    assert search.pinned is not None
    then = {name: list(stage.records) for name, stage in run.routes.items()}
    now = {name: ranking(found)[:KEPT] for name, found in search.found.items()}
    differ = {name: then.get(name, []) != now.get(name, []) for name in then | now}
    semantic = run.routes.get("semantic")
    if semantic is not None and semantic.records and not search.found.get("semantic"):
        model = run.row["parameters"].get("embedding_model")
        add("embedding_model", f"there are no vectors of the model {model} any more")
    elif differ.get("semantic") and not erased and not search.pinned.exact:
        add("approximate_index", "the nearest vectors were found by an approximate index then, and are measured now")
    cap = search.profile.lexical.capped(search.planned.documents)
    if differ.get("lexical") and not erased and _may_hold(search) > cap:
        add("approximate_index", f"the lexical search scored no more than {cap} records then, and scores all now")
    derived = [route.name for route in ROUTES if route.support is not None and differ.get(route.name)]
    if derived and not erased:
        what = ", ".join(derived)
        add("derived", f"{what}: derived or compiled anew since: it is done some time after a record is sealed")
    if differ.get("graph") and not derived and not differ.get("lexical") and not differ.get("semantic"):
        add("edges", "edges to these records were stored since: they are made some time after a record is sealed")


def _may_hold(search: Search) -> int:
    """How many records the lexical search may have had to score: no more than hold a term, none where filters left few,
    since those are all measured."""
    return 0 if search.planned.within is not None else sum(term.documents for term in search.planned.held)
