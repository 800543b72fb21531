"""Longer times in English, and days by name: seasons, quarters, decades, holidays."""

from datetime import datetime
from typing import Final

from muniment.extraction.time.calendar import DAY, Interval, move, unit_at
from muniment.extraction.time.dates import FIRST_YEAR, LAST_YEAR, slashed_year, year_after
from muniment.extraction.time.reader import Reader, Reading
from muniment.extraction.time.tense import chosen
from muniment.extraction.time.vocabulary import HOLIDAYS, ORDINALS, SEASONS, STEPS

_IN_SEASON: Final = frozenset({"in", "during", "over", "since", "until", "throughout", "by", "for"})


def season(reader: Reader, i: int) -> Reading | None:
    """Summer 2022, the summer of 2022, in the summer; northern hemisphere."""
    year, end = year_after(reader, i + 1)
    first_month = SEASONS[reader.word(i)]
    if year is not None:
        return Reading(unit_at("season", datetime(year, first_month, 1), relative=False), end)
    if reader.word(i + 1) == "of":
        step = STEPS.get(reader.word(i + 2))
        if step is not None and reader.word(i + 3) == "year":
            return Reading(unit_at("season", datetime(reader.now.year + step, first_month, 1)), i + 4)
    introduction = reader.word(i - 2) if reader.word(i - 1) == "the" else reader.word(i - 1)
    if introduction not in _IN_SEASON or (introduction in ("by", "for") and reader.word(i - 1) != "the"):
        return None
    if reader.capital(i) and reader.word(i - 1) != "the":  # Summer may be a person
        return None
    options = [unit_at("season", datetime(reader.now.year + years, first_month, 1)) for years in (-2, -1, 0, 1, 2)]
    found = chosen(reader, i, options)
    return None if found is None else Reading(found, i + 1)


def season_beside(reader: Reader, first_month: int, step: int) -> Interval:
    """Last: the latest that is over. Next: the first that has not begun. This: that of the current year."""
    start = datetime(reader.now.year, first_month, 1)
    options = [unit_at("season", move(start, "year", years)) for years in range(-2, 3)]
    if step < 0:
        return [option for option in options if option.end <= reader.now][-1]
    if step > 0:
        return next(option for option in options if option.start > reader.now)
    current = next((option for option in options if option.start <= reader.now < option.end), None)
    return current or options[2]


def year_and_quarter(reader: Reader, i: int) -> Reading | None:
    """2026 Q3."""
    year = int(reader.tokens[i].text[:5])
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    month = 3 * int(reader.tokens[i + 1].text[1]) - 2
    return Reading(unit_at("quarter", datetime(year, month, 1), relative=False), i + 2)


def quarter(reader: Reader, i: int) -> Reading | None:
    """Q3 2026, Q3, the third quarter of 2026."""
    if reader.kind(i) == "quarter":
        number, j = int(reader.tokens[i].text[1]), i + 1
    else:
        number, j = ORDINALS[reader.word(i)], i + 2
    if not 1 <= number <= 4:
        return None
    year, end = slashed_year(reader, j)
    if year is not None:
        return Reading(unit_at("quarter", datetime(year, 3 * number - 2, 1), relative=False), end)
    k = j + (reader.word(j) == "of")
    if reader.word(k) in ("last", "this", "next") and reader.word(k + 1) == "year":
        year = reader.now.year + STEPS[reader.word(k)]
        return Reading(unit_at("quarter", datetime(year, 3 * number - 2, 1)), k + 2)
    if reader.kind(i) != "quarter":
        return None
    options = [unit_at("quarter", datetime(reader.now.year + years, 3 * number - 2, 1)) for years in (-2, -1, 0, 1, 2)]
    found = chosen(reader, i, options)
    return None if found is None else Reading(found, j)


def decade(reader: Reader, i: int) -> Reading | None:
    """The 1990s, the 90s, the '90s."""
    digits = "".join(character for character in reader.tokens[i].text if character.isdigit())
    if len(digits) == 4:
        year = int(digits)
        return Reading(unit_at("decade", datetime(year, 1, 1), relative=False), i + 1) if year >= 1500 else None
    quoted = reader.tokens[i].text.startswith("'")
    if len(digits) != 2 or not (quoted or reader.word(i - 1) == "the" or reader.word(i - 2) == "the"):
        return None
    return Reading(unit_at("decade", decade_start(reader, int(digits))), i + 1)


def decade_start(reader: Reader, tens: int) -> datetime:
    """The latest decade of this name that has begun."""
    century = reader.now.year - reader.now.year % 100
    year = century + tens
    return datetime(year if year <= reader.now.year else year - 100, 1, 1)


def holiday(reader: Reader, i: int, step: int | None = None) -> Reading | None:
    """A holiday of a fixed date, with a year, or the one that the sentence means."""
    for length in (3, 2, 1):
        words = tuple(reader.word(i + n) for n in range(length))
        if words in HOLIDAYS:
            break
    else:
        return None
    if words == ("may", "day") and not reader.capital(i + 1):
        return None
    month, day = HOLIDAYS[words]
    year, end = year_after(reader, i + length)
    if year is not None:
        return Reading(unit_at("day", datetime(year, month, day), relative=False), end)
    options = [unit_at("day", datetime(reader.now.year + years, month, day)) for years in range(-2, 3)]
    if step == 0:
        return Reading(options[2], end)
    if step == 1:
        return Reading(next(found for found in options if found.start > reader.now), end)
    if step == -1:
        return Reading([found for found in options if found.start <= reader.today - DAY][-1], end)
    found = chosen(reader, i, options)
    return None if found is None else Reading(found, end)
