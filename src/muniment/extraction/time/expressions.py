"""Time expressions in a text, resolved to intervals against a reference time.

Dates without a year, and weekdays, are the latest that have begun, today counted, where the sentence tells of what is
past; where it speaks of what lies ahead ("is on", "opens", "I'm flying", "please", "will"), the next (see ``tense``).
Where it does not tell, a date is the nearest, and a weekday the latest. Weeks begin on Monday, seasons are the northern
hemisphere's; 6/9/2023 is month first in English unless that is impossible; mornings are 6 to 12, afternoons 12 to 18,
evenings 18 to 24, and nights 18 to 6. "Three weeks ago" is the week that holds that day, and so with months and years.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from muniment.extraction.time.beginnings import BEGINNINGS
from muniment.extraction.time.calendar import DAY, Interval, away, move, unit_at, weekend_at
from muniment.extraction.time.dates import Calendar, CalendarReading, calendar_date, day_number, joined, year_after
from muniment.extraction.time.foreign_days import foreign_day
from muniment.extraction.time.local import local
from muniment.extraction.time.points import amount_at, point, weekday_beside
from muniment.extraction.time.reader import Reader, Reading, small_number
from muniment.extraction.time.spans import Bound, TimeSpan
from muniment.extraction.time.tense import tense_at
from muniment.extraction.time.tokens import Token, tokens_of
from muniment.extraction.time.vocabulary import (
    BOUNDS,
    DONE,
    MONTHS,
    MONTHS_SHORT,
    NUMBERS,
    PARTS,
    SEASONS,
    UNITS,
    WEEKDAYS,
)

_EARLIEST: Final = 2
_LATEST: Final = 9997  # so that no zone moves an end beyond what datetime knows
_JOINTS: Final = frozenset({"to", "until", "till", "through", "bis"})
_APPROXIMATE: Final = frozenset({"about", "around", "roughly", "almost", "nearly", "over"})


def intervals_in(text: str, reference: datetime, language: str = "english") -> list[TimeSpan]:
    """The time expressions of a text in its order, resolved against the reference in the reference's zone.

    ``language`` is a name among PostgreSQL's text search configurations. A naive reference gives naive intervals.
    Raises nothing; what lies beyond the years that ``datetime`` knows is left out. Linear in the text.
    """
    return list(read_intervals(text, reference, language))


def read_intervals(text: str, reference: datetime, language: str = "english") -> Iterator[TimeSpan]:
    """What ``intervals_in`` gives, one after the other."""
    reader = Reader(tokens_of(text), text, reference.replace(tzinfo=None), reference.utcoffset(), language)
    i = 0
    while i < len(reader.tokens):
        read = _read(reader, i) if _may_begin(reader.tokens[i]) else None
        if read is None:
            i += 1
            continue
        bound, reading = read
        first, last = reader.tokens[i].first, reader.tokens[reading.end - 1].last
        interval = reading.interval
        zoned = interval.start.replace(tzinfo=reference.tzinfo), interval.end.replace(tzinfo=reference.tzinfo)
        yield TimeSpan(*zoned, text[first:last], first, last, interval.grain, bound, interval.relative)
        i = reading.end


def _may_begin(token: Token) -> bool:
    return token.text in BEGINNINGS if token.kind == "word" else token.kind not in ("mark", "opaque")


def _read(reader: Reader, i: int) -> tuple[Bound, Reading] | None:
    try:
        found = _expression(reader, i)
    except (ValueError, OverflowError):
        return None
    if found is None:
        return None
    start, end = found[1].interval.start, found[1].interval.end
    return found if start < end and start.year >= _EARLIEST and end.year <= _LATEST else None


def _expression(reader: Reader, i: int) -> tuple[Bound, Reading] | None:
    word = reader.word(i)
    foreign = foreign_day(reader, i)
    if foreign is not None:
        return "in", foreign
    if reader.language != "english" and (other := local(reader, i)) is not None:
        return other
    if word in BOUNDS:
        bound: Bound = BOUNDS[word]  # type: ignore[assignment]  # the table holds nothing else
        found = _ago(reader, i + 1) or _range(reader, i + 1) or point(reader, i + 1)
        return None if found is None else (bound, found)
    found = _offset(reader, i) or _beside_anchor(reader, i) or _in_future(reader, i) or _range(reader, i)
    found = found or point(reader, i)
    return None if found is None else ("in", found)


def _offset(reader: Reader, i: int) -> Reading | None:
    """Three days ago; two weeks before 9 June; two weeks from now; a week after Christmas."""
    if reader.kind(i) not in ("number", "word"):
        return None
    return _ago(reader, i) or _from_anchor(reader, i)


def _ago(reader: Reader, i: int) -> Reading | None:
    i += reader.word(i) in _APPROXIMATE
    weekday = _weekdays_ago(reader, i)
    if weekday is not None:
        return weekday
    amount = _half_a_year(reader, i) or _and_a_half(reader, i) or amount_at(reader, i)
    if amount is None:
        return None
    least, most, unit, j = amount
    j += reader.word(j) == "or" and reader.word(j + 1) == "so" and 2
    if reader.word(j) == "ago" or (reader.word(j) == "back" and reader.word(i - 1) not in ("way", "go")):
        return Reading(_counted(reader, unit, -most, -least), j + 1)
    if reader.word(j) == "from" and reader.word(j + 1) in ("now", "today"):
        return Reading(_counted(reader, unit, least, most), j + 2)
    return None


def _half_a_year(reader: Reader, i: int) -> tuple[int, int, str, int] | None:
    if reader.word(i) == "half" and reader.word(i + 1) in ("a", "an") and reader.word(i + 2) == "year":
        return 6, 6, "month", i + 3
    return None


def _and_a_half(reader: Reader, i: int) -> tuple[int, int, str, int] | None:
    """A year and a half, two and a half years: in months."""
    half = ("and", "a", "half")
    whole = amount_at(reader, i)
    if whole is not None and whole[2] == "year" and whole[0] == whole[1]:
        end = whole[3]
        if tuple(reader.word(end + n) for n in range(3)) == half:
            return 12 * whole[0] + 6, 12 * whole[0] + 6, "month", end + 3
    number = small_number(reader.tokens[i], NUMBERS) if i < len(reader.tokens) else None
    if number and tuple(reader.word(i + 1 + n) for n in range(4)) == (*half, "years"):
        return 12 * number + 6, 12 * number + 6, "month", i + 5
    return None


def _weekdays_ago(reader: Reader, i: int) -> Reading | None:
    """Two Fridays ago."""
    number = small_number(reader.tokens[i], NUMBERS) if i < len(reader.tokens) else None
    weekday = WEEKDAYS.get(reader.word(i + 1).removesuffix("s"))
    if weekday is None or not number or number > 100 or reader.word(i + 2) != "ago":
        return None
    return Reading(unit_at("day", weekday_beside(reader, weekday, -1) - 7 * DAY * (number - 1)), i + 3)


def _counted(reader: Reader, unit: str, first: int, last: int) -> Interval:
    """From the unit ``first`` units away from now to the end of that ``last`` away."""
    grain = UNITS[unit]
    start, end = move(reader.now, grain, first), move(reader.now, grain, last)
    if unit == "weekend":
        return Interval(weekend_at(start).start, weekend_at(end).end, "day", True)
    return Interval(unit_at(grain, start).start, unit_at(grain, end).end, grain, True)


def _from_anchor(reader: Reader, i: int) -> Reading | None:
    amount = amount_at(reader, i)
    if amount is None:
        return None
    least, most, unit, j = amount
    side = _side(reader, j)
    if side == 0:
        return None
    anchor = _anchor(reader, j + 1 + (reader.word(j) == "prior"))
    if anchor is None:
        return None
    return Reading(away(anchor.interval, UNITS[unit], least, most, side), anchor.end)


def _side(reader: Reader, i: int) -> int:
    word = reader.word(i)
    if word == "before" or (word == "prior" and reader.word(i + 1) == "to"):
        return -1
    return 1 if word in ("after", "following", "from") else 0


def _anchor(reader: Reader, i: int) -> Reading | None:
    """The time that an offset counts from."""
    return point(reader, i) or _ago(reader, i)


def _beside_anchor(reader: Reader, i: int) -> Reading | None:
    """The day after Christmas, the weekend before 9 June, the Friday before that date, the week before last."""
    j = i + (reader.word(i) == "the")
    unit = reader.word(j)
    part = unit in PARTS and unit != "night"
    if unit not in UNITS and unit not in WEEKDAYS and unit not in SEASONS and not part:
        return None
    side = _side(reader, j + 1)
    if side == 0 or reader.word(j + 1) == "from":
        return None
    k = j + 2 + (reader.word(j + 1) == "prior")
    if reader.word(k) in ("last", "next") and reader.word(k) == ("last" if side < 0 else "next"):
        after = reader.word(k + 1)
        if after not in UNITS and after not in WEEKDAYS and after not in SEASONS:
            return _twice_away(reader, unit, side, k + 1)
    if j == i and unit not in ("day", "week", "weekend", "month", "year"):
        return None
    anchor = _anchor(reader, k)
    return None if anchor is None else Reading(_next_to(reader, unit, side, anchor.interval), anchor.end)


def _twice_away(reader: Reader, unit: str, side: int, end: int) -> Reading | None:
    today = reader.today
    if unit in WEEKDAYS:
        day = weekday_beside(reader, WEEKDAYS[unit], side) + 7 * DAY * side
        return Reading(unit_at("day", day), end)
    if unit == "weekend":
        return Reading(weekend_at(today + 14 * DAY * side), end)
    if unit == "night":
        start = today + DAY * 2 * side + timedelta(hours=18)
        return Reading(Interval(start, start + timedelta(hours=12), "hour", True), end)
    if unit not in UNITS or UNITS[unit] in ("second", "minute", "hour", "day"):
        return None
    return Reading(_counted(reader, unit, 2 * side, 2 * side), end)


def _next_to(reader: Reader, unit: str, side: int, base: Interval) -> Interval:
    """The unit right before (-1) or after (1) an interval. Weeks are seven days, weekends and weekdays real ones."""
    edge = base.start if side < 0 else base.end
    if unit in WEEKDAYS:
        away = (edge.weekday() - WEEKDAYS[unit] - 1) % 7 + 1 if side < 0 else -((WEEKDAYS[unit] - edge.weekday()) % 7)
        found = unit_at("day", edge - DAY * away)
    elif unit == "weekend":
        week = weekend_at(edge)
        found = weekend_at(edge - 7 * DAY) if side < 0 and week.end > edge else week
        found = weekend_at(edge + 7 * DAY) if side > 0 and week.start < edge else found
    elif unit in SEASONS:
        options = [unit_at("season", datetime(edge.year + years, SEASONS[unit], 1)) for years in (-2, -1, 0, 1)]
        fits = [season for season in options if (season.end <= edge if side < 0 else season.start >= edge)]
        found = fits[-1 if side < 0 else 0]
    elif unit in PARTS:
        day = unit_at("day", edge - DAY if side < 0 else edge).start
        hours = PARTS[unit]
        found = Interval(day + timedelta(hours=hours[0]), day + timedelta(hours=hours[1]), "hour")
    elif UNITS[unit] in ("month", "quarter", "year", "decade", "century"):
        whole = unit_at(UNITS[unit], base.start if side < 0 else base.end - timedelta(microseconds=1))
        found = unit_at(UNITS[unit], move(whole.start, UNITS[unit], side))
    else:
        start = move(edge, UNITS[unit], -1) if side < 0 else edge
        found = Interval(start, move(start, UNITS[unit], 1), UNITS[unit])
    return Interval(found.start, found.end, found.grain, base.relative)


def _in_future(reader: Reader, i: int) -> Reading | None:
    """In three weeks; not where the sentence tells how long something took."""
    if reader.word(i) != "in":
        return None
    amount = amount_at(reader, i + 1 + (reader.word(i + 1) in _APPROXIMATE))
    if amount is None or tense_at(reader, i) == "back" or _took_so_long(reader, i):
        return None
    least, most, unit, end = amount
    time = end + reader.mark(end, "'\u2019")  # in two weeks' time
    return Reading(_counted(reader, unit, least, most), time + 1 if reader.word(time) == "time" else end)


def _took_so_long(reader: Reader, i: int) -> bool:
    """I read it in two weeks; once in a month: words that are no past by their form."""
    return any(reader.word(j) in DONE for j in range(max(0, i - 6), i))


def _range(reader: Reader, i: int) -> Reading | None:
    """From May to July 2023, between 3 and 5 May, May 3-5, 2019 to 2021, Monday to Wednesday."""
    word = reader.word(i)
    j = i + (word in ("from", "between"))
    joint = "and" if word == "between" else None
    return _calendar_range(reader, i, j, joint) or _point_range(reader, j, joint, introduced=j > i)


def _joint(reader: Reader, i: int, joint: str | None) -> int:
    """How many tokens join the ends of a range at i."""
    if joint is not None:
        return int(reader.word(i) == joint)
    return int(reader.word(i) in _JOINTS or reader.mark(i, "-\u2013\u2014"))


def _calendar_range(reader: Reader, i: int, j: int, joint: str | None) -> Reading | None:
    first = _range_end(reader, j)
    if first is None or not _joint(reader, first.end, joint):
        return None
    last = _range_end(reader, first.end + 1, month_before=first.date.month is not None)
    ends = None if last is None else joined(first.date, last.date)
    if last is None or ends is None:
        return None
    if (ends[0].year is None) != (ends[1].year is None):
        return None
    if ends[0].month is None and ends[1].month is None and j == i and reader.kind(i) != "number":
        return None
    start, end = ends[0].resolved(reader, i), ends[1].resolved(reader, i)
    if start is None or end is None:
        return None
    if start.start > end.start and ends[0].year is None:
        start = Interval(move(start.start, "year", -1), move(start.end, "year", -1), start.grain, start.relative)
    return Reading(Interval(start.start, end.end, end.grain, start.relative or end.relative), last.end)


def _range_end(reader: Reader, i: int, *, month_before: bool = False) -> CalendarReading | None:
    """A calendar date, or the number of a day whose month the other end has."""
    i += reader.word(i) == "the"
    if i >= len(reader.tokens):
        return None
    found = calendar_date(reader, i) or _month_in_range(reader, i)
    if found is not None:
        return found
    day, end = day_number(reader, i)
    if day is None or reader.kind(i) == "word":
        return None
    if month_before:
        year, end = year_after(reader, end)
        return CalendarReading(Calendar(year, None, day), end)
    return CalendarReading(Calendar(None, None, day), end)


def _month_in_range(reader: Reader, i: int) -> CalendarReading | None:
    month = MONTHS.get(reader.word(i)) or MONTHS_SHORT.get(reader.word(i))
    return CalendarReading(Calendar(None, month), i + 1) if month is not None and reader.capital(i) else None


def _point_range(reader: Reader, i: int, joint: str | None, *, introduced: bool) -> Reading | None:
    if not introduced and reader.word(i) not in WEEKDAYS:
        return None
    first = point(reader, i)
    if first is None or not _joint(reader, first.end, joint):
        return None
    last = point(reader, first.end + 1)
    if last is None:
        return None
    end = last.interval
    if end.start < first.interval.start and reader.word(i) in WEEKDAYS:
        end = Interval(end.start + 7 * DAY, end.end + 7 * DAY, end.grain, True)
    if end.end <= first.interval.start:
        return None
    relative = first.interval.relative or end.relative
    return Reading(Interval(first.interval.start, end.end, end.grain, relative), last.end)
