"""The default profile's ranking: how much of the question a record covers, with its neighbours' help, plus cosine.

Both parts are absolute scales (a share, a cosine), so they can be added without statistics over the list. Found by
exploration (section 0 of the specification); arrays are indexed by candidate (n) and question term (m).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class CoverageWeights:
    """Constants of the coverage ranking.

    A text longer than ``longest`` times the mean counts as that long: among short turns a long one would cover
    nothing, whatever it says. ``neighbours`` weigh term counts at distance 1, 2, ... in the same group; a neighbour
    longer than ``long`` tokens is damped to that length. ``reply`` and ``reply_cosine`` are what a reply gets of
    the words and of the meaning of the question before it (see ``formulas.replies``). ``date`` is the count a term
    gets from the record's date. The boosts are added to coverage + ``cosine`` * cosine, among them ``time`` times
    the temporal route's score where the question names a time, and ``inside`` for a record whose time lies in it.
    Where a question asks of nothing but a time, the temporal score counts ``time_alone``, and coverage and cosine only
    ``words_beside`` of what they do: the words of the date would find other dates; being the named speaker then counts
    ``speaker_alone``, where that is more than ``speaker``. ``question`` is subtracted, less
    from records longer than ``question_length``.
    """

    k1: float = 1.2
    b: float = 0.75
    longest: float = 3.0
    neighbours: tuple[float, ...] = (0.5, 0.3, 0.2, 0.1)
    long: float = 40.0
    reply: float = 0.0
    reply_cosine: float = 0.0
    date: float = 1.0
    cosine: float = 0.7
    time: float = 0.0
    inside: float = 0.0
    time_alone: float = 0.0
    words_beside: float = 1.0
    speaker: float = 0.20
    speaker_alone: float = 0.20
    first_person: float = 0.20
    question: float = 0.07
    question_length: float = 15.0


@dataclass(frozen=True, slots=True)
class Places:
    """Where the candidates stand: group (n), position in it (n), and length in tokens (n)."""

    group: Integers
    position: Integers
    length: Floats


def spread_to_neighbours(counts: Floats, places: Places, weights: CoverageWeights) -> tuple[Floats, Floats]:
    """The term counts (n, m) and the lengths (n) of what each candidate says together with its neighbours.

    tf~(t, i) = tf(t, i) + sum over j = i +- d in i's group of w_d * min(1, long / len_j) * tf(t, j)
    L~(i)     = len_i + sum of w_d * min(len_j, long)
    Only candidates count as neighbours; two candidates of one group never share a position.
    """
    spread = counts.astype(np.float64, copy=True)
    lengths = places.length.astype(np.float64, copy=True)
    damped = np.minimum(1.0, weights.long / np.maximum(places.length, 1.0))
    order = np.lexsort((places.position, places.group))
    reach = len(weights.neighbours)
    kernel = np.array(weights.neighbours)
    for lag in range(1, min(reach, len(order) - 1) + 1):
        before, after = order[:-lag], order[lag:]
        distance = places.position[after] - places.position[before]
        near = (places.group[before] == places.group[after]) & (distance >= 1) & (distance <= reach)
        before, after, weight = before[near], after[near], kernel[distance[near] - 1]
        spread[before] += (weight * damped[after])[:, None] * counts[after]
        spread[after] += (weight * damped[before])[:, None] * counts[before]
        lengths[before] += weight * np.minimum(places.length[after], weights.long)
        lengths[after] += weight * np.minimum(places.length[before], weights.long)
    return spread, lengths


def coverage(counts: Floats, lengths: Floats, mean_length: float, terms: Floats, weights: CoverageWeights) -> Floats:
    """The share (n) of the question that each candidate covers, in [0, 1).

    cov(i) = sum_t w_t * tf~ / (tf~ + k1 * (1 - b + b * min(longest, L~(i) / mean L~))) / sum_t w_t, with ``terms`` the
    weights (m).
    """
    whole = float(terms.sum())
    if whole <= 0 or counts.shape[0] == 0:
        return np.zeros(counts.shape[0])
    return np.asarray(_saturated(counts, lengths, mean_length, weights) @ terms / whole, dtype=np.float64)


def term_coverage(
    counts: Floats, lengths: Floats, mean_length: float, terms: Floats, weights: CoverageWeights
) -> Floats:
    """What each term adds to the coverage (n, m): the summands of ``coverage``."""
    whole = float(terms.sum())
    if whole <= 0 or counts.shape[0] == 0:
        return np.zeros_like(counts, dtype=np.float64)
    return np.asarray(_saturated(counts, lengths, mean_length, weights) * terms / whole, dtype=np.float64)


def _saturated(counts: Floats, lengths: Floats, mean_length: float, weights: CoverageWeights) -> Floats:
    relative = np.minimum(weights.longest, lengths / mean_length) if mean_length > 0 else np.ones_like(lengths)
    norm = weights.k1 * (1 - weights.b + weights.b * relative)
    return np.asarray(counts / np.maximum(counts + norm[:, None], 1e-9), dtype=np.float64)


def question_penalty(asks: Flags, lengths: Floats, weights: CoverageWeights) -> Floats:
    """What a record that ends by asking loses (n): it raises the matter, and the answer is a neighbour."""
    damped = np.minimum(1.0, weights.question_length / np.maximum(lengths, 1.0))
    return np.asarray(weights.question * asks * damped, dtype=np.float64)


def largest_score(weights: CoverageWeights) -> float:
    """The bound of the ranking score: everything covered, cosine 1, every boost. Hit scores are shares of it."""
    return 1.0 + weights.cosine + weights.speaker + weights.first_person
