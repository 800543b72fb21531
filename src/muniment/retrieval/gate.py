"""The gate: whether the first list is good enough, and the wider searches where it is not (section 7).

A refinement searches again for the question with words of the top hits. Deep Recall walks further, lets in the groups
of the hits, and relaxes the margin. What a wider search finds replaces the list only where the gate then passes, or
where it is the last resort.
"""

import time
from dataclasses import dataclass, replace
from typing import Any

from muniment.retrieval.deadline import ROUTES_SHARE
from muniment.retrieval.formulas.confidence import agreement, confident, telling_terms
from muniment.retrieval.ordering import Ordering
from muniment.retrieval.plan import start_embedding, weigh_terms
from muniment.retrieval.routing import run_routes
from muniment.retrieval.state import Candidate, Found, Plan, Search, StageRecord, ranking

_LOOKED_AT = 5
COLD = "group"
"""The name under which Deep Recall's records of the hits' groups stand beside what the routes found."""


@dataclass(frozen=True, slots=True)
class _List:
    """A ranked list, to go back to."""

    plan: Plan
    found: dict[str, list[Found]]
    candidates: list[Candidate]
    answerability: float | None
    speaker_gap: float | None
    best_cosine: float | None


class Gate:
    """The stage; it ranks with the ordering of the engine, which keeps what it has read."""

    def __init__(self, ordering: Ordering) -> None:
        self._ordering = ordering

    async def run(self, search: Search) -> tuple[str, dict[str, Any]]:
        """Leaves ``search`` with the list to go on with, and says what it took."""
        gate, intent = search.profile.gate, search.planned.outlook.intent
        if not gate.rounds and not gate.deep:
            return "off", {}
        passed, why = await self._judge(search, gate.margin)
        first, kept, rounds = why, _kept(search), 0
        while not passed and rounds < gate.rounds and search.runs("refine") and _has_time(search):
            rounds += 1
            passed, why = await self._refine(search, rounds)
        if not passed:
            _restore(search, kept)
        deep = gate.deep and search.runs("deep_recall") and (not passed or intent == "multi_hop")
        if deep and _has_time(search):
            passed, why = await self._recall(search)
        elif not passed and not _has_time(search):
            search.cut_short("the time was up before the search could be widened: the result may lack records")
        detail = {"first": first, "last": why, "rounds": rounds, "deep_recall": deep, "intent": intent}
        return ("confident" if passed else "not confident") + f": {why}", detail

    async def _judge(self, search: Search, margin: float) -> tuple[bool, str]:
        gate = search.profile.gate
        best = search.candidates[:_LOOKED_AT]
        texts = await _tokens(search, best)
        agree = agreement([frozenset(text) for text in texts]) if texts else 0.0
        scores = sorted((candidate.confidence for candidate in best), reverse=True)
        return confident(scores, agree, top=gate.top, margin=margin, least_agreement=gate.agreement)

    async def _refine(self, search: Search, number: int) -> tuple[bool, str]:
        start = time.perf_counter()
        texts = await _tokens(search, search.candidates[:_LOOKED_AT])
        known = frozenset(term.term for term in search.planned.terms)
        added = telling_terms(texts, known, search.profile.gate.terms)
        if not added:
            return False, "the top hits have no further words"
        await self._again(search, " ".join([search.planned.searched, *added]), hops=None)
        passed, why = await self._judge(search, search.profile.gate.margin)
        detail = {"added": added, "outcome": why, "kept": passed}
        spent = (time.perf_counter() - start) * 1000
        search.trace_stage(StageRecord(f"refine {number}", why, detail, spent))
        return passed, why

    async def _recall(self, search: Search) -> tuple[bool, str]:
        start = time.perf_counter()
        gate = search.profile.gate
        groups = sorted({candidate.group_no for candidate in search.candidates[: search.top_k]})
        cold = await search.scope.rows(
            "retrieval.group_records",
            groups=groups,
            spaces=search.planned.spaces,
            known_at=search.planned.known_at,
            limit=gate.deep_group_records,
        )
        within = None if search.planned.within is None else set(search.planned.within)
        found = [row["record_no"] for row in cold if within is None or row["record_no"] in within]
        await self._again(search, search.question, hops=gate.deep_hops, cold=found)
        del search.candidates[2 * search.top_k :]
        passed, why = await self._judge(search, gate.deep_margin * gate.margin)
        detail = {"groups": len(groups), "let_in": len(found), "hops": gate.deep_hops, "outcome": why}
        search.trace_stage(StageRecord("deep_recall", why, detail, (time.perf_counter() - start) * 1000))
        return passed, why

    async def _again(self, search: Search, text: str, *, hops: int | None, cold: list[int] | None = None) -> None:
        """Searches for another text, from the terms to the ranked list."""
        before = search.planned.searched
        search.plan = plan = replace(search.planned, searched=text, hops=hops)
        if text != before:
            plan.embedded_text = f"{plan.embedded_text} {text.removeprefix(before).strip()}"
            plan.vector = None
            start_embedding(search, plan.embedded_text)
            await weigh_terms(search, plan)
        search.found = {}
        await run_routes(search)
        if cold:
            ranked = set(ranking([item for found in search.found.values() for item in found]))
            search.found[COLD] = let_in = [Found(record_no, 0.0) for record_no in cold if record_no not in ranked]
            search.trace_stage(StageRecord(COLD, f"{len(let_in)} let in", {"found": len(let_in)}, 0.0, let_in))
        await self._ordering.run(search)


def _has_time(search: Search) -> bool:
    return not search.deadline.passed(ROUTES_SHARE)


def _kept(search: Search) -> _List:
    return _List(
        search.planned,
        search.found,
        search.candidates,
        search.answerability,
        search.speaker_gap,
        search.best_cosine,
    )


def _restore(search: Search, kept: _List) -> None:
    search.plan, search.found, search.candidates = kept.plan, kept.found, kept.candidates
    search.answerability, search.speaker_gap = kept.answerability, kept.speaker_gap
    search.best_cosine = kept.best_cosine


async def _tokens(search: Search, candidates: list[Candidate]) -> list[dict[str, int]]:
    """The content words of the candidates with their counts, in their order."""
    records = [candidate.record_no for candidate in candidates]
    rows = await search.scope.rows("retrieval.agreement_terms", records=records, language=search.language)
    counts: dict[int, dict[str, int]] = {record_no: {} for record_no in records}
    for row in rows:
        counts[row["record_no"]][row["term"]] = row["count"]
    return [counts[record_no] for record_no in records]
