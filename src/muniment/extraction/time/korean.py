"""Reads yesterday, last week, three days ago and the like in Korean, wherever it stands."""

from muniment.extraction.time.calendar import DAY, Interval, move, unit_at, weekend_at
from muniment.extraction.time.korean_words import (
    AGO,
    AMOUNTS,
    DAYS,
    JOINED,
    MONTH,
    MONTHS,
    NUMBERS,
    STEPPED,
    STEPS,
    UNITS,
    WEEKDAYS,
    WEEKEND,
    YEARS,
)
from muniment.extraction.time.reader import Reader, Reading, small_number
from muniment.extraction.time.spans import Grain


def korean_time(reader: Reader, i: int) -> Reading | None:
    """어제, 지난주 금요일, 지난 달, 작년 5월, 3일 전, 한 달 전: the time at i."""
    word = reader.word(i)
    if word in DAYS:
        return Reading(unit_at("day", reader.today + DAY * DAYS[word]), i + 1)
    if word in YEARS:
        return _year(reader, YEARS[word], i + 1)
    if word in MONTHS:
        return Reading(_beside(reader, "month", MONTHS[word]), i + 1)
    if word in JOINED:
        return _stepped(reader, *JOINED[word], i + 1)
    if word in STEPS:
        return _after_step(reader, word, i + 1)
    return _ago(reader, i)


def _beside(reader: Reader, grain: Grain, step: int) -> Interval:
    return unit_at(grain, move(reader.now, grain, step))


def _year(reader: Reader, step: int, end: int) -> Reading:
    """The year, or the month of it that is named behind it: 작년 5월."""
    year = _beside(reader, "year", step)
    month = small_number(reader.tokens[end], {}) if end < len(reader.tokens) else None
    if month is None or not 1 <= month <= 12 or reader.word(end + 1) != MONTH:
        return Reading(year, end)
    return Reading(unit_at("month", year.start.replace(month=month)), end + 2)


def _after_step(reader: Reader, step: str, i: int) -> Reading | None:
    """Behind 지난, 이번 or 다음: a week, a month, a weekend, the year, or a day of the week."""
    word = reader.word(i)
    if word in STEPPED or word == WEEKEND:
        return _stepped(reader, step, word, i + 1)
    if word == "해" and STEPS[step] < 0:  # 다음 해 is the year after another
        return _year(reader, STEPS[step], i + 1)
    if word in WEEKDAYS and step == "지난":
        days = (reader.today.weekday() - WEEKDAYS[word] - 1) % 7 + 1
        return Reading(unit_at("day", reader.today - DAY * days), i + 1)
    return None


def _stepped(reader: Reader, step: str, unit: str, end: int) -> Reading:
    """The week (or a day of it that is named behind it), weekend or month so many away."""
    if unit == WEEKEND:
        return Reading(weekend_at(reader.now + 7 * DAY * STEPS[step]), end)
    interval = _beside(reader, STEPPED[unit], STEPS[step])
    if unit == "주" and reader.word(end) == WEEKEND:
        return Reading(weekend_at(interval.start), end + 1)
    if unit == "주" and reader.word(end) in WEEKDAYS:
        return Reading(unit_at("day", interval.start + DAY * WEEKDAYS[reader.word(end)]), end + 1)
    return Reading(interval, end)


def _ago(reader: Reader, i: int) -> Reading | None:
    """3일 전, 두 달 전, 사흘전: the unit that holds the day so long ago."""
    word = reader.word(i)
    if word.removesuffix(AGO) in AMOUNTS:
        (number, grain), last = AMOUNTS[word.removesuffix(AGO)], word
    else:
        counted, last = small_number(reader.tokens[i], NUMBERS), reader.word(i + 1)
        unit = UNITS.get(last.removesuffix(AGO))
        if counted is None or unit is None:
            return None
        number, grain, i = counted, unit, i + 1
    if not last.endswith(AGO):
        i += 1
        if reader.word(i) != AGO:
            return None
    return Reading(unit_at(grain, move(reader.now, grain, -number)), i + 1)
