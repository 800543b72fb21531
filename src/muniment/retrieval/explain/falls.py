"""Where a record that was not returned fell: at which step, why, and by how much."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from muniment.database.pool import Scope
from muniment.model.query_runs import Fall, RouteShare
from muniment.retrieval.again import Retold
from muniment.retrieval.explain.subject import Subject
from muniment.retrieval.filtering import filter_of
from muniment.retrieval.runs import StoredRun, reasons


@dataclass(frozen=True, slots=True)
class Fallen:
    """The step at which a record fell, why, in words, and by how much. ``twin`` is the hit that says the same."""

    stage: str
    fell: Fall
    detail: str
    numbers: dict[str, float] = field(default_factory=dict)
    twin: int | None = None


async def find_fall(
    scope: Scope, run: StoredRun, retold: Retold, subject: Subject, routes: list[RouteShare], score: float | None
) -> Fallen:
    """The first step that the record did not pass. ``score`` is what it was ranked by, None where it was not."""
    hidden = _hidden(run, retold, subject)
    if hidden is not None:
        return hidden
    ranked = run.ranked
    if ranked is not None and subject.record_no in ranked.records:
        return _ranked(run, subject)
    filtered = await _filtered(scope, retold, subject)
    if filtered is not None:
        return filtered
    if subject.erased:
        return Fallen("ground", "erased", "its content was erased since: what it would have scored cannot be told")
    if any(share.rank is not None for share in routes):
        return Fallen("rank", "not_ranked", _not_ranked(run))
    if score is not None:
        return Fallen("rank", "not_ranked", "it is a neighbour of what was found, and was not among those ranked then")
    return _not_found(routes)


def _hidden(run: StoredRun, retold: Retold, subject: Subject) -> Fallen | None:
    """Why the run could not see the record: another namespace, or a commit at which it did not count."""
    row, known_at = subject.row, run.row["known_at"]
    if row["space_id"] not in retold.search.planned.spaces:
        asked = retold.search.namespace
        named = (
            (name, getattr(asked, name), row[name])
            for name in ("project_id", "user_id", "agent_id")
            if getattr(asked, name) is not None and getattr(asked, name) != row[name]
        )
        differ = "; ".join(f"{name} is {has!r}, the question asked {wants!r}" for name, wants, has in named)
        return Fallen("plan", "not_visible", f"its namespace is not among those asked: {differ}")
    sealed, closed = row["live_from_commit"], row["live_to_commit"]
    if sealed is None or sealed > known_at:
        numbers = {"known_at": float(known_at)} | ({} if sealed is None else {"sealed_at": float(sealed)})
        when = "is not sealed yet" if sealed is None else f"was sealed by commit {sealed}"
        return Fallen("plan", "not_sealed_yet", f"it {when}; the run saw the log up to commit {known_at}", numbers)
    if closed is not None and closed <= known_at and subject.erased:
        detail = f"its content was erased, and it ceased to count with commit {closed}; the run saw commit {known_at}"
        return Fallen("plan", "erased", detail, {"known_at": float(known_at), "closed_at": float(closed)})
    if closed is not None and closed <= known_at:
        detail = f"it was closed by commit {closed}; the run saw the log as of commit {known_at}"
        return Fallen("plan", "closed", detail, {"known_at": float(known_at), "closed_at": float(closed)})
    return None


async def _filtered(scope: Scope, retold: Retold, subject: Subject) -> Fallen | None:
    """Which conditions of the request the record does not meet."""
    narrowing = filter_of(retold.search.request)
    if narrowing is None:
        return None
    conditions: list[dict[str, Any]] = []
    for name, wanted in json.loads(narrowing).items():
        conditions += [{name: [each]} for each in wanted] if name == "metadata" else [{name: wanted}]
    rows = await scope.rows("replay.fits", filters=[json.dumps(each) for each in conditions], record=subject.record_no)
    fits = {row["place"] for row in rows}
    failed = [each for place, each in enumerate(conditions) if place not in fits]
    if not failed:
        return None
    detail = "; ".join(_unmet(next(iter(each)), next(iter(each.values())), subject.row) for each in failed)
    return Fallen("plan", "filtered_out", detail, {"conditions": len(conditions), "unmet": len(failed)})


def _unmet(name: str, wanted: Any, row: Mapping[str, Any]) -> str:
    if name == "metadata":
        condition = {key: value for key, value in wanted[0].items() if key not in ("key", "forms")}
        key = wanted[0]["key"]
        has = (row["payload"] or {}).get(key)
        return f"the filter by metadata {key} wants {json.dumps(condition)}; the record has {json.dumps(has)}"
    if name in ("time", "as_of") and row["tells"]:  # when things happened goes before when they were said
        return f"the filter by {name} wants {json.dumps(wanted)}; the record tells of {json.dumps(row['tells'])}"
    columns = {"group": "group_key", "session": "session_id", "source": "source_key"}
    has = row.get(columns.get(name, "said_at" if name in ("time", "said", "as_of") else name))
    shown = has.isoformat() if isinstance(has, datetime) else has
    return f"the filter by {name} wants {json.dumps(wanted)}; the record has {json.dumps(shown)}"


def _ranked(run: StoredRun, subject: Subject) -> Fallen:
    """Why a record of the ranked list is not among the hits."""
    assert run.ranked is not None
    rank = list(run.ranked.records).index(subject.record_no) + 1
    score = run.ranked.scores[rank - 1]
    numbers: dict[str, float] = {"rank": rank, "score": score, "candidates": len(run.ranked.records)}
    ground = run.stage("ground")
    if ground is not None and subject.record_no in ground.detail.get("duplicates", ()):
        twins = dict(zip(ground.detail["duplicates"], ground.detail.get("same_as", ()), strict=False))
        detail = f"it ranked {rank} with {score:.4f} and says the same, word by word, as a better hit"
        return Fallen("ground", "duplicate", detail, numbers, twins.get(subject.record_no))
    if ground is not None and subject.record_no in ground.detail.get("routing", ()):
        detail = f"it ranked {rank}, but it is derived: the records that it rests on are candidates in its place"
        return Fallen("ground", "routing", detail, numbers)
    if ground is not None and subject.record_no in ground.detail.get("withheld", ()):
        detail = f"it ranked {rank}, by words alone that the policy withholds"
        return Fallen("ground", "withheld", detail, numbers)
    if ground is not None and subject.record_no in ground.detail.get("not_live", ()):
        return Fallen("ground", "unread", f"it ranked {rank}, and its content was not there any more", numbers)
    budget = run.stage("budget")
    dropped = {} if budget is None else budget.detail.get("dropped", {})
    if budget is not None and any(subject.record_no in records for records in dropped.values()):
        told, spent = _spent(budget.detail, subject.record_no)
        detail = f"it ranked {rank}, but {reasons(run)[subject.record_no]}{told}"
        return Fallen("budget", "over_budget", detail, numbers | spent)
    if not run.hits:
        return Fallen("ground", "below_the_cut", f"it ranked {rank}; the run has no hits", numbers)
    last = run.hits[-1]
    numbers |= {"last_hit_score": last["score"], "short_by": last["score"] - score, "hits": len(run.hits)}
    detail = (
        f"it ranked {rank} of {len(run.ranked.records)} with {score:.4f}; the last of {len(run.hits)} hits"
        f" has {last['score']:.4f}, {last['score'] - score:.4f} more"
    )
    return Fallen("ground", "below_the_cut", detail, numbers)


def _spent(detail: Mapping[str, Any], record_no: int) -> tuple[str, dict[str, float]]:
    """By how much the record went over the budget, in words and numbers; nothing of a run that did not keep it."""
    why = next(reason for reason, records in detail["dropped"].items() if record_no in records)
    if "spent" not in detail:
        return "", {}
    used, size = detail["spent"][why][detail["dropped"][why].index(record_no)]
    limit = detail["most"][why]
    unit = "records" if why == "group_records" else "tokens"
    words = f": {used} of {limit} {unit} were used, and it would have taken {size} more, {used + size - limit} too many"
    return words, {"used": used, "limit": limit, "needed": size, "over_by": used + size - limit}


def _not_ranked(run: StoredRun) -> str:
    kept = 0 if run.ranked is None else len(run.ranked.records)
    if run.stage("deep_recall") is not None:
        return f"a route found it, but the wider search went on with the best {kept} only"
    return f"a route found it, but it is not among the {kept} that were ranked, as far as they were kept"


def _not_found(routes: list[RouteShare]) -> Fallen:
    """No route listed it: the shortest way it came short is the one to tell first."""
    numbers = {f"{share.route}_short_by": share.short_by for share in routes if share.short_by is not None}
    numbers |= {f"{share.route}_score": share.score for share in routes if share.score is not None}
    told = "; ".join(f"{share.route}: {share.because}" for share in routes)
    return Fallen("routes", "not_found", f"no route found it. {told}", numbers)
