"""Single times in English: days and their parts, weekdays, units beside today, seasons, quarters, decades, holidays."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from muniment.extraction.time.calendar import DAY, Interval, move, third, unit_at, weekend_at
from muniment.extraction.time.dates import Calendar, calendar_date, numeric_date
from muniment.extraction.time.periods import (
    decade,
    decade_start,
    holiday,
    quarter,
    season,
    season_beside,
    year_and_quarter,
)
from muniment.extraction.time.reader import Reader, Reading, small_number
from muniment.extraction.time.tense import tense_at
from muniment.extraction.time.vocabulary import (
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
from muniment.extraction.time.weeks import half, iso_week, numbered_week, year_and_week

_CLOCK: Final = re.compile(r"(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?\s?([ap])?")
_ON: Final = frozenset({"on", "by", "since", "until", "till", "before", "after", "from", "to", "through", "every"})
_COUNTED: Final = frozenset({"day", "week", "weekend", "half"})


def point(reader: Reader, i: int) -> Reading | None:
    """The time that begins at token i, with the clock time or the part of the day that stands beside it."""
    kind = reader.kind(i)
    if kind == "clock":
        return _clock_first(reader, i)
    found = _bare_point(reader, i)
    if found is None or found.interval.end - found.interval.start != DAY:
        return found
    return _part_or_clock(reader, found)


def _bare_point(reader: Reader, i: int) -> Reading | None:
    kind = reader.kind(i)
    if kind in ("date", "years"):
        return numeric_date(reader, i)
    if kind == "number" and reader.kind(i + 1) == "quarter":
        return year_and_quarter(reader, i)
    if kind == "half" or (kind == "number" and reader.kind(i + 1) == "half"):
        return half(reader, i)
    if kind == "isoweek":
        return year_and_week(reader, i)
    if kind in ("decade", "quarter"):
        return decade(reader, i) if kind == "decade" else quarter(reader, i)
    word = reader.word(i)
    if word in ("week", "kw", "cw") and (found := numbered_week(reader, i)) is not None:
        return found
    if word == "calendar" and reader.word(i + 1) == "week":
        return numbered_week(reader, i + 1)
    if word == "the":
        return _with_article(reader, i)
    if (word in ORDINALS or word in ("last", "final") or kind == "ordinal") and (
        found := _counted_in(reader, i)
    ) is not None:
        return found
    if word in DAYS:
        return _day_word(reader, i)
    if word in STEPS:
        return _beside_now(reader, i)
    if word in THIRDS:
        return _part_of(reader, i)
    if word in HOLIDAY_STARTS and (found := holiday(reader, i)) is not None:
        return found
    if word in SEASONS and (found := season(reader, i)) is not None:
        return found
    if word in PARTS:
        return _part_first(reader, i)
    if word in ORDINALS and reader.word(i + 1) == "quarter":
        return quarter(reader, i)
    if word == "weekend" and reader.word(i - 1) in ("the", "over", "at", "on"):
        return _weekend(reader, i)
    if word in ("year", "month") and reader.word(i - 1) in ("the", "in"):
        return _named_unit(reader, i)
    date = calendar_date(reader, i)
    if date is not None:
        interval = date.date.resolved(reader, i)
        return None if interval is None else Reading(interval, date.end)
    return _weekday(reader, i) if word in WEEKDAYS or word in WEEKDAYS_SHORT else None


def _with_article(reader: Reader, i: int) -> Reading | None:
    word = reader.word(i + 1)
    if word in DECADES:
        return Reading(unit_at("decade", decade_start(reader, DECADES[word])), i + 2)
    if word in ("week", "weekend"):
        return _week_of(reader, i + 1) or (_weekend(reader, i + 1) if word == "weekend" else None)
    if word == "day" or word == "the":
        return None
    found = _bare_point(reader, i + 1)
    if word in HOLIDAY_STARTS and found is not None and found.interval.relative and word not in MONTHS:
        return None  # the Christmas tree
    return found


def _named_unit(reader: Reader, i: int) -> Reading | None:
    """The year 2023, the month of May."""
    j = i + 1 + (reader.word(i + 1) == "of")
    date = calendar_date(reader, j)
    if date is None or date.date.day is not None or (reader.word(i) == "month") != (date.date.month is not None):
        return None
    interval = date.date.resolved(reader, i)
    return None if interval is None else Reading(interval, date.end)


def _week_of(reader: Reader, i: int) -> Reading | None:
    """The week of 9 June, the weekend of 9 June."""
    if reader.word(i + 1) != "of":
        return None
    found = point(reader, i + 2)
    if found is None or found.interval.end - found.interval.start > DAY:
        return None
    day = found.interval.start
    week = weekend_at(day) if reader.word(i) == "weekend" else unit_at("week", day)
    return Reading(Interval(week.start, week.end, week.grain, found.interval.relative), found.end)


def _day_word(reader: Reader, i: int) -> Reading:
    day = reader.today + DAY * DAYS[reader.word(i)]
    if reader.word(i) == "tonight":
        return Reading(_part(day, "night"), i + 1)
    return Reading(unit_at("day", day), i + 1)


def _part(day: datetime, part: str, *, relative: bool = True) -> Interval:
    first, last = PARTS[part]
    return Interval(day + timedelta(hours=first), day + timedelta(hours=last), "hour", relative)


def _beside_now(reader: Reader, i: int) -> Reading | None:
    """Last, this or next: Friday, week, weekend, May, summer, Christmas, night; the past two weeks."""
    step, j = STEPS[reader.word(i)], i + 1
    trailing = reader.word(i) == "past" or (reader.word(i) == "last" and reader.word(i - 1) == "the")
    if reader.word(j) == "year" and reader.word(j + 1) in ("in", "on", ","):
        within = calendar_date(reader, j + 2)
        if within is not None and within.date.year is None and within.date.month is not None:
            date = replace(within.date, year=reader.now.year + step, counted=True)
            interval = date.resolved(reader, i)
            return None if interval is None else Reading(interval, within.end)
    amount = amount_at(reader, j)
    if amount is not None and amount[2] in UNITS and step and reader.word(i) != "this":
        return _trailing(reader, step, amount)
    word = reader.word(j)
    if word in WEEKDAYS or (word in WEEKDAYS_SHORT and reader.capital(j)):
        return Reading(unit_at("day", weekday_beside(reader, (WEEKDAYS | WEEKDAYS_SHORT)[word], step)), j + 1)
    if word in PARTS and (step == 0 or (word == "night" and step == -1)):
        return Reading(_part(reader.today + DAY * step, word), j + 1)
    if word == "weekend":
        return Reading(weekend_at(reader.today + 7 * DAY * step), j + 1)
    if word in ("week", "month", "quarter", "year", "decade", "century"):
        if trailing and word != "century":
            return Reading(Interval(move(reader.today, UNITS[word], -1), reader.today + DAY, UNITS[word], True), j + 1)
        return Reading(unit_at(UNITS[word], move(reader.today.replace(day=min(reader.today.day, 28)), UNITS[word], step)
                               if word != "week" else reader.today + 7 * DAY * step), j + 1)  # fmt: skip
    if word in SEASONS and (step or reader.word(j + 1) not in ("is", "may")):
        return Reading(season_beside(reader, SEASONS[word], step), j + 1)
    if (word in MONTHS and (step or reader.capital(j))) or (word in MONTHS_SHORT and reader.capital(j)):
        return _month_beside(reader, j, step)
    found = holiday(reader, j, step) if word in HOLIDAY_STARTS else None
    return found


def _counted_in(reader: Reader, i: int) -> Reading | None:
    """The second week of November, the last weekend of June, the first Monday in May, the second half of 2022."""
    which, unit = reader.word(i), reader.word(i + 1)
    number = ORDINALS.get(which) or (-1 if which in ("last", "final") else 0)
    if reader.kind(i) == "ordinal":
        number = int("".join(sign for sign in reader.tokens[i].text if sign.isdigit()))
    if not number or reader.word(i + 2) not in ("of", "in") or (unit not in _COUNTED and unit not in WEEKDAYS):
        return None
    outer = _whole(reader, i + 3 + (reader.word(i + 3) == "the"))
    if outer is not None and unit == "week" and outer.interval.grain == "year" and number > 5:
        week = iso_week(outer.interval.start.year, number, relative=outer.interval.relative)
        return None if week is None else Reading(week, outer.end)
    if outer is None or outer.interval.end - outer.interval.start < 28 * DAY:
        return None
    start, end = outer.interval.start, outer.interval.end
    if unit == "half":
        if number not in (1, 2):
            return None
        middle = start + DAY * ((end - start).days // 2)
        middle = start.replace(month=7) if outer.interval.grain == "year" else middle
        part = (start, middle) if number == 1 else (middle, end)
        return Reading(Interval(*part, outer.interval.grain, outer.interval.relative), outer.end)
    length = {"day": 1, "weekend": 2, "week": 7}.get(unit, 1)
    weekday = 5 if unit == "weekend" else WEEKDAYS.get(unit)
    step = 7 if unit != "day" else 1
    if number > 0:
        first = start if weekday is None else start + DAY * ((weekday - start.weekday()) % 7)
        first += DAY * step * (number - 1)
    else:
        first = end - DAY * length
        first -= DAY * (0 if weekday is None else (first.weekday() - weekday) % 7)
    if not start <= first < end:
        return None
    grain = "week" if unit == "week" else "day"
    stop = first + DAY * length
    return Reading(Interval(first, stop, "week" if grain == "week" else "day", outer.interval.relative), outer.end)


def _whole(reader: Reader, i: int) -> Reading | None:
    """A longer time of which a part is told; behind that even "May" alone is the month."""
    found = _bare_point(reader, i)
    if found is not None or reader.word(i) not in MONTHS or not reader.capital(i):
        return found
    month = Calendar(None, MONTHS[reader.word(i)]).resolved(reader, i)
    return None if month is None else Reading(month, i + 1)


def weekday_beside(reader: Reader, weekday: int, step: int) -> datetime:
    """The last such day before today (-1), that of this week (0), or the first after today (1)."""
    today = reader.today
    if step < 0:
        return today - DAY * ((today.weekday() - weekday - 1) % 7 + 1)
    if step > 0:
        return today + DAY * ((weekday - today.weekday() - 1) % 7 + 1)
    return today + DAY * (weekday - today.weekday())


def _trailing(reader: Reader, step: int, amount: tuple[int, int, str, int]) -> Reading | None:
    _, count, unit, end = amount
    grain = UNITS[unit]
    if count > 1000:
        return None
    edge = reader.now if grain in ("second", "minute", "hour") else reader.today
    if step < 0:
        stop = edge if edge is reader.now else edge + DAY
        return Reading(Interval(move(edge, grain, -count), stop, grain, True), end)
    return Reading(Interval(edge, move(edge, grain, count), grain, True), end)


def _month_beside(reader: Reader, i: int, step: int) -> Reading | None:
    """Last May: the latest that is over. Next May: the first that has not begun. This May: that of this year."""
    word = reader.word(i)
    start = datetime(reader.now.year, MONTHS.get(word) or MONTHS_SHORT[word], 1)
    options = [unit_at("month", move(start, "year", years)) for years in range(-2, 3)]
    if step < 0:
        found = [month for month in options if month.end <= reader.now][-1]
    elif step > 0:
        found = next(month for month in options if month.start > reader.now)
    else:
        found = options[2]
    return Reading(found, i + 1)


def _part_of(reader: Reader, i: int) -> Reading | None:
    """Early May, mid-2022, late last year, the beginning of June, the end of the week."""
    which, j = THIRDS[reader.word(i)], i + 1
    j += reader.mark(j, "-")
    if reader.word(i) in ("beginning", "start", "middle", "end"):
        if reader.word(j) != "of":
            return None
        j += 1
    elif reader.word(j) == "in" or reader.word(j) == "of":
        j += 1
    j += reader.word(j) == "the" and reader.kind(j + 1) != "word"
    found = _whole(reader, j)
    if found is None or found.interval.end - found.interval.start < 7 * DAY:
        return None
    return Reading(third(found.interval, which), found.end)


def _part_first(reader: Reader, i: int) -> Reading | None:
    """The morning of 9 June, the evening before: a part of a day that is named behind it."""
    if reader.word(i + 1) != "of":
        return None
    found = _bare_point(reader, i + 2)
    if found is None or found.interval.end - found.interval.start != DAY:
        return None
    return Reading(_part(found.interval.start, reader.word(i), relative=found.interval.relative), found.end)


def _part_or_clock(reader: Reader, found: Reading) -> Reading:
    j = found.end
    if reader.word(j) in PARTS:
        return Reading(_part(found.interval.start, reader.word(j), relative=found.interval.relative), j + 1)
    k = j + (reader.mark(j, ",") or reader.word(j) in ("at", "around", "about"))
    k += reader.word(k) in ("at", "around", "about")
    if reader.kind(k) == "clock" and (at := _at_clock(reader, k, found.interval)) is not None:
        return Reading(at, k + 1)
    return found


def _clock_first(reader: Reader, i: int) -> Reading | None:
    """5 pm on 9 June, 17:30 yesterday: a clock time, where a day is given behind it."""
    j = i + 1
    while reader.word(j) in ("on", "of", "the") or reader.mark(j, ","):
        j += 1
    found = _bare_point(reader, j)
    if found is None or found.interval.end - found.interval.start != DAY:
        return None
    at = _at_clock(reader, i, found.interval)
    return None if at is None else Reading(at, found.end)


def _at_clock(reader: Reader, i: int, day: Interval) -> Interval | None:
    match = _CLOCK.match(reader.tokens[i].text)
    if match is None:
        return None
    hour, minute, second, half = match.groups()
    hours = int(hour) if half is None else int(hour) % 12 + 12 * (half == "p")
    if hours > 23 or int(minute or 0) > 59 or int(second or 0) > 59 or (half is not None and int(hour) > 12):
        return None
    moment = day.start.replace(hour=hours, minute=int(minute or 0), second=int(second or 0))
    grain = "second" if second else "minute" if minute else "hour"
    return unit_at("second" if second else "minute" if grain == "minute" else "hour", moment, relative=day.relative)


def _weekend(reader: Reader, i: int) -> Reading | None:
    """The weekend: that of this week once it has begun, else the last; in talk of the future this week's."""
    if reader.word(i + 1) in ("before", "after", "of"):
        return None
    this = weekend_at(reader.today)
    begun = this.start <= reader.now or tense_at(reader, i) == "ahead"
    return Reading(this if begun else weekend_at(reader.today - 7 * DAY), i + 1)


def _weekday(reader: Reader, i: int) -> Reading | None:
    """On Friday: the latest, today counted; in talk of the future the next."""
    word = reader.word(i)
    if word in WEEKDAYS_SHORT and not (reader.capital(i) and reader.word(i - 1) in _ON):
        return None
    if reader.word(i - 1) == "every" or reader.word(i - 2) == "every":
        return None
    weekday = (WEEKDAYS | WEEKDAYS_SHORT)[word]
    if tense_at(reader, i) == "ahead":
        return Reading(unit_at("day", weekday_beside(reader, weekday, 1)), i + 1)
    day = reader.today if reader.today.weekday() == weekday else weekday_beside(reader, weekday, -1)
    return Reading(unit_at("day", day), i + 1)


def amount_at(reader: Reader, i: int) -> tuple[int, int, str, int] | None:
    """An amount of a unit ("two weeks", "a couple of days", "a year"): least, most, unit, and the token after it."""
    j, word = i, reader.word(i)
    if word in ("a", "an") and reader.word(i + 1) in VAGUE:
        j, word = i + 1, reader.word(i + 1)
    if word in VAGUE:
        least, most = VAGUE[word]
        j += 1 + (reader.word(j + 1) == "of")
    elif word in ("a", "an"):
        least, most, j = 1, 1, j + 1
    else:
        number = small_number(reader.tokens[i], NUMBERS) if i < len(reader.tokens) else None
        if number is None or not 1 <= number <= 5000 or reader.before_tokens(i, "$€£.,:-"):
            return None
        least, most, j = number, number, j + 1
    unit = PLURALS.get(reader.word(j), reader.word(j))
    if unit == "fortnight":
        least, most = 2 * least, 2 * most
    return (least, most, unit, j + 1) if unit in UNITS else None
