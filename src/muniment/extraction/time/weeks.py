"""Weeks by their number in the year (ISO 8601), and halves of a year by theirs."""

import re
from datetime import datetime
from typing import Final

from muniment.extraction.time.calendar import DAY, Interval, unit_at
from muniment.extraction.time.dates import FIRST_YEAR, LAST_YEAR, slashed_year, year_after
from muniment.extraction.time.languages import WEEK_WORDS
from muniment.extraction.time.reader import Reader, Reading
from muniment.extraction.time.tense import chosen
from muniment.extraction.time.vocabulary import STEPS

_SHORT: Final = frozenset({"kw", "cw"})
_DIGITS: Final = re.compile(r"\d+")
_NO_YEAR: Final = frozenset({"of", "de", "del"})


def numbered_week(reader: Reader, i: int) -> Reading | None:
    """Week 23, week 23 of 2026, KW 23/2026, Kalenderwoche 23: without a year the one that the sentence
    means."""
    named = reader.word(i) in _SHORT or reader.word(i) in WEEK_WORDS.get(reader.language, ())
    if not (named or reader.word(i) == "week") or reader.kind(i + 1) != "number" or len(reader.tokens[i + 1].text) > 2:
        return None
    return week_of(reader, int(reader.tokens[i + 1].text), i + 2, i)


def week_of(reader: Reader, number: int, j: int, i: int) -> Reading | None:
    """The week of this number, of the year that is named from j on; the whole begins at i."""
    year, end = year_after(reader, j)
    if reader.mark(j, "/") and reader.kind(j + 1) == "number" and len(reader.tokens[j + 1].text) == 4:
        year, end = int(reader.tokens[j + 1].text), j + 2
    if year is not None:
        found = iso_week(year, number, relative=False)
        return None if found is None else Reading(found, end)
    k = j + (reader.word(j) in _NO_YEAR)
    if reader.word(k) in ("last", "this", "next") and reader.word(k + 1) == "year":
        found = iso_week(reader.now.year + STEPS[reader.word(k)], number)
        return None if found is None else Reading(found, k + 2)
    if k > j:  # week 3 of the course
        return None
    options = [week for years in (-1, 0, 1) if (week := iso_week(reader.now.year + years, number)) is not None]
    week = chosen(reader, i, options)
    return None if week is None else Reading(week, j)


def year_and_week(reader: Reader, i: int) -> Reading | None:
    """2026-W23, 2026W23, 2026 W23, W23 2026, W23/2026."""
    one, other = (int(digits) for digits in _DIGITS.findall(reader.tokens[i].text))
    year, number = max(one, other), min(one, other)
    found = iso_week(year, number, relative=False) if FIRST_YEAR <= year <= LAST_YEAR else None
    return None if found is None else Reading(found, i + 1)


def iso_week(year: int, number: int, *, relative: bool = True) -> Interval | None:
    """The week of this number, from its Monday; None where the year has none such."""
    try:
        start = datetime.fromisocalendar(year, number, 1)
    except ValueError:
        return None
    return Interval(start, start + 7 * DAY, "week", relative)


def half(reader: Reader, i: int) -> Reading | None:
    """H1 2026, H2 of 2026, 2026 H1, H1 of last year: a half of a year that is named."""
    if reader.kind(i) == "number":
        year = int(reader.tokens[i].text[:5])
        if not FIRST_YEAR <= year <= LAST_YEAR:
            return None
        return Reading(_half(year, int(reader.tokens[i + 1].text[1]), relative=False), i + 2)
    which = int(reader.tokens[i].text[1])
    named, end = slashed_year(reader, i + 1)
    if named is not None:
        return Reading(_half(named, which, relative=False), end)
    k = i + 1 + (reader.word(i + 1) == "of")
    if reader.word(k) in ("last", "this", "next") and reader.word(k + 1) == "year":
        return Reading(_half(reader.now.year + STEPS[reader.word(k)], which, relative=True), k + 2)
    return None


def _half(year: int, which: int, *, relative: bool) -> Interval:
    whole = unit_at("year", datetime(year, 1, 1))
    middle = datetime(year, 7, 1)
    edges = (whole.start, middle) if which == 1 else (middle, whole.end)
    return Interval(*edges, "season", relative)
