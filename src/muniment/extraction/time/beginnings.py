"""With which words a time expression may begin, and a quick look whether a text may hold one at all."""

import re
from typing import Final

from muniment.extraction.time.detection import language_told
from muniment.extraction.time.korean_words import KOREAN_BEGINNINGS, KOREAN_SIGN
from muniment.extraction.time.languages import (
    AGO,
    FOREIGN_MONTHS,
    LOCAL_BOUNDS,
    LOCAL_DAYS,
    LOCAL_MONTHS,
    LOCAL_NUMBERS,
    LOCAL_ORDINALS,
    LOCAL_PARTS,
    LOCAL_SEASONS,
    LOCAL_UNITS,
    LOCAL_WEEKDAYS,
    STEPS_OF,
    WEEK_WORDS,
)
from muniment.extraction.time.local_words import LOCAL_AHEAD, LOCAL_HOLIDAYS, LOCAL_RANGES, LOCAL_THIRDS, WEEKENDS
from muniment.extraction.time.unspaced import DAYS_OF_WEEKS, FOREIGN_DAYS, UNITS_BESIDE, UNSPACED_DAY
from muniment.extraction.time.vocabulary import (
    BOUNDS,
    DAYS,
    DECADES,
    HOLIDAY_STARTS,
    MONTHS,
    MONTHS_SHORT,
    NUMBERS,
    ORDINALS,
    PARTS,
    PLURALS,
    SEASONS,
    STEPS,
    THIRDS,
    UNITS,
    VAGUE,
    WEEKDAYS,
    WEEKDAYS_SHORT,
)

_NAMES: Final = frozenset({
    *MONTHS, *MONTHS_SHORT, *FOREIGN_MONTHS, *WEEKDAYS, *WEEKDAYS_SHORT, *SEASONS, *PARTS, *DAYS, *HOLIDAY_STARTS,
    *(name for names in LOCAL_MONTHS.values() for name in names),
})  # fmt: skip
BEGINNINGS: Final = _NAMES | frozenset({
    *BOUNDS, *NUMBERS, *VAGUE, *UNITS, *STEPS, *THIRDS, *ORDINALS, "a", "an", "the", "in", "from", "between", "about",
    "around", "roughly", "almost", "nearly", "over", "half", "final", *(words[0] for words in AGO.values()),
    *(day for days in LOCAL_DAYS.values() for day in days), "kw", "cw", "calendar",
    *(f"{elided}{season}" for seasons in LOCAL_SEASONS.values() for season in seasons for elided in ("l'", "d'")),
    *(word for words in WEEK_WORDS.values() for word in words),
    *(word for table in (STEPS_OF, LOCAL_BOUNDS, LOCAL_ORDINALS, LOCAL_SEASONS, LOCAL_UNITS, LOCAL_WEEKDAYS)
      for words in table.values() for word in words),
    *(word for table in (LOCAL_NUMBERS, LOCAL_THIRDS, LOCAL_RANGES, LOCAL_HOLIDAYS)
      for words in table.values() for word in words),
    *(words[0] for table in (LOCAL_AHEAD, WEEKENDS) for choices in table.values() for words in choices),
    *FOREIGN_DAYS, *DAYS_OF_WEEKS, *UNITS_BESIDE, *KOREAN_BEGINNINGS, "i", "anoche", "t", "un", "eine", "l'an",
    "l'année",
})  # fmt: skip
# One of these, or a number that looks like one, is in every expression; "the", "in" and their like say nothing alone.
_SIGNS: Final = (
    _NAMES
    | {
        *FOREIGN_DAYS,
        "går",
        "morgon",
        "morgen",
        *UNITS,
        *PLURALS,
        *DECADES,
        *(f"{day}s" for day in WEEKDAYS),
        "kw",
        "cw",
    }
) - {
    "second",
    "seconds",
    "new",
    "all",
    "st",
    "saint",
}
_APART: Final = {code: " " for code in range(128) if not chr(code).isalnum()} | dict.fromkeys(
    map(ord, "\u2019\u2013\u2014«»„“”¿¡"), " "
)
_COUNTED: Final = _SIGNS | {"second", "seconds"}  # behind a number, as in "5minutes"
_DIGIT: Final = re.compile(r"\d")
_NUMBER: Final = re.compile(
    r"(?<!\d)(?:1\d|20)\d\d(?!\d)|\d0['\u2019]?s|\d[./-]\d{1,2}[./-]\d|[qQ][1-4]|[kKcC][wW]\d|\d ?[年년月월]"
)


_LOCAL_SIGNS: Final = {
    language: frozenset(
        {
            *days,
            *WEEK_WORDS.get(language, ()),
            *(words[0] for words in WEEKENDS.get(language, ())),
            *(
                word
                for table in (LOCAL_UNITS, LOCAL_WEEKDAYS, LOCAL_SEASONS, LOCAL_PARTS, LOCAL_HOLIDAYS)
                for word in table.get(language, ())
            ),
        }
    )
    for language, days in LOCAL_DAYS.items()
}


_FOREIGN_SIGNS: Final = frozenset().union(*_LOCAL_SIGNS.values(), *LOCAL_MONTHS.values())


def language_for_times(text: str, language: str) -> str:
    """The language in which the times of a text are read: the one that its words clearly tell, else the given one.

    Looked for only where a word of time of another language is in it. A few microseconds.
    """
    words = text.lower().translate(_APART).split()
    return language if _FOREIGN_SIGNS.isdisjoint(words) else language_told(words, language)


def may_hold_time(text: str, language: str = "english") -> bool:
    """Whether it is worth while to look for time expressions: false only where there is none. A few microseconds."""
    if language != "english" and "-" in text:
        return True
    words = text.lower().translate(_APART).split()
    if not _SIGNS.isdisjoint(words) or not _LOCAL_SIGNS.get(language, frozenset()).isdisjoint(words):
        return True
    if not text.isascii() and (UNSPACED_DAY.search(text) or KOREAN_SIGN.search(text)):
        return True
    if "i" in words and "dag" in words:  # i dag
        return True
    if _DIGIT.search(text) is None:
        return False
    return _NUMBER.search(text) is not None or not _COUNTED.isdisjoint(_DIGIT.sub(" ", text.lower()).split())
