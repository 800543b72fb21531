"""Words of a question that count little as words: those of a relative time, which is resolved and has a route of its
own, and names of speakers that are ordinary words too (Mark, Rose), which the named speaker's own turns do without."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from muniment.extraction.time.questions import beside_times
from muniment.extraction.time.spans import TimeSpan
from muniment.retrieval.participants import ORDINARY_NAMES, name_parts, terms_of

_WORD: Final = re.compile(r"[^\W_]+")


def time_terms(question: str, spans: Sequence[TimeSpan]) -> frozenset[str]:
    """The terms of words that stand in these time expressions of a question and nowhere else in it."""
    elsewhere = _words(beside_times(question, spans))
    inside = frozenset[str]().union(*(_words(question[span.first : span.last]) for span in spans))
    # the stem of a word elsewhere may begin one of a time's (Tom, tomorrow)
    return terms_of(inside - elsewhere) - terms_of(elsewhere)


def without_relative_times(question: str, spans: Iterable[TimeSpan]) -> str:
    """The question to embed: without its relative times, which pull the vector towards all that is told of some *last
    week*; one of nothing else stays as it is."""
    left = " ".join(beside_times(question, _relative(spans)).split())
    return left if _WORD.search(left) else question


def lesser_terms(question: str, spans: Iterable[TimeSpan], named: Iterable[str]) -> frozenset[str]:
    """The terms of these words."""
    return time_terms(question, _relative(spans)) | terms_of(name_parts(named) & ORDINARY_NAMES)


def lessened(
    weights: Mapping[str, float], question: str, spans: Iterable[TimeSpan], named: Iterable[str], share: float
) -> dict[str, float]:
    """The weights of a question's terms, of those of such words a ``share``; all whole where no other term is left."""
    lesser = lesser_terms(question, spans, named).intersection(weights)
    if len(lesser) == sum(map(bool, weights)):
        return dict(weights)
    return {term: weight * share if term in lesser else weight for term, weight in weights.items()}


def _relative(spans: Iterable[TimeSpan]) -> list[TimeSpan]:
    return [span for span in spans if span.relative]


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text))
