"""What of a question looks like a time and could not be read as one: to say so is better than to pass over it."""

import re
from collections.abc import Sequence
from typing import Final

from muniment.extraction.time.languages import (
    AGO,
    ARTICLES,
    LOCAL_BOUNDS,
    LOCAL_MONTHS,
    LOCAL_NUMBERS,
    LOCAL_ORDINALS,
    LOCAL_PARTS,
    LOCAL_SEASONS,
    LOCAL_UNITS,
    LOCAL_WEEKDAYS,
    STEPS_OF,
)
from muniment.extraction.time.local_words import LOCAL_HOLIDAYS, LOCAL_THIRDS
from muniment.extraction.time.questions import without_times
from muniment.extraction.time.spans import TimeSpan
from muniment.extraction.time.vocabulary import MONTHS, NUMBERS, ORDINALS, PLURALS, STEPS, UNITS, WEEKDAYS

_MOST_TOLD: Final = 80  # characters


def _any(*words: str) -> str:
    return "(?:" + "|".join(sorted((re.escape(word) for word in set(words)), key=len, reverse=True)) + ")"


_UNIT: Final = _any(
    *UNITS,
    *PLURALS,
    "semester",
    "term",
    "season",
    "sprint",
    "fiscal year",
    "school year",
    "sprints",
    "semesters",
    "terms",
)
_LOCAL_UNIT: Final = _any(*(unit for units in LOCAL_UNITS.values() for unit in units))
_MONTH: Final = _any(*MONTHS, *(name for names in LOCAL_MONTHS.values() for name in names if len(name) > 3))
_DAY: Final = _any(
    *(day for days in LOCAL_WEEKDAYS.values() for day in days),
    *(name for language in ("german", "spanish") for name in LOCAL_SEASONS[language] if name != "winter"),
    "lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "domenica", "maandag", "dinsdag", "woensdag", "donderdag",
    "vrijdag", "zaterdag", "zondag",
)  # fmt: skip
_WEEKDAY: Final = _any(*WEEKDAYS)
_LOCAL_NUMBER: Final = _any(*(word for words in LOCAL_NUMBERS.values() for word in words))
_MOVING: Final = _any(
    "easter", "good friday", "thanksgiving", "ramadan", "hanukkah", "diwali", "passover", "pentecost",
    "mother's day", "father's day", "labor day", "labour day", "memorial day", "ostern", "pfingsten", "pâques",
    "pascua", *(name for names in LOCAL_HOLIDAYS.values() for name in names),
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
    | \b(?:a|an|one|two|three|four|five|\d+)\s+(?:{_UNIT}\s+and\s+a\s+half|and\s+a\s+half\s+{_UNIT})\s+ago\b
    | \b\w+\s+{_WEEKDAY}s?\s+ago\b
    | (?<![\w./-])[qht]\d/\d{{4}}\b | \bt[1-4]\s+(?:de\s+)?\d{{4}}\b
    | \b(?:first|second|1st|2nd)\s+half\s+of\s+\w+
    | \b(?:in|dans|en|dentro\s+de)\s+(?:\d+|{_LOCAL_NUMBER})\s+{_LOCAL_UNIT}\b
    | \b{_LOCAL_UNIT}\s+(?:que\s+viene|qui\s+vient)\b
    | \banoche\b | \bwochenende\b | \bweek-end\b | \bfin\s+de\s+semana\b
    | \b\d{{1,2}}\.\s?(?:kw|kalenderwoche)\b
    | \b(?:am|vom|zum|bis|seit)\s+\d{{1,2}}\.\s?\d{{1,2}}\.(?!\d)
    | \b{_any(*LOCAL_WEEKDAYS["german"])}(?:abend|morgen|nachmittag|vormittag|nacht)\b
    | \b{_MOVING}\b
    | \b{_DAY}\b
    """,
    re.IGNORECASE | re.VERBOSE,
)


_NUMBER: Final = _any(
    *NUMBERS, *ORDINALS, *(word for words in LOCAL_NUMBERS.values() for word in words),
    *(word for words in LOCAL_ORDINALS.values() for word in words), "eine", "ein",
)  # fmt: skip
_COUNT: Final = rf"(?:\d+(?:\.|st|nd|rd|th|er|ère|e|ème|º|ª)?|{_NUMBER})"
_ANY_UNIT: Final = (
    rf"(?:{_UNIT}|{_LOCAL_UNIT}|{_any(*(part for parts in LOCAL_PARTS.values() for part in parts))}|kw|cw)"
)
_SPANNED: Final = rf"(?:{_ANY_UNIT}|{_any('wochenende', 'kalenderwoche', 'half')})"
_STEP: Final = _any(*STEPS, *(step for steps in STEPS_OF.values() for step in steps))
_EDGE: Final = _any("early", "late", "mid", "quincena", *(edge for edges in LOCAL_THIRDS.values() for edge in edges))
_LINK: Final = _any(
    "of", "in", "the", "on", "from", "before", "after", "vom", "von", "zum", "am",
    *(word for words in ARTICLES.values() for word in words),
    *(word for words in LOCAL_BOUNDS.values() for word in words),
)  # fmt: skip
_JOINT: Final = _any("and", "to", "und", "bis", "et", "au", "y", "al", "a", "hasta", "till", "until", "through")
# what belongs to a time and stands right before or behind it, so that the time alone is wider than what was asked
_BEFORE: Final = re.compile(
    rf"""
    (?:(?<![\w]) (?:
        {_COUNT}\s+{_SPANNED}(?:\s+(?:and\s+a\s+half))?
      | {_SPANNED}\s+\d{{1,2}}
      | {_STEP}\s+{_ANY_UNIT} | {_LOCAL_UNIT}\s+{_STEP}
      | (?:(?:between|from|zwischen|vom|von|entre|du|del)\s+(?:{_LINK}\s+)*)?
        {_COUNT}\s*(?:-|\u2013|{_JOINT})
      | {_EDGE}(?:\s+(?:de|del|des|du|of|vom|von)(?:\s+the)?)? | (?:early|late|mid)(?:\s+in)?
      | [qht]\d
      | primero | erste[rn]? | premier
    ) [\s/-]* (?:{_LINK}[\s]+)* ) $
    """,
    re.IGNORECASE | re.VERBOSE,
)
_BEHIND: Final = re.compile(
    rf"^[\s,]*(?:{_LINK}\s+)*(?:{_STEP}\s+{_ANY_UNIT}|(?:l')?{_LOCAL_UNIT}\s+{_STEP})\b", re.IGNORECASE
)
_NEAR: Final = 60  # characters


def unread_time(question: str, spans: Sequence[TimeSpan]) -> str | None:
    """The first words that look like a time and are in none of the expressions that were read, or belong to one that
    was read without them; None where there are none."""
    found = _LOOKS.search(without_times(question, spans))
    if found is not None:
        return found.group().strip(" ?.!,;:")[:_MOST_TOLD]
    told = (_wider(question, spans, place) for place in range(len(spans)))
    return next((words[:_MOST_TOLD] for words in told if words is not None), None)


def _wider(question: str, spans: Sequence[TimeSpan], place: int) -> str | None:
    """The expression with the words beside it that were not understood."""
    span = spans[place]
    least = spans[place - 1].last if place else 0
    most = spans[place + 1].first if place + 1 < len(spans) else len(question)
    before = _BEFORE.search(question[max(least, span.first - _NEAR) : span.first])
    behind = _BEHIND.search(question[span.last : min(most, span.last + _NEAR)])
    if before is None and behind is None:
        return None
    words = (before.group() if before else "", question[span.first : span.last], behind.group() if behind else "")
    return "".join(words).strip(" ?!,;:")
