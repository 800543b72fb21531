"""German, French and Spanish times that are counted from others: ranges, distances, thirds, and days that are named."""

from datetime import datetime, timedelta

from muniment.extraction.time.calendar import DAY, Interval, away, move, third, unit_at, weekend_at
from muniment.extraction.time.dates import Calendar, CalendarReading, calendar_date, day_number, joined, year_after
from muniment.extraction.time.languages import ARTICLES, LOCAL_NUMBERS, LOCAL_UNITS, STEPS_OF
from muniment.extraction.time.local_words import (
    LOCAL_AHEAD,
    LOCAL_HOLIDAYS,
    LOCAL_HOURS,
    LOCAL_RANGES,
    LOCAL_SIDES,
    LOCAL_THIRDS,
    WEEKENDS,
)
from muniment.extraction.time.points import point
from muniment.extraction.time.reader import Reader, Reading, small_number
from muniment.extraction.time.spans import Grain
from muniment.extraction.time.tense import chosen, tense_at


def past_articles(reader: Reader, i: int) -> int:
    """The first token from i on that is no article."""
    while reader.word(i) in ARTICLES[reader.language]:
        i += 1
    return i


def words_at(reader: Reader, i: int, words: tuple[str, ...]) -> bool:
    """Whether these words stand at i."""
    return tuple(reader.word(i + n) for n in range(len(words))) == words


def amount(reader: Reader, i: int) -> tuple[int, Grain, int] | None:
    """Zwei Wochen, deux semaines, dos semanas: how many of which unit, and the token after it."""
    if i >= len(reader.tokens) or reader.before_tokens(i, "$€£.,:-"):
        return None
    number = small_number(reader.tokens[i], LOCAL_NUMBERS[reader.language] | {"eine": 1, "ein": 1})
    grain = LOCAL_UNITS[reader.language].get(reader.word(i + 1))
    return None if number is None or grain is None else (number, grain, i + 2)


def from_anchor(reader: Reader, i: int) -> Reading | None:
    """Zwei Wochen vor dem 9. Juni 2023, trois jours après le 9 juin, dos semanas antes del 9 de junio."""
    counted = amount(reader, i)
    if counted is None:
        return None
    number, grain, j = counted
    side = LOCAL_SIDES[reader.language].get(reader.word(j), 0)
    if side == 0:
        return None
    anchor = named_day(reader, past_articles(reader, j + 1)) or point(reader, past_articles(reader, j + 1))
    return None if anchor is None else Reading(away(anchor.interval, grain, number, number, side), anchor.end)


def in_future(reader: Reader, i: int) -> Reading | None:
    """In zwei Wochen, dans deux semaines, dentro de dos semanas; not where something is told to have taken so long."""
    for words in LOCAL_AHEAD[reader.language]:
        if not words_at(reader, i, words):
            continue
        counted = amount(reader, i + len(words))
        if counted is None or tense_at(reader, i) == "back":
            return None
        number, grain, end = counted
        return Reading(unit_at(grain, move(reader.now, grain, number)), end)
    return None


def span(reader: Reader, i: int) -> Reading | None:
    """Zwischen dem 3. und dem 9. Mai, vom 3. bis 9. Mai 2023, du 3 au 9 mai, entre el 3 y el 9 de mayo."""
    joints = LOCAL_RANGES[reader.language].get(reader.word(i))
    if joints is None:
        return None
    first = _end(reader, past_articles(reader, i + 1))
    if first is None or reader.word(first.end) not in joints:
        return None
    last = _end(reader, past_articles(reader, first.end + 1))
    ends = None if last is None else joined(first.date, last.date)
    if last is None or ends is None:
        return None
    start, stop = ends[0].resolved(reader, i), ends[1].resolved(reader, i)
    if start is None or stop is None:
        return None
    if start.start > stop.start and ends[0].year is None:
        start = Interval(move(start.start, "year", -1), move(start.end, "year", -1), start.grain, start.relative)
    return Reading(Interval(start.start, stop.end, stop.grain, start.relative or stop.relative), last.end)


def _end(reader: Reader, i: int) -> CalendarReading | None:
    found = calendar_date(reader, i)
    if found is not None:
        return found
    day, end = day_number(reader, i)
    return None if day is None else CalendarReading(Calendar(None, None, day), end + reader.mark(end, "."))


def part_of(reader: Reader, i: int) -> Reading | None:
    """Anfang Mai 2024, mi-mai, fin 2024, principios de mayo de 2024."""
    which = LOCAL_THIRDS[reader.language].get(reader.word(i))
    if which is None:
        return None
    found = point(reader, past_articles(reader, i + 1 + reader.mark(i + 1, "-")))
    if found is None or found.interval.end - found.interval.start < 7 * DAY:
        return None
    return Reading(third(found.interval, which), found.end)


def named_day(reader: Reader, i: int) -> Reading | None:
    """Weihnachten 2023, Noël, nochevieja: without a year the one that the sentence means."""
    day = LOCAL_HOLIDAYS[reader.language].get(reader.word(i))
    if day is None:
        return None
    year, end = year_after(reader, i + 1)
    if year is not None:
        return Reading(unit_at("day", datetime(year, *day), relative=False), end)
    options = [unit_at("day", datetime(reader.now.year + years, *day)) for years in (-1, 0, 1)]
    found = chosen(reader, i, options)
    return None if found is None else Reading(found, end)


def hours(reader: Reader, found: Reading) -> Reading:
    """The day with the part of it that is named behind: gestern Abend, hier soir, ayer por la noche."""
    for words, (first, last) in LOCAL_HOURS.get(reader.language, {}).items():
        if words_at(reader, found.end, words):
            day, end = found.interval, found.end + len(words)
            start, stop = day.start + timedelta(hours=first), day.start + timedelta(hours=last)
            return Reading(Interval(start, stop, "hour", day.relative), end)
    return found


def weekend(reader: Reader, i: int) -> Reading | None:
    """Am Wochenende, le week-end dernier, este fin de semana: without a word beside it the latest that has begun."""
    steps = STEPS_OF[reader.language]
    before = steps.get(reader.word(i))
    j = i + (before is not None)
    for words in WEEKENDS[reader.language]:
        if not words_at(reader, j, words):
            continue
        end = j + len(words)
        behind = steps.get(reader.word(end)) if reader.word(end) not in ("ce", "cet", "cette", "este", "esta") else None
        step = before if before is not None else behind
        end += before is None and behind is not None
        this = weekend_at(reader.today)
        if step is None:
            begun = this.start <= reader.now or tense_at(reader, i) == "ahead"
            return Reading(this if begun else weekend_at(reader.today - 7 * DAY), end)
        return Reading(weekend_at(reader.today + 7 * DAY * step), end)
    return None
