"""Time expressions in German, French and Spanish, beside the dates that are read in every language."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from muniment.extraction.time.calendar import DAY, Interval, move, unit_at
from muniment.extraction.time.dates import Calendar, calendar_date, slashed_year, year_after, year_behind
from muniment.extraction.time.languages import (
    AGO,
    LOCAL_BOUNDS,
    LOCAL_DAYS,
    LOCAL_NUMBERS,
    LOCAL_ORDINALS,
    LOCAL_PARTS,
    LOCAL_SEASONS,
    LOCAL_UNITS,
    LOCAL_WEEKDAYS,
    SEASON_INTRODUCTIONS,
    STEPS_OF,
)
from muniment.extraction.time.local_spans import (
    from_anchor,
    hours,
    in_future,
    named_day,
    part_of,
    past_articles,
    span,
    weekend,
    words_at,
)
from muniment.extraction.time.local_words import COMING
from muniment.extraction.time.periods import season_beside
from muniment.extraction.time.points import point, weekday_beside
from muniment.extraction.time.reader import Reader, Reading, small_number
from muniment.extraction.time.spans import Bound
from muniment.extraction.time.tense import chosen, tense_at
from muniment.extraction.time.weeks import numbered_week, week_of

_BEFORE_DAYS: Final = frozenset({"am", "dem", "den", "der", "vom", "zum", "bis", "seit"})
_BEFORE_MORNINGS: Final = frozenset({
    "am", "dem", "den", "der", "guten", "jeden", "jedem", "diesen", "diesem", "eines", "vom", "zum", "heute", "gestern",
    "goede", "elke", "deze", "la", "esta", "una", "cada", "las", "por",
})  # fmt: skip
_ELIDED: Final = ("l'", "d'", "qu'")


def local(reader: Reader, i: int) -> tuple[Bound, Reading] | None:
    """What begins at i in the reader's language, with its bound."""
    found = _local_point(reader, i)
    if found is not None:
        return "in", found
    bound = LOCAL_BOUNDS.get(reader.language, {}).get(reader.word(i))
    if bound is None:
        return None
    j = past_articles(reader, i + 1)
    after = _local_point(reader, j) or point(reader, j)
    return None if after is None else (bound, after)  # type: ignore[return-value]  # the table holds nothing else


def _word(reader: Reader, i: int) -> str:
    """The word at i without an elided article before it."""
    word = reader.word(i)
    return next((word[len(part) :] for part in _ELIDED if word.startswith(part)), word)


def _local_point(reader: Reader, i: int) -> Reading | None:
    language, word = reader.language, reader.word(i)
    days = LOCAL_DAYS.get(language, {})
    if word in ("morgen", "mañana"):
        found = _tomorrow(reader, i) if word in days else None
        return None if found is None else hours(reader, found)
    if word in days:
        return hours(reader, Reading(unit_at("day", reader.today + DAY * days[word]), i + 1))
    if language not in LOCAL_UNITS:
        return None
    if word == "anoche" and language == "spanish":
        evening = reader.today - timedelta(hours=6)
        return Reading(Interval(evening, evening + timedelta(hours=12), "hour", True), i + 1)
    return (
        _ago(reader, i)
        or span(reader, i)
        or from_anchor(reader, i)
        or in_future(reader, i)
        or weekend(reader, i)
        or part_of(reader, i)
        or _beside_now(reader, i)
        or named_day(reader, i)
        or _day_of_month(reader, i)
        or _season(reader, i)
        or _part_of_year(reader, i)
        or numbered_week(reader, i)
        or _ordinal_week(reader, i)
        or _weekday(reader, i)
    )


def _tomorrow(reader: Reader, i: int) -> Reading | None:
    """Morgen and mañana are tomorrow, unless they are the morning: "am Morgen", "por la mañana"."""
    before, word = reader.word(i - 1), reader.word(i)
    if before in _BEFORE_MORNINGS or (word == "morgen" and reader.capital(i) and (before or not reader.word(i + 1))):
        return None
    days = 2 if (before, word) == ("pasado", "mañana") else 1
    return Reading(unit_at("day", reader.today + DAY * days), i + 1)


def _ago(reader: Reader, i: int) -> Reading | None:
    """Vor drei Tagen, il y a deux semaines, hace tres días."""
    language = reader.language
    ago, units = AGO[language], LOCAL_UNITS[language]
    j = i + len(ago)
    if tuple(reader.word(i + n) for n in range(len(ago))) != ago or j >= len(reader.tokens):
        return None
    number, grain = small_number(reader.tokens[j], LOCAL_NUMBERS[language]), units.get(reader.word(j + 1))
    if number is None or grain is None:
        return None
    return Reading(unit_at(grain, move(reader.now, grain, -number)), j + 2)


def _beside_now(reader: Reader, i: int) -> Reading | None:
    """Letzten Freitag, diese Woche, le mois prochain, el verano pasado, die letzten drei Monate."""
    language = reader.language
    steps, units = STEPS_OF[language], LOCAL_UNITS[language]
    if reader.word(i) in steps and i + 2 < len(reader.tokens):
        number, grain = small_number(reader.tokens[i + 1], LOCAL_NUMBERS[language]), units.get(reader.word(i + 2))
        if number is not None and grain is not None and steps[reader.word(i)] < 0:
            start = move(reader.today, grain, -number)
            return Reading(Interval(start, reader.today + DAY, grain, True), i + 3)
    end = i + 2
    if reader.word(i) in steps:
        step, name = steps[reader.word(i)], _word(reader, i + 1)
    elif reader.word(i + 1) in steps and steps[reader.word(i + 1)]:
        step, name = steps[reader.word(i + 1)], _word(reader, i)
    elif language in COMING and words_at(reader, i + 1, COMING[language]):
        step, name, end = 1, _word(reader, i), i + 3
    else:
        return None
    if name in LOCAL_WEEKDAYS[language]:
        day = unit_at("day", weekday_beside(reader, LOCAL_WEEKDAYS[language][name], step))
        return hours(reader, Reading(day, end))
    if name in LOCAL_SEASONS[language]:
        return Reading(season_beside(reader, LOCAL_SEASONS[language][name], step), end)
    grain = units.get(name)
    if grain is None:
        return None
    if grain == "year" and (within := _within_year(reader, end, step)) is not None:
        return within
    return Reading(unit_at(grain, move(unit_at(grain, reader.now).start, grain, step)), end)


def _within_year(reader: Reader, i: int, step: int) -> Reading | None:
    """Letztes Jahr im Mai, l'année dernière en mai, el año pasado en mayo: what stands behind the year."""
    date = calendar_date(reader, past_articles(reader, i))
    if date is None or date.date.year is not None or date.date.month is None:
        return None
    interval = replace(date.date, year=reader.now.year + step, counted=True).resolved(reader, i)
    return None if interval is None else Reading(interval, date.end)


def _day_of_month(reader: Reader, i: int) -> Reading | None:
    """Am 8.5.: in German, behind an article."""
    parts = [reader.kind(j) == "number" and len(reader.tokens[j].text) <= 2 for j in (i, i + 2)]
    if reader.language != "german" or reader.word(i - 1) not in _BEFORE_DAYS or not all(parts):
        return None
    if not (reader.mark(i + 1, ".") and reader.mark(i + 3, ".")) or reader.kind(i + 4) == "number":
        return None
    day, month = int(reader.tokens[i].text), int(reader.tokens[i + 2].text)
    if not 1 <= month <= 12 or not 1 <= day <= 31:
        return None
    interval = Calendar(None, month, day).resolved(reader, i)
    return None if interval is None else Reading(interval, i + 4)


def _season(reader: Reader, i: int) -> Reading | None:
    """Sommer 2022, im Sommer, l'été 2022, en verano de 2022."""
    month = LOCAL_SEASONS[reader.language].get(_word(reader, i))
    if month is None:
        return None
    year, end = year_after(reader, i + 1)
    if year is not None:
        return Reading(unit_at("season", datetime(year, month, 1), relative=False), end)
    if reader.word(i - 1) not in SEASON_INTRODUCTIONS[reader.language] and _word(reader, i) == reader.word(i):
        return None
    options = [unit_at("season", datetime(reader.now.year + years, month, 1)) for years in (-2, -1, 0, 1)]
    found = chosen(reader, i, options)
    return None if found is None else Reading(found, i + 1)


def _part_of_year(reader: Reader, i: int) -> Reading | None:
    """Erstes Halbjahr 2026, 3. Quartal 2026, premier semestre 2026, T3 2026, tercer trimestre de este año."""
    word = reader.word(i)
    if word == "t" and reader.language != "german" and reader.kind(i + 1) == "number":
        number, j = int(reader.tokens[i + 1].text[:2]), i + 1
        if reader.tokens[i + 1].first != reader.tokens[i].last or not 1 <= number <= 4:
            return None
        return _months_of_year(reader, j + 1, number, 3)
    if reader.kind(i) in ("number", "ordinal"):
        number = int("".join(sign for sign in reader.tokens[i].text if sign.isdigit())[:2])
        j = i + 1 + reader.mark(i + 1, ".")
    else:
        number, j = LOCAL_ORDINALS[reader.language].get(word, 0), i + 1
    months = LOCAL_PARTS[reader.language].get(_word(reader, j))
    if months is None or not 1 <= number <= 12 // months:
        return None
    return _months_of_year(reader, j + 1, number, months)


def _months_of_year(reader: Reader, i: int, number: int, months: int) -> Reading | None:
    """The part of the year that is named from i on."""
    year, end = slashed_year(reader, i)
    counted = False
    if year is None:
        year, end, counted = year_behind(reader, past_articles(reader, i))
    if year is None:
        return None
    start = datetime(year, (number - 1) * months + 1, 1)
    return Reading(Interval(start, move(start, "month", months), "quarter", counted), end)


def _ordinal_week(reader: Reader, i: int) -> Reading | None:
    """23. Kalenderwoche 2024, die 23. KW."""
    if reader.kind(i) != "number" or len(reader.tokens[i].text) > 2 or not reader.mark(i + 1, "."):
        return None
    if reader.word(i + 2) not in ("kw", "kalenderwoche"):
        return None
    return week_of(reader, int(reader.tokens[i].text), i + 3, i)


def _weekday(reader: Reader, i: int) -> Reading | None:
    """Freitag, le vendredi 9 juin, el viernes: a date behind it says which, else the sentence: the
    latest, or the next."""
    weekday = LOCAL_WEEKDAYS[reader.language].get(reader.word(i))
    if weekday is None:
        return None
    j = i + 1 + reader.mark(i + 1, ",")
    date = calendar_date(reader, past_articles(reader, j))
    if date is not None and date.date.day is not None:
        interval = date.date.resolved(reader, i)
        return None if interval is None else Reading(interval, date.end)
    if tense_at(reader, i) == "ahead":
        day = weekday_beside(reader, weekday, 1)
    else:
        day = reader.today if reader.today.weekday() == weekday else weekday_beside(reader, weekday, -1)
    return hours(reader, Reading(unit_at("day", day), i + 1))
