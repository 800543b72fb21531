"""Reads yesterday, today and tomorrow in a text of any language, where the word has no other meaning."""

from muniment.extraction.time.calendar import DAY, unit_at
from muniment.extraction.time.reader import Reader, Reading
from muniment.extraction.time.unspaced import AFTER_I, FOREIGN_DAYS


def foreign_day(reader: Reader, i: int) -> Reading | None:
    """Вчера, 昨天, igår, i går: the day at i."""
    word = reader.word(i)
    if word == "i" and not (reader.capital(i) and reader.capital(i + 1)):
        days, end = AFTER_I.get(reader.word(i + 1)), i + 2
    else:
        days, end = FOREIGN_DAYS.get(word), i + 1
    return None if days is None else Reading(unit_at("day", reader.today + DAY * days), end)
