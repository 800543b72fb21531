"""The stage that turns what the routes found into one list, best first."""

from typing import Any

from muniment.model.result import RouteScore
from muniment.retrieval.ranking.dates import DateTerms
from muniment.retrieval.ranking.facts import Facts, gather
from muniment.retrieval.ranking.registry import RANKINGS
from muniment.retrieval.routing import fuse
from muniment.retrieval.state import Candidate, Search

_TRACED = 50


class Ordering:
    """Fuses, fetches the facts of all candidates, and ranks by the profile's ranking."""

    def __init__(self) -> None:
        self._dates = DateTerms()

    async def run(self, search: Search) -> tuple[str, dict[str, Any]]:
        """Fills ``search.candidates``, best first, ties by record number."""
        if not any(search.found.values()):
            return "no candidates", {}
        facts = await gather(search)
        candidates = _candidates(search, facts)
        if not candidates:
            return "no candidates", {}
        async with search.tools.database.scope(search.tenant, seconds=search.profile.seconds) as scope:
            months = await self._dates.months(scope, search.profile.lexical.language)
        detail = RANKINGS[search.profile.ranking](search, facts, candidates, months)
        search.best_cosine = float(facts.cosines.max()) if facts.has_vector.any() else None
        search.candidates = sorted(candidates, key=lambda candidate: (-candidate.score, candidate.record_no))
        detail |= {
            "candidates": len(candidates),
            "without_vector": int((~facts.has_vector).sum()),
            "best_cosine": search.best_cosine,
            "answerability": search.answerability,
            "top": [
                {"record": c.record_no, "score": round(c.score, 6), "fused": round(c.fused, 6)}
                | {name: round(part, 6) for name, part in c.parts.items()}
                for c in search.candidates[:_TRACED]
            ],
        }
        return f"{search.profile.ranking} over {len(candidates)} candidates", detail


def _candidates(search: Search, facts: Facts) -> list[Candidate]:
    fused = fuse(search)
    routes: dict[int, dict[str, RouteScore]] = {}
    for name, found in search.found.items():
        for place, item in enumerate(found, start=1):
            routes.setdefault(item.record_no, {})[name] = RouteScore(rank=place, score=item.score)
    return [
        Candidate(
            record_no=record_no,
            group_no=int(facts.places.group[i]),
            kind=facts.kinds[i],
            trust=facts.trust[i],
            dated=facts.said[i] is not None,
            routes=routes.get(record_no, {}),
            fused=fused.get(record_no, 0.0),
        )
        for i, record_no in enumerate(facts.records)
    ]
