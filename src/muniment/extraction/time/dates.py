"""Calendar dates: numeric ones, and those with the name of a month or a year alone, with whatever of them is said."""

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from muniment.extraction.time.calendar import Interval, move, unit_at
from muniment.extraction.time.languages import (
    CONNECTIVES,
    FOREIGN_MONTHS,
    INTRODUCTIONS,
    LOCAL_MONTHS,
    LOCAL_ORDINALS,
    LOCAL_UNITS,
    STEPS_OF,
    YEAR_WORDS,
)
from muniment.extraction.time.reader import Reader, Reading
from muniment.extraction.time.spans import Grain
from muniment.extraction.time.tense import chosen
from muniment.extraction.time.vocabulary import (
    AFTER_YEARS,
    DOUBTFUL_MONTHS,
    MONTH_INTRODUCTIONS,
    MONTHS,
    MONTHS_SHORT,
    NOT_BEFORE_DATES,
    NOT_BEFORE_YEARS,
    NOT_YEARS,
    ORDINALS,
    WEEKDAYS,
    WEEKDAYS_SHORT,
    YEAR_INTRODUCTIONS,
)

FIRST_YEAR: Final = 1900
LAST_YEAR: Final = 2100
_YEAR_STEPS: Final = {"last": -1, "this": 0, "next": 1}
_DAY_SIGNS: Final = frozenset("日号號일")
_DIGITS: Final = re.compile(r"\d+")
_OFFSET: Final = re.compile(r"(Z|[+-]\d{2}:?\d{2})$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Calendar:
    """A date as far as it is said. A day has a month, unless it stands in a range whose other end has it."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    counted: bool = False  # whether the year was counted from the reference: "May last year"

    def resolved(self, reader: Reader, i: int) -> Interval | None:
        """The day, month or year; without a year the one that the sentence means (see ``tense.chosen``)."""
        if self.month is None:
            if self.year is None or self.day is not None:
                return None
            return unit_at("year", datetime(self.year, 1, 1), relative=self.counted)
        if self.year is not None:
            return self._in(self.year, relative=self.counted)
        years = range(reader.now.year - 8, reader.now.year + 9)  # 29 February comes back within eight years
        options = [found for year in years if (found := self._in(year, relative=True)) is not None]
        return chosen(reader, i, options)

    def _in(self, year: int, *, relative: bool) -> Interval | None:
        try:
            start = datetime(year, self.month or 1, self.day or 1)
        except ValueError:
            return None
        return unit_at("month" if self.day is None else "day", start, relative=relative)


@dataclass(frozen=True, slots=True)
class CalendarReading:
    """A calendar date that ends before token ``end``."""

    date: Calendar
    end: int


def numeric_date(reader: Reader, i: int) -> Reading | None:
    """2023-06-09, 2023/6/9, 09.06.2023 (day first), 6/9/2023 and 6-9-2023 (English: month first if possible)."""
    token = reader.tokens[i]
    if token.kind == "years":
        first, last = (int(part) for part in _DIGITS.findall(token.text))
        if not (FIRST_YEAR <= first < last <= LAST_YEAR):
            return None
        return Reading(Interval(datetime(first, 1, 1), datetime(last + 1, 1, 1), "year"), i + 1)
    if token.kind != "date" or reader.word(i - 1) in NOT_BEFORE_DATES:
        return None
    parts = [int(part) for part in _DIGITS.findall(token.text)]
    if token.text[-1] in _DAY_SIGNS and len(parts) == 2:
        return _month_and_day(reader, i, *parts)
    if len(_DIGITS.match(token.text).group()) == 4:  # type: ignore[union-attr]  # it begins with digits
        return _year_first(reader, i, parts)
    one, two, year = parts[0], parts[1], _full_year(reader, token.text, parts[2])
    day_first = "." in token.text or reader.language != "english"
    day, month = (one, two) if (day_first and two <= 12) or one > 12 else (two, one)
    if "." in token.text and len(token.text) < 8:  # 1.2.23 is a version as likely as a date
        return None
    return _day(year, month, day, i + 1)


def _month_and_day(reader: Reader, i: int, month: int, day: int) -> Reading | None:
    """7月3日, 7월 3일: of the year that the sentence means."""
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    interval = Calendar(None, month, day).resolved(reader, i)
    return None if interval is None else Reading(interval, i + 1)


def _full_year(reader: Reader, text: str, year: int) -> int:
    if len(_DIGITS.findall(text)[2]) == 4:
        return year
    return year + (2000 if year <= reader.now.year % 100 + 20 else 1900)


def _year_first(reader: Reader, i: int, parts: list[int]) -> Reading | None:
    if len(parts) == 1:
        return Reading(unit_at("year", datetime(parts[0], 1, 1), relative=False), i + 1)
    if len(parts) == 2:
        if not FIRST_YEAR <= parts[0] <= LAST_YEAR or not 1 <= parts[1] <= 12:
            return None
        return Reading(unit_at("month", datetime(parts[0], parts[1], 1), relative=False), i + 1)
    if len(parts) == 3:
        return _day(parts[0], parts[1], parts[2], i + 1)
    return _moment(reader, reader.tokens[i].text, i + 1)


def _moment(reader: Reader, text: str, end: int) -> Reading | None:
    grain = "minute" if text.count(":") == 1 + (_OFFSET.search(text[11:]) is not None and text[-3] == ":") else "second"
    try:
        moment = datetime.fromisoformat(text.upper())
    except ValueError:
        return None
    if moment.tzinfo is not None:
        offset = moment.utcoffset() or timedelta()
        moment = moment.replace(tzinfo=None) - offset + (reader.zone_offset or timedelta())
    return Reading(unit_at("minute" if grain == "minute" else "second", moment, relative=False), end)


def _day(year: int, month: int, day: int, end: int) -> Reading | None:
    try:
        start = datetime(year, month, day)
    except ValueError:
        return None
    return Reading(unit_at("day", start, relative=False), end)


def calendar_date(reader: Reader, i: int) -> CalendarReading | None:
    """9 June 2023, the 9th of June, June 9th, 2023, Friday 9 June, June 2023, June, 2023: what of it stands at i."""
    if i >= len(reader.tokens):
        return None
    if (reader.word(i) in WEEKDAYS or reader.word(i) in WEEKDAYS_SHORT) and reader.kind(i + 1):
        j = i + 1
        while reader.mark(j, ".,") or reader.word(j) in ("the", "den"):
            j += 1
        found = _day_month(reader, j) or _month_day(reader, j)
        return found if found is not None and found.date.day is not None else None
    return _day_month(reader, i) or _month_day(reader, i) or _month(reader, i) or _year_alone(reader, i)


def _day_month(reader: Reader, i: int) -> CalendarReading | None:
    day, j = day_number(reader, i)
    if day is None:
        return None
    dotted = reader.mark(j, ".") and reader.kind(i) == "number"
    j += dotted
    while reader.word(j) in CONNECTIVES:
        j += 1
    month, foreign = _month_name(reader, j)
    if month is None or (foreign is False and dotted):
        return None
    j += 1 + reader.mark(j + 1, ".") * (reader.word(j) in MONTHS_SHORT)
    year, end, counted = year_behind(reader, j)
    if year is None and foreign and reader.language == "english":
        return None
    if (
        year is None
        and reader.word(j - 1) in DOUBTFUL_MONTHS
        and not reader.capital(j - 1)
        and reader.kind(i) != "ordinal"
    ):
        return None
    return CalendarReading(Calendar(year, month, day, counted), end)


def _month_day(reader: Reader, i: int) -> CalendarReading | None:
    month, foreign = _month_name(reader, i)
    if month is None or foreign:
        return None
    j = i + 1 + (reader.mark(i + 1, ".") and reader.word(i) in MONTHS_SHORT)
    j += reader.word(j) == "the"
    day, end = day_number(reader, j)
    if day is None or (reader.kind(j) == "word" and reader.word(j - 1) != "the"):
        return None
    if reader.word(i) in DOUBTFUL_MONTHS and not reader.capital(i) and reader.kind(j) != "ordinal":
        return None
    if reader.word(end) in NOT_YEARS:
        return None
    year, end, counted = year_behind(reader, end)
    return CalendarReading(Calendar(year, month, day, counted), end)


def _month(reader: Reader, i: int) -> CalendarReading | None:
    month, foreign = _month_name(reader, i)
    if month is None or day_number(reader, i - 1)[0] is not None:  # 30 February is no day, and not February either
        return None
    name = reader.word(i)
    introduction = reader.word(i - 2) if reader.mark(i - 1, "-") else reader.word(i - 1)  # mid-April
    j = i + 1 + (reader.mark(i + 1, ".") and name in MONTHS_SHORT and reader.kind(i + 2) == "number")
    j += reader.word(j) in CONNECTIVES and reader.kind(j + 1) in ("number", "word")
    year, end, counted = year_behind(reader, j)
    if year is not None and not (counted and name in DOUBTFUL_MONTHS and not reader.capital(i) and not foreign):
        return CalendarReading(Calendar(year, month, counted=counted), end)
    if foreign:
        own = name in LOCAL_MONTHS.get(reader.language, {})
        known = own and introduction in INTRODUCTIONS.get(reader.language, frozenset())
        return CalendarReading(Calendar(None, month), i + 1) if known else None
    if name in MONTHS_SHORT:
        plain = introduction in MONTH_INTRODUCTIONS and reader.capital(i)
    elif name in DOUBTFUL_MONTHS:
        plain = introduction in MONTH_INTRODUCTIONS and not (name in ("may", "march") and _goes_on(reader, i))
    else:
        plain = True
    return CalendarReading(Calendar(None, month), i + 1) if plain else None


def _goes_on(reader: Reader, i: int) -> bool:
    """Whether a small "may" or "march" has the look of a verb: what stands behind it is no end and no comma."""
    return not reader.capital(i) and reader.word(i + 1) in ("be", "have", "on", "not", "well", "also", "or", "against")


def _month_name(reader: Reader, i: int) -> tuple[int | None, bool]:
    """The month named at i, and whether in another language than English."""
    word = reader.word(i)
    if not word:
        return None, False
    if reader.language != "english":
        local = LOCAL_MONTHS.get(reader.language, {}).get(word)
        if local is not None:
            return local, True
    english = MONTHS.get(word) or MONTHS_SHORT.get(word)
    if english is not None:
        return english, False
    return FOREIGN_MONTHS.get(word), True


def day_number(reader: Reader, i: int) -> tuple[int | None, int]:
    """A day of the month at i (9, 9th, ninth), and the token after it."""
    kind = reader.kind(i)
    if kind == "number" and len(reader.tokens[i].text) <= 2 and not reader.before_tokens(i, "$€£#.,:/"):
        day = int(reader.tokens[i].text)
    elif kind == "ordinal":
        day = int(_DIGITS.match(reader.tokens[i].text).group())  # type: ignore[union-attr]  # an ordinal has digits
    elif kind == "word" and reader.word(i) in ORDINALS:
        day = ORDINALS[reader.word(i)]
    elif kind == "word" and reader.word(i) in LOCAL_ORDINALS.get(reader.language, {}):
        day = LOCAL_ORDINALS[reader.language][reader.word(i)]
    else:
        return None, i
    return (day, i + 1) if 1 <= day <= 31 else (None, i)


def year_after(reader: Reader, i: int) -> tuple[int | None, int]:
    """A year behind a month or a season ("2023", ", 2023", "of 2023", "'23"), and the token after it."""
    j = i + (reader.mark(i, ",،") or reader.word(i) in CONNECTIVES)
    if reader.kind(j) == "number" and len(reader.tokens[j].text) == 4:
        year = int(reader.tokens[j].text)
        if 1000 <= year <= LAST_YEAR and reader.word(j + 1) not in NOT_YEARS and _stands_alone(reader, j):
            return year, j + 1
    if reader.mark(j, "'\u2019") and reader.kind(j + 1) == "number" and len(reader.tokens[j + 1].text) == 2:
        short = int(reader.tokens[j + 1].text)
        return short + (2000 if short <= reader.now.year % 100 + 20 else 1900), j + 2
    return None, i


def slashed_year(reader: Reader, i: int) -> tuple[int | None, int]:
    """As ``year_after``, also "/2026"."""
    if reader.mark(i, "/") and reader.kind(i + 1) == "number" and len(reader.tokens[i + 1].text) == 4:
        year = int(reader.tokens[i + 1].text)
        return (year, i + 2) if FIRST_YEAR <= year <= LAST_YEAR else (None, i)
    return year_after(reader, i)


def year_behind(reader: Reader, i: int) -> tuple[int | None, int, bool]:
    """As ``year_after``, also a year that is counted from the reference, and whether it is."""
    year, end = year_after(reader, i)
    if year is not None:
        return year, end, False
    step, end = year_beside(reader, i)
    return (None, i, False) if step is None else (reader.now.year + step, end, True)


def year_beside(reader: Reader, i: int) -> tuple[int | None, int]:
    """Last year, of this year, letzten Jahres, de l'année dernière, del año pasado: how many years away, and the token
    after it."""
    j = i + reader.mark(i, ",")
    while reader.word(j) in CONNECTIVES or reader.word(j) in ("in", "im", "des", "el"):
        j += 1
    steps = _YEAR_STEPS if reader.language == "english" else STEPS_OF.get(reader.language, {})
    years: dict[str, Grain] = {"year": "year"} if reader.language == "english" else LOCAL_UNITS.get(reader.language, {})
    for word, name in ((reader.word(j), reader.word(j + 1)), (reader.word(j + 1), reader.word(j))):
        name = name.removeprefix("l'")
        if word in steps and years.get(name) == "year":
            return steps[word], j + 2
    return None, i


def _stands_alone(reader: Reader, i: int) -> bool:
    """Whether the number at i is no part of a longer one: 3.2023, 2023.5, 555-2023, #2023, 2023%."""
    token, text = reader.tokens[i], reader.text
    behind = text[token.last : token.last + 2]
    if behind[:1] in ("%", "_") or (behind[:1] in (".", ",", ":", "-", "/") and behind[1:].isdigit()):
        return False
    return not reader.before_tokens(i, "$€£#.:/@_") and not (
        reader.before_tokens(i, "-\u2013,") and token.first > 1 and text[token.first - 2].isdigit()
    )


def _year_alone(reader: Reader, i: int) -> CalendarReading | None:
    token = reader.tokens[i]
    if token.kind != "number" or len(token.text) != 4 or not FIRST_YEAR <= int(token.text) <= LAST_YEAR:
        return None
    following, introduction = reader.word(i + 1), reader.word(i - 1)
    if (
        following in NOT_YEARS
        or introduction in NOT_BEFORE_YEARS
        or introduction in MONTHS
        or not _stands_alone(reader, i)
    ):
        return None
    introduced = introduction in YEAR_INTRODUCTIONS or introduction in YEAR_WORDS.get(reader.language, ())
    if not introduced and following and following not in AFTER_YEARS:
        return None
    if reader.kind(i + 1) in ("quarter", "half") or (
        not introduction and reader.kind(i - 1) in ("number", "clock", "date", "opaque")
    ):
        return None
    return CalendarReading(Calendar(int(token.text)), i + 1)


def joined(first: Calendar, last: Calendar) -> tuple[Calendar, Calendar] | None:
    """The two ends of a range, each with what only the other says: "3 to 5 May", "May to July 2023"."""
    if first.month is None and first.day is not None:
        first = replace(first, month=last.month)
    if last.month is None and last.day is not None:
        last = replace(last, month=first.month)
    if first.year is None and last.year is not None:
        wraps = (first.month or 1, first.day or 1) > (last.month or 12, last.day or 31)
        first = replace(first, year=last.year - wraps, counted=last.counted)
    elif last.year is None and first.year is not None:
        wraps = (first.month or 1, first.day or 1) > (last.month or 12, last.day or 31)
        last = replace(last, year=first.year + wraps, counted=first.counted)
    for end in (first, last):
        if end.day is not None and end.month is None:
            return None
    return first, last


def step_year(interval: Interval, years: int) -> Interval:
    """The interval some years later."""
    return Interval(
        move(interval.start, "year", years), move(interval.end, "year", years), interval.grain, interval.relative
    )
