"""Whether words deny what stands among them: a negation, and how far it reaches."""

import re
from typing import Final, Literal

from muniment.extraction.inflection import WORD, holds, plain

Polarity = Literal["affirmed", "denied", "absent"]

_NEGATOR: Final = re.compile(
    r"\b(?:not(?!\s+(?:only|just|merely))|never|no(?!\s+(?:doubt|wonder|problem))|none|nobody|nothing|neither|nor|without|cannot(?!\s+(?:stand|wait|help|bear))"
    r"|hardly|barely|\w+n['’]t(?!\s+(?:stand|wait|help|bear))|stopped|ceased|quit|used\s+to|denie[sd]|refuse[sd]?|failed\s+to|isnt|dont|doesnt|didnt)\b",  # noqa: RUF001
    re.IGNORECASE,
)
_ENDING: Final = re.compile(
    r"\b(?:left|leaving|lost|sold|resigned|retired|fired|laid\s+off|stepped\s+down|broke\s+up|split|divorced|ended|over"
    r"|cancel+ed|moved\s+(?:away|out|from)|gave\s+up|given\s+up|hates?|hated|dislikes?|disliked|lacks?|dropped|away|gone|former(?:ly)?|ex)\b",
    re.IGNORECASE,
)
"""Words that deny what held before, or the opposite of what they say, without a negation."""
_AFTER: Final = re.compile(r"\b(?:any\s?more|no\s+longer|no\s+more|any\s+longer)\b", re.IGNORECASE)
_CLAUSE: Final = re.compile(
    r"[.;:!?]+(?=\s|$)|[\n()—–]+|\s-+\s|,?\s*\bbut\b|(?:,|\band\b|\bso\b|\bbecause\b)\s+(?=(?:and\s+)?(?:i|he|she|we|they|it|you)\b)",  # noqa: RUF001
    re.IGNORECASE,
)
_PROPER_CLAUSE: Final = re.compile(r",\s+(?=[A-Z]\w+\s+[a-z]+s\b)")


def polarity_of(text: str, words: list[str]) -> Polarity:
    """What a text says of these words: affirmed where they stand in some clause without a negation that governs them.

    A negation governs what follows it in its clause, and what stands before it there unless a comma is between.
    """
    found: Polarity = "absent"
    for clause in _clauses(text):
        places = [match.start() for match in WORD.finditer(clause) if holds([plain(match.group())], words[0])]
        if not places:
            continue
        if not any(_governed(clause, place) for place in places):
            return "affirmed"
        found = "denied"
    return found


def denies(text: str, words: list[str]) -> bool:
    """Whether a clause that holds one of these words has a negation that governs it, or says that it is over."""
    for clause in _clauses(text):
        places = [
            match.start()
            for match in WORD.finditer(clause)
            if any(holds([plain(match.group())], word) for word in words)
        ]
        if places and (_ENDING.search(clause) or any(_governed(clause, place) for place in places)):
            return True
    return False


def ends(text: str) -> bool:
    """Whether a text says that something is over or disliked, in a word that is no negation: left, sold, hates."""
    return _ENDING.search(text) is not None


def negates(text: str) -> bool:
    """Whether there is a negation in a text at all."""
    return _NEGATOR.search(text) is not None or _AFTER.search(text) is not None


def _clauses(text: str) -> list[str]:
    parts: list[str] = []
    for part in _CLAUSE.split(text):
        parts += _PROPER_CLAUSE.split(part)
    return [part for part in parts if part.strip()]


def _governed(clause: str, place: int) -> bool:
    if any(match.start() <= place for match in _NEGATOR.finditer(clause)):
        return True
    behind = clause[place:]
    if _AFTER.search(behind):
        return True
    found = _NEGATOR.search(behind)
    return found is not None and "," not in behind[: found.start()]
