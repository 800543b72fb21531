"""The ranking of the reference profile: rerank, then grounding, then the hit score (sections 7 and 8)."""

import numpy as np

from muniment.retrieval.formulas.answerability import answerability, speaker_gap
from muniment.retrieval.formulas.rerank import grounding_score, hit_score, rerank_score
from muniment.retrieval.ranking.facts import Facts, Floats
from muniment.retrieval.ranking.ranked import Ranked
from muniment.retrieval.state import Search


def rank(search: Search, facts: Facts, fused: Floats, _: list[frozenset[str]]) -> Ranked:
    """Scores the candidates: the grounding score gives the rank that the hit score uses, the hit score orders them."""
    profile = search.profile
    fusion = fused / (float(fused.max()) or 1.0)
    overlap = (facts.counts > 0).mean(axis=1) if facts.terms else np.zeros(len(facts))
    walked = {item.record_no: item.score for item in search.found.get("graph", [])}
    reranked, grounded = np.zeros(len(facts)), np.zeros(len(facts))
    for i, record_no in enumerate(facts.records):
        cosine, confidence = float(facts.cosines[i]), float(facts.trust[i])
        reranked[i] = rerank_score(
            profile.rerank,
            cosine=cosine,
            confidence=confidence,
            stale=False,
            dated=facts.days[i] is not None,
            fusion=float(fusion[i]),
            modality_named=facts.modalities[i] in search.planned.outlook.modalities,
        )
        grounded[i] = grounding_score(
            profile.grounding,
            cosine=cosine,
            overlap=float(overlap[i]),
            fusion=float(fusion[i]),
            rerank=float(reranked[i]),
            confidence=confidence,
            graph=walked.get(record_no, 0.0),
            raw=facts.kinds[i] == "raw",
        )
    scores = np.zeros(len(facts))
    for place, i in enumerate(np.argsort(-grounded, kind="stable"), start=1):
        scores[i] = hit_score(profile.hit, rerank=float(reranked[i]), rank=place, hits=len(facts), kind=facts.kinds[i])
    gap = speaker_gap(grounded, facts.named, facts.asks, profile.answerability.best)
    return Ranked(
        scores=scores,
        hit_scores=np.clip(scores, 0.0, None),
        confidence=reranked,
        gap=gap,
        answerability=answerability(grounded, facts.cosines, gap, profile.answerability),
        parts={"cosine": facts.cosines, "overlap": overlap, "rerank": reranked, "grounding": grounded},
        detail={"largest_fusion": float(fused.max())},
    )
