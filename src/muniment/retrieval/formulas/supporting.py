"""How well a log record supports what a routing hit says (the specification's section 8).

s = 0.72 * cosine + 0.28 * term overlap
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SupportWeights:
    """The weights; how many records stand in for a routing hit (``best``), how many of it are looked at, the latest
    first (``looked_at``), and how many routing hits of a route count (``hits``)."""

    cosine: float = 0.72
    overlap: float = 0.28
    best: int = 8
    looked_at: int = 500
    hits: int = 50


def support_score(weights: SupportWeights, *, cosine: float, overlap: float) -> float:
    """The score; ``overlap`` is the share of the question's terms that the record holds, in [0, 1]."""
    return weights.cosine * cosine + weights.overlap * overlap
