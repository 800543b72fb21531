"""The reference profile's scores after fusion: rerank, grounding, hit (the specification's sections 7 and 8)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RerankWeights:
    """Weights of the rerank score; ``stale`` multiplies the reliability of a record that is no longer valid."""

    cosine: float = 0.52
    reliability: float = 0.18
    recency: float = 0.10
    fusion: float = 0.20
    modality: float = 0.04
    stale: float = 0.55
    recency_with_time: float = 1.0
    recency_without_time: float = 0.5


def rerank_score(
    weights: RerankWeights,
    *,
    cosine: float,
    confidence: float,
    stale: bool,
    dated: bool,
    fusion: float,
    modality_named: bool = False,
) -> float:
    """The rerank score; ``fusion`` is the record's RRF divided by the largest RRF of the list, in [0, 1]."""
    reliability = confidence * (weights.stale if stale else 1.0)
    recency = weights.recency_with_time if dated else weights.recency_without_time
    score = weights.cosine * cosine + weights.reliability * reliability
    score += weights.recency * recency + weights.fusion * fusion
    return score + (weights.modality if modality_named else 0.0)


@dataclass(frozen=True, slots=True)
class GroundingWeights:
    """Weights of the grounding score; ``raw`` is added for a record of a raw source."""

    cosine: float = 0.56
    overlap: float = 0.14
    fusion: float = 0.12
    rerank: float = 0.10
    confidence: float = 0.05
    graph: float = 0.03
    raw: float = 0.05


def grounding_score(
    weights: GroundingWeights,
    *,
    cosine: float,
    overlap: float,
    fusion: float,
    rerank: float,
    confidence: float,
    graph: float,
    raw: bool,
) -> float:
    """The grounding score; ``overlap`` is the share of the question's terms that the record holds, ``graph`` the
    walk's score or 0."""
    score = weights.cosine * cosine + weights.overlap * overlap + weights.fusion * fusion
    score += weights.rerank * rerank + weights.confidence * confidence + weights.graph * graph
    return score + (weights.raw if raw else 0.0)


@dataclass(frozen=True, slots=True)
class HitWeights:
    """Weights of the hit score."""

    rerank: float = 0.65
    rank: float = 0.35
    raw: float = 0.06
    fact: float = 0.04


def hit_score(weights: HitWeights, *, rerank: float, rank: int, hits: int, kind: str) -> float:
    """0.65 * rerank + 0.35 * (1 - rank / n) and a bonus by the record's kind; ``rank`` from 1 among ``hits``."""
    bonus = {"raw": weights.raw, "correction": weights.raw, "fact": weights.fact}.get(kind, 0.0)
    return weights.rerank * rerank + weights.rank * (1 - rank / hits) + bonus
