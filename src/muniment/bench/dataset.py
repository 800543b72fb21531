"""What every benchmark that asks questions has: its questions with their evidence, and how to put its data in."""

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from muniment.model.namespace import Namespace
from muniment.model.result import Hit
from muniment.runtime import Runtime

Advance = Callable[..., Any]
_TOKEN = re.compile(r"\w+|[^\w\s]")


def count_tokens(text: str) -> int:
    """Words and punctuation marks: a count that depends on no model's tokenizer."""
    return len(_TOKEN.findall(text))


@dataclass(frozen=True, slots=True)
class Question:
    """A question. ``evidence`` are the ids of the items that hold the answer, empty where none is known.

    ``answerable`` is None where the question counts in no measure. ``costs`` gives the tokens of each item of the
    space that it is asked in, by id.
    """

    qid: str
    text: str
    kind: str
    namespace: Namespace
    evidence: frozenset[str]
    costs: Mapping[str, int]
    answerable: bool | None = True


@dataclass(frozen=True, slots=True)
class Ingested:
    """What putting the data in took. ``fresh`` batches were new, the rest were in the store already.

    ``written`` are the seconds until all was sealed and lexically searchable, ``drained`` until all jobs were done.
    """

    batches: int
    fresh: int
    written: float
    drained: float


@dataclass(frozen=True, slots=True)
class Depths:
    """At which ranks recall, all-evidence recall and the tokens of context are taken."""

    recall: tuple[int, ...] = (5, 10, 25)
    whole: tuple[int, ...] = (10, 25)
    tokens: int = 1200
    context: int = 10


class Benchmark(Protocol):
    """Data read from files that the caller names."""

    name: str
    digest: str
    size: int
    unit: str
    batches: int
    questions: list[Question]
    depths: Depths

    async def write(self, runtime: Runtime, advance: Advance) -> int:
        """Puts the data into the store, and gives how many of the batches were not in it yet."""
        ...

    def identify(self, hit: Hit) -> str:
        """The id, as evidence names it, of what was found."""
        ...


def digest_of(*paths: Path) -> str:
    """SHA-256 over the files' contents, in the order given."""
    whole = hashlib.sha256()
    for path in paths:
        whole.update(hashlib.sha256(path.read_bytes()).digest() if len(paths) > 1 else path.read_bytes())
    return whole.hexdigest()
