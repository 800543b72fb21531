"""Words of a question that count little as words: those of a relative time, which is resolved and has a route of its
own, and names of speakers that are ordinary words too (Mark, Rose), which the named speaker's own turns do without."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from muniment.extraction.time.spans import TimeSpan
from muniment.retrieval.participants import ORDINARY_NAMES, name_parts, terms_of

LESS: Final = 0.1
"""Of a term's weight that is left."""
_WORD: Final = re.compile(r"[^\W_]+")


def time_terms(question: str, spans: Iterable[TimeSpan]) -> frozenset[str]:
    """The terms of words that stand in these time expressions of a question and nowhere else in it."""
    inside: set[str] = set()
    outside, end = [], 0
    for span in sorted(spans, key=lambda each: each.first):
        inside.update(_words(question[span.first : span.last]))
        outside.append(question[end : span.first])
        end = max(end, span.last)
    elsewhere = set(_words(" ".join([*outside, question[end:]])))
    # the stem of a word elsewhere may begin one of a time's (Tom, tomorrow)
    return terms_of(inside - elsewhere) - terms_of(elsewhere)


def without_relative_times(question: str, spans: Sequence[TimeSpan]) -> str:
    """The question to embed: without its relative times, which pull the vector towards all that is told of some *last
    week*; one of nothing else stays as it is."""
    text, end = "", 0
    for span in sorted((each for each in spans if each.relative), key=lambda each: each.first):
        text += question[end : span.first] + " "
        end = max(end, span.last)
    left = re.sub(r"\s+", " ", text + question[end:]).strip()
    return left if _WORD.search(left) else question


def lesser_terms(question: str, spans: Iterable[TimeSpan], named: Iterable[str]) -> frozenset[str]:
    """The terms of these words."""
    relative = (each for each in spans if each.relative)
    return time_terms(question, relative) | terms_of(name_parts(named) & ORDINARY_NAMES)


def lessened(
    weights: Mapping[str, float], question: str, spans: Sequence[TimeSpan], named: Iterable[str]
) -> dict[str, float]:
    """The weights of a question's terms, those of such words lessened; all as they are where no other term is left."""
    little = lesser_terms(question, spans, named)
    lesser = {term for term in weights if term in little}
    if len(lesser) == sum(map(bool, weights)):
        return dict(weights)
    return {term: weight * LESS if term in lesser else weight for term, weight in weights.items()}


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
