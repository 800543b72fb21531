"""Sentences of a text with their places, and the places in each where a clause may begin."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from muniment.extraction.sentence_ends import ends_sentence
from muniment.extraction.time.spans import TimeSpan

_END: Final = re.compile(r"[.!?]+[\"”’')]*(?=\s|$)|\n+")  # noqa: RUF001
_BULLET: Final = re.compile(r"\s*(?:[-*•#]+\s+|\d+[.)]\s+)?")
_BREAK: Final = re.compile(r"[,;:()—–]\s*|\s+[-–—]+\s*|-\s|\b(?:and|but|so)\s+", re.IGNORECASE)  # noqa: RUF001
DISCOURSE: Final = frozenset(
    (
        "yeah", "yes", "yep", "no", "oh", "well", "ok", "okay", "hey", "hi", "hello", "wow", "also", "plus", "anyway",
        "actually", "honestly", "by", "the", "way", "btw", "fyi", "today", "now", "recently", "lately", "currently",
        "these", "days", "as", "you", "know", "in", "fact", "then", "too", "still", "finally", "luckily", "sadly",
        "unfortunately", "fortunately", "hopefully", "on", "at", "since", "from", "of", "starting", "effective",
        "beginning", "this", "because", "after", "during", "thanks", "great", "nice", "cool", "news", "update",
        "note", "correction", "sorry", "and", "but", "so",
    )
)  # fmt: skip
"""Words that only lead over to what is told."""
_MEANT: Final = re.compile(r"I\s+meant(?:\s+to\s+say)?(?:\s+that)?[,:]?\s+(?=I\b)")
_WORD: Final = re.compile(r"[\w'’]+")  # noqa: RUF001
_LONGEST: Final = 600


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence from ``start``; ``asks`` where a question mark ends it."""

    text: str
    start: int
    asks: bool


def sentences_of(text: str) -> Iterator[Sentence]:
    """The sentences of a text, at most 600 characters of each. Linear in the text."""
    begin = 0
    for match in _END.finditer(text):
        if match.group()[0] == "." and not ends_sentence(text, match.start(), begin):
            continue
        yield from _sentence(text, begin, match.end())
        begin = match.end()
    yield from _sentence(text, begin, len(text))


def _sentence(text: str, begin: int, end: int) -> Iterator[Sentence]:
    line = text.rfind("\n", 0, begin + 1) + 1
    if text[line:end].lstrip().startswith(">"):  # what a mail quotes is another's
        return
    bullet = _BULLET.match(text, begin, end)
    begin = bullet.end() if bullet else begin
    found = text[begin:end]
    if found.strip():
        yield Sentence(found[:_LONGEST].rstrip(), begin, found.rstrip().rstrip("\"”’')").endswith("?"))  # noqa: RUF001


def clause_starts(sentence: str, times: list[TimeSpan]) -> list[int]:
    """Where a main clause may begin: at the start, behind marks and "and", and behind what only introduces one.

    What may stand before is time and words that only lead over: behind "if" or "I think" nothing is told for sure.
    """
    starts = {0}
    starts.update(match.end() for match in _BREAK.finditer(sentence))
    found: set[int] = set()
    for start in starts:
        found.add(start)
        place = start
        while (moved := _past_introduction(sentence, place, times)) != place:
            place = moved
            found.add(place)
    return sorted(found)


def _past_introduction(sentence: str, place: int, times: list[TimeSpan]) -> int:
    for time in times:
        if time.first == place:
            return _past_space(sentence, time.last)
    meant = _MEANT.match(sentence, place)
    if meant:
        return meant.end()
    word = _WORD.match(sentence, place)
    if word and word.group().casefold() in DISCOURSE:
        return _past_space(sentence, word.end())
    return place


def _past_space(sentence: str, place: int) -> int:
    while place < len(sentence) and sentence[place] in " ,:-":
        place += 1
    return place
