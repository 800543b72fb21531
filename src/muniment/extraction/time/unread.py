"""What of a question looks like a time and could not be read as one: to say so is better than to pass over it."""

import re
from collections.abc import Sequence
from typing import Final

from muniment.extraction.time.languages import AGO, LOCAL_MONTHS, LOCAL_SEASONS, LOCAL_UNITS, LOCAL_WEEKDAYS
from muniment.extraction.time.questions import without_times
from muniment.extraction.time.spans import TimeSpan
from muniment.extraction.time.vocabulary import MONTHS, PLURALS, UNITS

_MOST_TOLD: Final = 80  # characters


def _any(*words: str) -> str:
    return "(?:" + "|".join(sorted((re.escape(word) for word in set(words)), key=len, reverse=True)) + ")"


_UNIT: Final = _any(*UNITS, *PLURALS, "semester", "term", "season", "sprint", "fiscal year", "school year")
_LOCAL_UNIT: Final = _any(*(unit for units in LOCAL_UNITS.values() for unit in units))
_MONTH: Final = _any(*MONTHS, *(name for names in LOCAL_MONTHS.values() for name in names if len(name) > 3))
_DAY: Final = _any(
    *(day for days in LOCAL_WEEKDAYS.values() for day in days),
    *(name for language in ("german", "spanish") for name in LOCAL_SEASONS[language] if name != "winter"),
    "lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "domenica", "maandag", "dinsdag", "woensdag", "donderdag",
    "vrijdag", "zaterdag", "zondag",
)  # fmt: skip
_MOVING: Final = _any(
    "easter", "good friday", "thanksgiving", "ramadan", "hanukkah", "diwali", "passover", "pentecost",
    "mother's day", "father's day", "labor day", "labour day", "memorial day", "ostern", "pfingsten", "pâques",
    "pascua",
)  # fmt: skip
_LOOKS: Final = re.compile(
    rf"""
      \b(?:last|previous|past|this|next|coming)\s+{_UNIT}\b
    | \b(?:\w+\s+)?{_UNIT}\s+ago\b
    | \b(?:\d+|an?|one|two|three|four|five|six|few|several)\s+{_UNIT}\s+(?:before|after|prior\s+to)\s+\S+(?:\s\S+)?
    | \bthe\s+(?:day|week|weekend|month|year)\s+(?:before|after|of)\s+\S+(?:\s\S+)?
    | \b\d{{1,2}}\.?\s+(?:de\s+|of\s+)?{_MONTH}\b(?:\s+\d{{4}})?
    | \b{_MONTH}\s+\d{{1,4}}\b
    | \b{_any(*(" ".join(words) for words in AGO.values()))}\s+\w+\s+{_LOCAL_UNIT}\b
    | \b(?:fy|fiscal\s+year)\s*'?\d{{2,4}}\b
    | \b(?:kw|cw|week)\s*\d{{1,2}}\b(?!\s+(?:of|in)\b)
    | \b[hq]\s?\d\s+\d{{4}}\b
    | (?<![\w./-])\d{{1,2}}([./-])\d{{1,2}}\1\d{{4}}(?![\w/-]|\.\d)
    | (?<![\w./-])\d{{4}}-\d{{1,2}}-\d{{1,2}}(?![\w/-]|\.\d)
    | \b{_MOVING}\b
    | \b{_DAY}\b
    """,
    re.IGNORECASE | re.VERBOSE,
)


def unread_time(question: str, spans: Sequence[TimeSpan]) -> str | None:
    """The first words that look like a time and are in none of the expressions that were read; None where none do."""
    found = _LOOKS.search(without_times(question, spans))
    return None if found is None else found.group().strip(" ?.!,;:")[:_MOST_TOLD]
