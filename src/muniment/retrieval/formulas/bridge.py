"""The bridge: a record that is about what one of the best records names, as the second step of a question often is.

"Where was the designer of the engine born?": the record of the engine answers the first half and names the designer,
whose own record hardly shares a word with the question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BridgeParameters:
    """How much a record gains (``weight``) that is about what a seed names: one of the ``seeds`` best records, each of
    them counting ``fade`` times as much as the one before. A subject of fewer than ``characters`` counts less in
    proportion, one that more than ``most_records`` share not at all."""

    weight: float = 0.0
    seeds: int = 2
    fade: float = 0.8
    characters: int = 12
    most_records: int = 6


@dataclass(frozen=True, slots=True)
class Lift:
    """A record that is lifted: by which seed, through which subject, and by how much at most."""

    record_no: int
    seed: int
    subject: str
    amount: float


def lifts(
    seeds: Sequence[int],
    named: Mapping[int, frozenset[str]],
    about: Mapping[str, Sequence[int]],
    parameters: BridgeParameters,
) -> dict[int, Lift]:
    """The largest lift of each record: weight * fade^(rank - 1) * min(1, characters of the subject / 12).

    ``seeds`` are the best records, best first, ``named`` what each of them names, ``about`` the records of a subject.
    A seed is lifted by those before it only.
    """
    found: dict[int, Lift] = {}
    for rank, seed in enumerate(seeds):
        for subject in sorted(named.get(seed, frozenset())):
            amount = parameters.weight * parameters.fade**rank * min(1.0, len(subject) / parameters.characters)
            for record_no in about.get(subject, ()):
                if record_no in seeds[: rank + 1]:
                    continue
                if record_no not in found or amount > found[record_no].amount:
                    found[record_no] = Lift(record_no, seed, subject, amount)
    return found


def with_lifts(scores: Floats, amounts: Floats) -> Floats:
    """The scores (n) with what each is lifted by (n); nothing is lifted past the best score that stands without."""
    if not scores.size:
        return scores
    ceiling = float(scores.max()) - 1e-4
    return np.maximum(scores, np.minimum(scores + amounts, ceiling))
