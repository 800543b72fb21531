"""The measures: recall at a rank and at a number of tokens, reciprocal rank, and the area under the ROC curve."""

import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray

from muniment.bench.dataset import Depths


def recall(ranked: Sequence[str], gold: AbstractSet[str], k: int) -> float:
    """The share of ``gold`` among the first ``k``."""
    return len(gold & set(ranked[:k])) / len(gold)


def reciprocal_rank(ranked: Sequence[str], gold: AbstractSet[str]) -> float:
    """One over the rank of the first that is gold, 0 where none is."""
    return next((1 / rank for rank, item in enumerate(ranked, start=1) if item in gold), 0.0)


def recall_within(ranked: Sequence[str], gold: AbstractSet[str], costs: Mapping[str, int], tokens: int) -> float:
    """The share of ``gold`` reached when whole items are taken in rank order until ``tokens`` are exceeded.

    The item that exceeds them is not taken, and nothing after it.
    """
    used, reached = 0, 0
    for item in ranked:
        used += costs.get(item, 0)
        if used > tokens:
            break
        reached += item in gold
    return reached / len(gold)


def measures(
    ranked: Sequence[str], gold: AbstractSet[str], costs: Mapping[str, int], depths: Depths
) -> dict[str, float]:
    """All measures of one question, as shares of 1; an item that is ranked twice counts where it stands first.

    ``R@k`` is recall at k, ``all@k`` whether all of the evidence is among the first k, ``MRR`` the reciprocal rank,
    ``R@Ntok`` the recall within N tokens of context.
    """
    once = list(dict.fromkeys(ranked))
    row = {f"R@{k}": recall(once, gold, k) for k in depths.recall}
    row |= {f"all@{k}": float(gold <= set(once[:k])) for k in depths.whole}
    row["MRR"] = reciprocal_rank(once, gold)
    row[f"R@{depths.tokens}tok"] = recall_within(once, gold, costs, depths.tokens)
    return row


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """The chance that a positive scores above a negative, ties counting half; neither may be empty."""
    below = sorted(negative)
    wins = sum((bisect_left(below, score) + bisect_right(below, score)) / 2 for score in positive)
    return wins / (len(positive) * len(below))


def roc_curve(positive: Sequence[float], negative: Sequence[float]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """False and true positive rates, a point a distinct threshold, from (0, 0) to (1, 1)."""
    thresholds = np.unique(np.array([*positive, *negative]))[::-1]
    true = (np.array(positive)[None, :] >= thresholds[:, None]).mean(axis=1)
    false = (np.array(negative)[None, :] >= thresholds[:, None]).mean(axis=1)
    return np.concatenate([[0.0], false]), np.concatenate([[0.0], true])


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which ``share`` of them lie: the one at index ``int(n * share)`` in order, 0 of none.

    The median of an even number of values is the mean of the two in the middle.
    """
    if share == 0.5 and values:
        return float(statistics.median(values))
    return sorted(values)[min(int(len(values) * share), len(values) - 1)] if values else 0.0
