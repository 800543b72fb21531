"""What a ranking gives."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(slots=True)
class Shares:
    """What the hit scores are made of, for who wants them explained.

    ``parts`` (n) add up to the hit scores before these are kept within their bounds. ``counts``, ``dated`` and
    ``covered`` (n, m) say of each candidate and term the count with what stands next to it, whether it is in the date,
    and what it adds to the share of the question that is covered; None where a ranking does not look at terms so.
    """

    parts: dict[str, Floats]
    counts: Floats | None = None
    dated: Floats | None = None
    covered: Floats | None = None


@dataclass(slots=True)
class Ranked:
    """Scores over the candidates (n): ``scores`` order them, ``hit_scores`` in [0, 1] are what callers see, and
    ``confidence`` is what the gate looks at.

    ``gap`` says how much better the statements of the person whom the question names fit than everyone else's, 0
    where nobody is named; ``answerability`` is computed from it and the scores. ``parts`` are what the scores are
    made of, by name, and ``detail`` the numbers behind the decision, both for the trace.
    """

    scores: Floats
    hit_scores: Floats
    confidence: Floats
    gap: float | None
    answerability: float
    parts: dict[str, Floats]
    detail: dict[str, Any] = field(default_factory=dict)
