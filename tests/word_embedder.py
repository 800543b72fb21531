"""An embedder for tests of what uses vectors: a text's vector is the sum of its words' fixed random directions."""

import hashlib
from collections.abc import Sequence

import numpy as np

from muniment.errors import MunimentError

DIMENSIONS = 32


class WordEmbedder:
    """Texts that share words are near each other. ``available`` False makes it fail as an endpoint that is away."""

    name = "test:words"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self.available = True
        self.texts: list[str] = []

    async def embed(self, texts: Sequence[str], *, background: bool = False) -> list[list[float]]:
        if not self.available:
            raise MunimentError("provider.unavailable", "the model cannot be reached")
        self.texts += texts
        return [_vector(text) for text in texts]

    async def warm(self) -> None:
        return None

    async def close(self) -> None:
        return None


def _vector(text: str) -> list[float]:
    total = np.zeros(DIMENSIONS)
    for word in text.lower().split():
        seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8])
        total += np.random.default_rng(seed).standard_normal(DIMENSIONS)
    return (total / (np.linalg.norm(total) or 1.0)).tolist()
