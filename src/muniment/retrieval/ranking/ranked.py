"""What a ranking gives."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


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
    gap: float
    answerability: float
    parts: dict[str, Floats]
    detail: dict[str, Any] = field(default_factory=dict)
