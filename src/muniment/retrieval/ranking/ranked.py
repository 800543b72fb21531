"""What a ranking gives."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(slots=True)
class Ranked:
    """Scores over the candidates (n): ``scores`` order them, ``hit_scores`` in [0, 1] are what callers see.

    ``answerability`` is None where the ranking has none. ``parts`` are what the scores are made of, by name, and
    ``detail`` the numbers behind the decision, both for the trace.
    """

    scores: Floats
    hit_scores: Floats
    answerability: float | None
    parts: dict[str, Floats]
    detail: dict[str, Any] = field(default_factory=dict)
