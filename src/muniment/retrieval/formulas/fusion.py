"""Reciprocal rank fusion (Cormack, Clarke and Buettcher 2009), weighted by route."""

from collections.abc import Mapping, Sequence


def reciprocal_ranks(
    rankings: Mapping[str, Sequence[int]], weights: Mapping[str, float], constant: float
) -> dict[int, float]:
    """RRF(d) = sum over routes of weight / (constant + rank), ranks from 1; a record that a route lacks gets 0 there.

    ``rankings`` are record numbers, best first, by route; a route without a weight counts 1.
    """
    fused: dict[int, float] = {}
    for route, ranking in rankings.items():
        weight = weights.get(route, 1.0)
        for rank, record_no in enumerate(ranking, start=1):
            fused[record_no] = fused.get(record_no, 0.0) + contribution(weight, rank, constant)
    return fused


def contribution(weight: float, rank: int, constant: float) -> float:
    """What a rank, from 1, adds in a route of this weight."""
    return weight / (constant + rank)
