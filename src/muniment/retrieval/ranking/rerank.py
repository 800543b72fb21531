"""The ranking of the reference profile: rerank, then grounding, then the hit score (sections 7 and 8)."""

from typing import Any

import numpy as np

from muniment.retrieval.formulas.answerability import answerability, speaker_gap
from muniment.retrieval.formulas.rerank import grounding_score, hit_score, rerank_score
from muniment.retrieval.ranking.facts import Facts
from muniment.retrieval.state import Candidate, Search


def rank(search: Search, facts: Facts, candidates: list[Candidate], _: list[frozenset[str]]) -> dict[str, Any]:
    """Puts rerank and grounding scores on the candidates, in the order of ``facts``; the hit score orders them."""
    profile = search.profile
    most = max((candidate.fused for candidate in candidates), default=0.0) or 1.0
    overlap = (facts.counts > 0).mean(axis=1) if facts.terms else np.zeros(len(facts))
    for i, candidate in enumerate(candidates):
        cosine, fusion = float(facts.cosines[i]), candidate.fused / most
        reranked = rerank_score(
            profile.rerank, cosine=cosine, confidence=candidate.trust, stale=False, dated=candidate.dated, fusion=fusion
        )
        graph = candidate.routes.get("graph")
        candidate.score = grounding_score(
            profile.grounding,
            cosine=cosine,
            overlap=float(overlap[i]),
            fusion=fusion,
            rerank=reranked,
            confidence=candidate.trust,
            graph=graph.score if graph else 0.0,
            raw=candidate.kind == "raw",
        )
        candidate.parts = {"cosine": cosine, "overlap": float(overlap[i]), "fusion": fusion, "rerank": reranked}
    base = np.array([candidate.score for candidate in candidates])
    ordered = sorted(candidates, key=lambda candidate: (-candidate.score, candidate.record_no))
    for place, candidate in enumerate(ordered, start=1):
        candidate.parts["grounding"] = candidate.score
        candidate.hit_score = candidate.score = hit_score(
            profile.hit, rerank=candidate.parts["rerank"], rank=place, hits=len(ordered), kind=candidate.kind
        )
    named = np.array([speaker in search.planned.named for speaker in facts.speakers], dtype=np.bool_)
    gap = speaker_gap(base, named, facts.asks, profile.answerability.best)
    search.answerability = answerability(base, facts.cosines, gap, profile.answerability)
    return {"largest_fusion": most}
