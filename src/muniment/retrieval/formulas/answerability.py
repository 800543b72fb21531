"""How answerable a question looks from its candidates: a signal that a top score alone does not carry."""

from dataclasses import dataclass
from math import exp

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class AnswerabilityWeights:
    """Constants of the answerability score, found by exploration (section 0 of the specification)."""

    gap: float = 12.0
    cosine: float = 4.5
    margin: float = 4.2
    best: int = 3
    margin_from: int = 10
    margin_to: int = 50


def speaker_gap(base: Floats, named: Flags, asks: Flags, best: int) -> float:
    """How much better the named person's records fit than everyone else's; 0 where nobody is named.

    ``base`` are the scores (n) without boosts; the mean of the ``best`` records that are not questions, on each side.
    """
    if not named.any():
        return 0.0

    def mean_of_best(chosen: Flags) -> float:
        top = np.sort(base[chosen & ~asks])[::-1][:best]
        return float(top.mean()) if top.size else 0.0

    return mean_of_best(named) - mean_of_best(~named)


def answerability(base: Floats, cosines: Floats, gap: float, weights: AnswerabilityWeights) -> float:
    """A = 12 * gap + 4.5 * max cosine - 4.2 * (top - mean of ranks 10-50) over the scores without boosts.

    Without a candidate it is minus infinity; a list that ends before rank 10 has its last score as the mean.
    """
    if base.size == 0:
        return float("-inf")
    ranked = np.sort(base)[::-1]
    tail = ranked[weights.margin_from - 1 : weights.margin_to]
    level = float(tail.mean()) if tail.size else float(ranked[-1])
    margin = float(ranked[0]) - level
    return weights.gap * gap + weights.cosine * float(cosines.max()) - weights.margin * margin


def as_share(score: float) -> float:
    """The score as a number in [0, 1], in the same order: 1 / (1 + exp(-score))."""
    if score >= 0:
        return 1.0 / (1.0 + exp(-score))
    if score < -700:  # exp would underflow
        return 0.0
    return exp(score) / (1.0 + exp(score))
