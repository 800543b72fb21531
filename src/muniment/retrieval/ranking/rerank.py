"""The ranking of the reference profile: rerank, then grounding, then the hit score (sections 7 and 8)."""

import numpy as np

from muniment.retrieval.formulas.answerability import answerability
from muniment.retrieval.formulas.rerank import grounding_score, hit_score, rerank_score
from muniment.retrieval.ranking.facts import Facts, Floats
from muniment.retrieval.ranking.ranked import Ranked, Shares
from muniment.retrieval.ranking.ranking import Ranking
from muniment.retrieval.ranking.signals import signals_of
from muniment.retrieval.state import Search


def rank(search: Search, facts: Facts, fused: Floats, _: list[frozenset[str]]) -> Ranked:
    """Scores the candidates: the grounding score gives the rank that the hit score uses, the hit score orders them."""
    profile = search.profile
    fusion = _fusion(fused)
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
    signals = signals_of(search, facts, grounded)
    return Ranked(
        scores=scores,
        hit_scores=np.clip(scores, 0.0, None),
        confidence=reranked,
        gap=signals.gap,
        answerability=answerability(signals, profile.answerability),
        parts={"cosine": facts.cosines, "overlap": overlap, "rerank": reranked, "grounding": grounded},
        detail={"largest_fusion": float(fused.max())},
    )


def shares(search: Search, facts: Facts, fused: Floats, months: list[frozenset[str]]) -> Shares:
    """The parts of the hit scores: those of the rerank score, the rank by grounding, and the bonus of the kind."""
    weights, hit = search.profile.rerank, search.profile.hit
    ranked = rank(search, facts, fused, months)
    dated = np.array([day is not None for day in facts.days])
    named = np.array([modality in search.planned.outlook.modalities for modality in facts.modalities])
    places = np.empty(len(facts))
    places[np.argsort(-ranked.parts["grounding"], kind="stable")] = np.arange(1, len(facts) + 1)
    parts = {
        "cosine": hit.rerank * weights.cosine * facts.cosines,
        "reliability": hit.rerank * weights.reliability * facts.trust,
        "recency": hit.rerank
        * weights.recency
        * np.where(dated, weights.recency_with_time, weights.recency_without_time),
        "fusion": hit.rerank * weights.fusion * _fusion(fused),
        "modality": hit.rerank * weights.modality * named,
        "rank": hit.rank * (1 - places / len(facts)),
        "kind": np.array(
            [hit_score(hit, rerank=0.0, rank=len(facts), hits=len(facts), kind=kind) for kind in facts.kinds]
        ),
    }
    return Shares(parts={name: np.asarray(part, dtype=np.float64) for name, part in parts.items()})


def _fusion(fused: Floats) -> Floats:
    return np.asarray(fused / (float(fused.max()) or 1.0), dtype=np.float64)


RANKING = Ranking("rerank", rank, shares)
