"""Reads yesterday, last week and the like in a text of any language, where the word has no other meaning."""

from muniment.extraction.time.calendar import DAY, move, unit_at
from muniment.extraction.time.korean import korean_time
from muniment.extraction.time.reader import Reader, Reading, small_number
from muniment.extraction.time.unspaced import AFTER_I, BEFORE_NOW, DAYS_OF_WEEKS, FOREIGN_DAYS, UNITS_BESIDE


def foreign_day(reader: Reader, i: int) -> Reading | None:
    """Вчера, 昨天, igår, i går: the day at i; 先週の金曜日, 上个月, 3日前: the time."""
    word = reader.word(i)
    if word in DAYS_OF_WEEKS:
        step, weekday = DAYS_OF_WEEKS[word]
        week = unit_at("week", reader.today + 7 * DAY * step)
        return Reading(unit_at("day", week.start + DAY * weekday), i + 1)
    if word in UNITS_BESIDE:
        grain, step = UNITS_BESIDE[word]
        return Reading(unit_at(grain, move(reader.now, grain, step)), i + 1)
    if reader.word(i + 1) in BEFORE_NOW and (number := small_number(reader.tokens[i], {})) is not None:
        grain = BEFORE_NOW[reader.word(i + 1)]
        return Reading(unit_at(grain, move(reader.now, grain, -number)), i + 2)
    if word == "i" and not (reader.capital(i) and reader.capital(i + 1)):
        days, end = AFTER_I.get(reader.word(i + 1)), i + 2
    else:
        days, end = FOREIGN_DAYS.get(word), i + 1
    if days is None:
        return korean_time(reader, i)
    return Reading(unit_at("day", reader.today + DAY * days), end)
