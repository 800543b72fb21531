"""The stage that turns what the routes found into one list, best first."""

from typing import Any

import numpy as np

from muniment.retrieval.deadline import RANKING_SHARE
from muniment.retrieval.guarding import guarded
from muniment.retrieval.ranking.dates import DateTerms
from muniment.retrieval.ranking.facts import Facts, Floats, gather
from muniment.retrieval.ranking.registry import RANKINGS
from muniment.retrieval.routing import fuse
from muniment.retrieval.state import Candidate, Search


async def ranking_inputs(search: Search, facts: Facts, dates: DateTerms) -> tuple[Floats, list[frozenset[str]]]:
    """What a ranking is given beside the facts: the candidates' fused scores (n), and the terms of each month."""
    fusion = fuse(search)
    fused = np.array([fusion.get(record_no, 0.0) for record_no in facts.records])
    return fused, await dates.months(search.scope, search.language)


class Ordering:
    """Fuses, fetches the facts of all candidates, and ranks by the profile's ranking."""

    def __init__(self) -> None:
        self._dates = DateTerms()

    async def run(self, search: Search) -> tuple[str, dict[str, Any]]:
        """Fills ``search.candidates``, best first, ties by record number.

        Where the time does not suffice to weigh them, they stay in the order of reciprocal rank fusion.
        """
        search.candidates = []
        if not any(search.found.values()):
            return "no candidates", {}
        facts = await guarded(search, RANKING_SHARE, lambda: gather(search))
        if facts is None:
            return _unweighed(search)
        if not facts.records:
            return "no candidates", {}
        ranked = RANKINGS[search.profile.ranking].rank(search, facts, *await ranking_inputs(search, facts, self._dates))
        order = np.argsort(-ranked.scores, kind="stable")
        columns = (np.array(facts.records), facts.places.group, ranked.scores, ranked.hit_scores, ranked.confidence)
        search.candidates = list(map(Candidate, *(column[order].tolist() for column in columns)))
        search.listing = search.candidates
        search.answerability, search.speaker_gap = ranked.answerability, ranked.gap
        search.best_cosine = float(facts.cosines.max()) if facts.has_vector.any() else None
        detail = ranked.detail | {
            "candidates": len(facts),
            "without_vector": int((~facts.has_vector).sum()),
            "best_cosine": search.best_cosine,
            "answerability": ranked.answerability,
            "speaker_gap": ranked.gap,
        }
        return f"{search.profile.ranking} over {len(facts)} candidates", detail


def _unweighed(search: Search) -> tuple[str, dict[str, Any]]:
    search.cut_short("the candidates could not be weighed in time: they are in the order of their ranks in the routes")
    fusion = fuse(search)
    best = max(fusion.values(), default=1.0) or 1.0
    search.candidates = [
        Candidate(record_no, 0, score, score / best)
        for record_no, score in sorted(fusion.items(), key=lambda item: (-item[1], item[0]))
    ]
    search.listing = search.candidates
    return f"fusion only over {len(search.candidates)} candidates", {"candidates": len(search.candidates)}
