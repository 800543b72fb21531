"""What the scale benchmark stores and asks: words as frequent as in a language, vectors in clusters, groups of turns.

Everything follows from the seed, so that a store that was loaded once can be asked again.
"""

import random
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

VOCABULARY = 50_000
COMMON = 100  # the most frequent words, which a question does not name: they stand in for stop words
WORDS = 60  # a record, on average
GROUP = 20  # records of one conversation
DIMENSIONS = 384
CLUSTER = 200  # records around one direction
SPREAD = 0.5  # of a vector around its direction: cosines of about 0.8 within a cluster
ENTITIES = 20_000
SPEAKERS = 100
BATCH = 10_000
EDGES = 5

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Batch:
    """Records ``first`` to ``first + len(texts) - 1``, with what each list says of them in order.

    ``edges`` are a record, a neighbour before it and their cosine.
    """

    first: int
    texts: list[str]
    speakers: list[str]
    entities: list[str]
    vectors: Vectors
    edges: list[tuple[int, int, float]]


def vocabulary() -> list[str]:
    """Pronounceable words, all different, the most frequent first."""
    syllables = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
    rng = random.Random(1)
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        words["".join(rng.choices(syllables, k=rng.choice((2, 3, 3, 4)))) + rng.choice(("", "n", "s", "ing"))] = None
    return list(words)


def batches(words: Sequence[str], records: int, seed: int) -> Iterator[Batch]:
    """The records of one tenant, from number 1 on."""
    lexicon = np.array(words, dtype=object)
    middles = _directions(records)
    latest: dict[int, deque[int]] = defaultdict(lambda: deque(maxlen=EDGES))
    for first in range(1, records + 1, BATCH):
        rng = np.random.default_rng((seed, first))
        count = min(BATCH, records + 1 - first)
        clusters = rng.integers(0, len(middles), count)
        numbers = range(first, first + count)
        edges: list[tuple[int, int, float]] = []
        for number, cluster in zip(numbers, clusters.tolist(), strict=True):
            edges += [(number, neighbour, 0.8) for neighbour in latest[cluster]]
            latest[cluster].append(number)
        cosines = np.clip(rng.normal(0.8, 0.03, len(edges)), 0.58, 1.0).tolist()
        yield Batch(
            first,
            _texts(lexicon, count, rng),
            [f"Speaker{n}" for n in _pair_of_group(numbers, rng)],
            [f"entity {rank}" for rank in _zipf(ENTITIES, count, rng)],
            _around(middles[clusters], rng),
            [(a, b, cosine) for (a, b, _), cosine in zip(edges, cosines, strict=True)],
        )


def questions(words: Sequence[str], count: int, seed: int) -> list[str]:
    """Questions of 3 to 12 words as frequent as in the records, the commonest left out."""
    rng = np.random.default_rng((seed, 3))
    asked = []
    for _ in range(count):
        length = int(rng.integers(3, 13))
        ranks = (COMMON * (VOCABULARY / COMMON) ** rng.random(length)).astype(int)
        asked.append(" ".join(words[rank] for rank in ranks) + "?")
    return asked


def question_vectors(records: int, count: int, seed: int) -> Vectors:
    """One unit vector a question, around directions of the records'."""
    rng = np.random.default_rng((seed, 4))
    middles = _directions(records)
    return _around(middles[rng.integers(0, len(middles), count)], rng)


def _directions(records: int) -> Vectors:
    """Depend on their number alone, so that questions find those of the records."""
    count = max(20, records // CLUSTER)
    return np.random.default_rng(count).standard_normal((count, DIMENSIONS), dtype=np.float32)


def _around(middles: Vectors, rng: np.random.Generator) -> Vectors:
    vectors = middles + SPREAD * rng.standard_normal(middles.shape, dtype=np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


def _zipf(largest: int, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Ranks from 0, each about as often as the inverse of itself."""
    return (largest ** rng.random(count)).astype(np.int64) - 1


def _texts(lexicon: NDArray[np.object_], count: int, rng: np.random.Generator) -> list[str]:
    lengths = (WORDS * (0.5 + rng.random(count))).astype(int)
    chosen = lexicon[_zipf(VOCABULARY, int(lengths.sum()), rng)].tolist()
    ends = np.cumsum(lengths).tolist()
    marks = np.where(rng.random(count) < 0.15, "?", ".").tolist()
    starts = [0, *ends[:-1]]
    return [" ".join(chosen[a:b]) + mark for a, b, mark in zip(starts, ends, marks, strict=True)]


def _pair_of_group(numbers: Sequence[int], rng: np.random.Generator) -> list[int]:
    """Two speakers a group, who take turns."""
    pairs = rng.integers(0, SPEAKERS, (len(numbers) // GROUP + 2, 2)).tolist()
    first_group = (numbers[0] - 1) // GROUP
    return [pairs[(n - 1) // GROUP - first_group][n % 2] for n in numbers]
