"""How answerable a question looks from its candidates: a signal that a top score alone does not carry.

Two kinds of question want different signals. Where a person is named among several who speak, the doubt is whether
*that* person said it: how much better the own statements fit than the others' (section 0 of the specification). Where
nobody is named, the doubt is whether it was said at all: how much of the question one record holds, terms that are
nowhere held included.
"""

from dataclasses import dataclass
from math import exp

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class AnswerabilityWeights:
    """Constants of the answerability score, found by exploration over two kinds of sets; the ``open`` ones are for
    questions that name none of the speakers, and bring both kinds to one scale."""

    gap: float = 12.5
    cosine: float = 2.8
    margin: float = 2.0
    held: float = 2.0
    open_cosine: float = 2.0
    open_held: float = 3.0
    open_best_held: float = 3.0
    open_offset: float = 2.0
    best: int = 5
    margin_from: int = 10
    margin_to: int = 50


@dataclass(frozen=True, slots=True)
class Signals:
    """What is seen of the candidates.

    ``gap`` is None where no speaker is named, or nobody else speaks. ``cosine`` is the largest; ``margin`` is the top
    score less the mean of ranks 10 to 50; ``held`` is the share of the question, by weight, that the first record
    holds, and ``best_held`` the largest such share among the first ten.
    """

    gap: float | None
    cosine: float
    margin: float
    held: float
    best_held: float


def speaker_gap(base: Floats, named: Flags, others: Flags, asks: Flags, best: int) -> float | None:
    """How much better the named person's records fit than those of everyone else who speaks; None without either.

    ``base`` are the scores (n) without boosts; the mean of the ``best`` records that are not questions, on each side.
    """
    if not named.any() or not others.any():
        return None

    def mean_of_best(chosen: Flags) -> float:
        top = np.sort(base[chosen & ~asks])[::-1][:best]
        return float(top.mean()) if top.size else 0.0

    return mean_of_best(named) - mean_of_best(others)


def top_margin(base: Floats, weights: AnswerabilityWeights) -> float:
    """The top score less the mean of ranks 10 to 50; a list that ends before has its last score as the mean."""
    ranked = np.sort(base)[::-1]
    tail = ranked[weights.margin_from - 1 : weights.margin_to]
    return float(ranked[0]) - (float(tail.mean()) if tail.size else float(ranked[-1]))


def held_shares(counts: Floats, importance: Floats, order: NDArray[np.int64]) -> tuple[float, float]:
    """The share of the question's terms, by ``importance`` (m), in the first record of ``order``, and the best in ten.

    ``counts`` (n, m) are the records' own. Without terms both are 0.
    """
    whole = float(importance.sum())
    if whole <= 0 or not len(order):
        return 0.0, 0.0
    shares = (counts[order[:10]] > 0) @ importance / whole
    return float(shares[0]), float(shares.max())


def answerability(signals: Signals, weights: AnswerabilityWeights) -> float:
    """A = 12.5 * gap + 2.8 * cosine - 2 * margin + 2 * held where a speaker is named, else
    A = 2 * cosine + 3 * held + 3 * best held - 2. About 0 where it is as likely as not."""
    if signals.gap is not None:
        score = weights.gap * signals.gap + weights.cosine * signals.cosine
        return score - weights.margin * signals.margin + weights.held * signals.held
    score = weights.open_cosine * signals.cosine + weights.open_held * signals.held
    return score + weights.open_best_held * signals.best_held - weights.open_offset


def as_share(score: float) -> float:
    """The score as a number in [0, 1], in the same order: 1 / (1 + exp(-score))."""
    if score >= 0:
        return 1.0 / (1.0 + exp(-score))
    if score < -700:  # exp would underflow
        return 0.0
    return exp(score) / (1.0 + exp(score))
