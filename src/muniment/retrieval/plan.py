"""The first stage: from a question to a plan of terms, visible spaces, the commit it is about, and a vector."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from muniment.database.policies import policy_beside
from muniment.database.pool import Row
from muniment.database.spaces import visible_spaces
from muniment.errors import MunimentError
from muniment.extraction.time.questions import question_times
from muniment.extraction.time.unread import unread_time
from muniment.model.filters import MODALITIES
from muniment.model.times import commit_known
from muniment.retrieval.deadline import ROUTES_SHARE
from muniment.retrieval.filtering import filter_of
from muniment.retrieval.formulas.bm25 import idf
from muniment.retrieval.guarding import guarded
from muniment.retrieval.lessening import lessened, without_relative_times
from muniment.retrieval.participants import speakers_named, without_names
from muniment.retrieval.pinning import counts_to_keep, in_order, weigh_again
from muniment.retrieval.planning.registry import PLANNERS
from muniment.retrieval.profile import profile_named
from muniment.retrieval.state import Plan, Search, Term
from muniment.retrieval.stored_profiles import from_row

_MOST_SPEAKERS = 2000
_TOLD_BY_WORDS = "english"  # as the language of a profile


async def make_plan(search: Search) -> tuple[str, dict[str, Any]]:
    """Fills ``search.plan`` and starts to embed the question, so that its words are searched meanwhile.

    Raises ``input.invalid`` for a commit that the log does not have yet, or a profile that there is not.
    """
    narrowing = filter_of(search.request)
    spaces = await visible_spaces(search.scope, search.namespace)
    outline = await _outline(search, spaces)
    _take_profile(search, outline["profile"])
    search.language = _language(search, outline["language"])
    speakers = outline["speakers"][: search.profile.most_speakers] if search.runs("names") else []
    search.held = outline["modalities"]
    pinned = search.pinned
    if pinned is not None:
        speakers, search.held = pinned.speakers, pinned.held
    outlook = await PLANNERS[search.profile.planner](
        search.question,
        asked_at=search.asked_at,
        speakers=speakers if search.profile.strip_names else [],
        held=search.held,
    )
    if search.profile.balance is not None:
        outlook = replace(outlook, balance=search.profile.balance)
    search.plan = plan = Plan(
        head=outline["commits"] if pinned is None else pinned.head,
        known_at=commit_known(search.request.known_at, outline["commits"]),
        spaces=spaces,
        pending=outline["pending"] if pinned is None else pinned.pending,
        searched=search.question,
        outlook=outlook,
        policy=policy_beside(outline),
        speakers=sorted(outlook.named or _speakers_for_routes(search, speakers)),
        times=question_times(search.question, search.asked_at, search.language.split(",")[0]),
    )
    whole = search.profile.lexical.lesser >= 1
    embedded = search.question if whole else without_relative_times(search.question, plan.times)
    plan.embedded_text = without_names(embedded, outlook.named.values())
    if spaces:
        start_embedding(search, plan.embedded_text)
    await weigh_terms(search, plan)
    if not any(term.term.startswith("~") for term in plan.terms):
        asked = {"question": search.question, "language": search.language}
        plan.only_stop_words = await search.scope.value("retrieval.only_stop_words", **asked)
    if narrowing is not None:
        plan.within = await guarded(search, ROUTES_SHARE, lambda: _narrow(search, plan, narrowing))
        if plan.within is None:
            search.cut_short("the filters could not be applied in time: nothing was searched")
            plan.within = []
    _note_what_lacks(search, plan, claims_pending=outline["claims_pending"])
    return _decision(plan), _detail(search, plan)


async def _outline(search: Search, spaces: list[int]) -> Row:
    """What is to be known of the log and the tenant before anything is searched, in one statement."""
    outline = await search.scope.row(
        "retrieval.outline",
        spaces=spaces,
        speakers=_MOST_SPEAKERS,
        modalities=list(MODALITIES),
        profile=search.profile.name,
        question=search.question,
    )
    assert outline is not None
    return outline


def _language(search: Search, read: str) -> str:
    """The language of the run that is made again, of the request, or of a profile that names another than English; else
    what the words of the question and the visible sources tell."""
    if search.pinned is not None and search.pinned.language is not None:
        return search.pinned.language
    named = search.profile.lexical.language
    if search.request.language is not None or search.pinned is not None:
        return search.request.language or named
    return named if named != _TOLD_BY_WORDS else read


async def settle_vector(search: Search) -> None:
    """Waits for the question's vector, no longer than the deadline leaves.

    Where it cannot be made, the result says so and words alone are searched.
    """
    embedding, search.embedding = search.embedding, None
    if embedding is None:
        return
    try:
        async with asyncio.timeout(search.deadline.remaining(0.5)):
            vector = search.planned.vector = (await embedding)[0]
            search.vectors[search.planned.embedded_text] = vector
    except TimeoutError:
        search.cut_short("the question was not embedded in time: searched by words only")
    except MunimentError as error:
        search.note(f"the question could not be embedded ({error.code}): searched by words only")


def start_embedding(search: Search, text: str) -> None:
    """Begins to embed what is searched for, beside whatever follows."""
    embedder = search.tools.embedder
    if not search.runs("semantic"):
        return
    pinned = search.pinned
    if pinned is not None and (text in pinned.vectors or not pinned.vectors):
        search.planned.vector = pinned.vectors.get(text)
        return
    if embedder is None or search.tools.model_no is None:
        search.note("no embedding model is configured: searched by words only")
        return
    search.embedding = asyncio.create_task(embedder.embed([text]))


async def weigh_terms(search: Search, plan: Plan) -> None:
    """Fills the plan's terms, the most telling first, and the statistics that they are weighed by."""
    if search.pinned is not None:
        await weigh_again(search, plan, search.pinned)
        return
    language = search.language
    rows = await search.scope.rows("retrieval.terms", spaces=plan.spaces, question=plan.searched, language=language)
    whole = next((row for row in rows if row["term"] == ""), None)
    if whole is not None:
        plan.documents, plan.total_length = int(whole["documents"]), int(whole["total_length"])
    weights = {row["term"]: row["weight"] for row in rows if row["term"] != ""}
    weights = lessened(weights, search.question, plan.times, plan.named.values(), search.profile.lexical.lesser)
    plan.terms = in_order(
        Term(row["term"], weights[row["term"]], row["documents"], idf(plan.documents, row["documents"]))
        for row in rows
        if row["term"] in weights
    )
    search.counted |= counts_to_keep(plan.terms)


def _take_profile(search: Search, stored: Any) -> None:
    if search.fixed_profile:
        return
    search.profile = profile_named(search.profile.name) if stored is None else from_row(stored)
    if search.request.timeout is None:
        search.deadline.seconds = min(search.profile.seconds, search.tools.settings.statement_timeout)


def _speakers_for_routes(search: Search, speakers: Sequence[str]) -> Iterable[str]:
    """The named speakers where a profile ranks without them, but has routes that look for their records."""
    if search.profile.strip_names or not search.profile.modality.active:
        return ()
    return speakers_named(search.question, speakers)


async def _narrow(search: Search, plan: Plan, narrowing: str) -> list[int]:
    rows = await search.scope.rows("retrieval.narrow", spaces=plan.spaces, filter=narrowing, known_at=plan.known_at)
    return [row["record_no"] for row in rows]


def _note_what_lacks(search: Search, plan: Plan, *, claims_pending: bool) -> None:
    unread = unread_time(search.question, plan.times)
    if unread is not None:
        search.note(f'"{unread}" looks like a time that could not be read: it was searched for as words')
    kinds = search.request.filters.kind
    if kinds is not None and "fact" in kinds:
        search.note("facts are not returned by searches: they lead to the records that they rest on; list them instead")
    if not plan.spaces:
        search.note("no space agrees with the namespace: nothing is visible")
    elif plan.within is not None and not plan.within and not search.partial:
        search.note("no record fits the filters")
    elif plan.pending:
        search.note(
            f"{plan.pending} of {plan.documents} records have no vector yet: they are found by their words only"
        )
    if claims_pending and search.runs("claims") and search.pinned is None:
        search.note("some claims wait to be recompiled: what was written last may be missing from them")


def _decision(plan: Plan) -> str:
    parts = [f"{len(plan.held)} of {len(plan.terms)} terms known", f"{len(plan.spaces)} spaces", plan.outlook.intent]
    if plan.named:
        parts.append("names " + ", ".join(sorted(plan.named)[:5]))
    if plan.within is not None:
        parts.append(f"narrowed to {len(plan.within)} records")
    return "; ".join(parts)


def _detail(search: Search, plan: Plan) -> dict[str, Any]:
    outlook = plan.outlook
    return {
        "terms": [{"term": t.term, "weight": t.weight, "documents": t.documents} for t in plan.terms[:64]],
        "language": search.language,
        "intent": outlook.intent,
        "because": outlook.why,
        "modalities": list(outlook.modalities),
        "time": _time(plan),
        "balance": outlook.balance,
        "named": sorted(plan.named)[:64],
        "first_person": plan.first_person,
        "embedded_text": plan.embedded_text if plan.embedded_text != search.question else None,
        "narrowed_to": None if plan.within is None else len(plan.within),
        "limits": {"top_k": search.top_k, "seconds": search.deadline.seconds},
    }


def _time(plan: Plan) -> dict[str, str | None] | None:
    if plan.time is None:
        return None
    start, end = (None if moment is None else moment.isoformat() for moment in plan.time.window)
    return {"expression": plan.time.text, "from": start, "to": end}
