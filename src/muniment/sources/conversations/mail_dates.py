"""The dates that mail programs write above what they quote, in the words of the reader's language."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone

_MONTHS = (
    "jan gen ene янв styc sty led ocak tammi", "feb fév fev févr feb фев lut úno şub helmi",
    "mar mär mrz maa mrt мар bře maalis", "apr avr abr апр kwi dub nis huhti",
    "may mai maj mag mei май мая kvě toukok", "jun jui giu июн cze çer kesäk",
    "jul juil lug июл lip čvc tem heinäk", "aug aoû ago août авг sie srp ağu elok",
    "sep sept set сен wrz zář eyl syysk", "oct okt ott out окт paź říj eki lokak",
    "nov нояб ноя lis kas marrask", "dec dez dic déc дек gru pro ara jouluk",
)  # fmt: skip
# the longest beginning counts: "juil" is July where "jui" (juin) is June
_BEGINNINGS = sorted(
    ((word, number) for number, words in enumerate(_MONTHS, 1) for word in words.split()),
    key=lambda each: -len(each[0]),
)
_CLOCK = re.compile(
    r"(?<!\d)(\d{1,2})[:.h](\d{2})(?:[:.](\d{2}))?(?!\d)[ \u00a0\u202f]*([ap])?\.?[ ]?(m\b)?", re.IGNORECASE
)
_OFFSET = re.compile(r"(?:(?<=[\d ])|(?:GMT|UTC) ?)([+-])(\d{2}):?(\d{2})\b")
_ISO = re.compile(r"(?<!\d)(\d{4})[-/年.] ?(\d{1,2})[-/月.] ?(\d{1,2})(?!\d)")
_NUMBERS = re.compile(r"(?<!\d)(\d{1,2})([./-]) ?(\d{1,2})\2 ?(\d{4}|\d{2})(?!\d)")
_YEAR = re.compile(r"(?<![\d:])((?:19|20)\d{2})(?!\d)")
_DAY_BEFORE = re.compile(r"(?<![\d:.])(\d{1,2})(?:st|nd|rd|th|er)?[.,]?[ \u00a0]{0,2}(?:de |of |of the )?$")
_DAY_BEHIND = re.compile(r"\.?[ \u00a0]{1,2}(\d{1,2})(?![\d:]|[.h]\d)")
_WORD = re.compile(r"[^\W\d_]{3,}")
_LONGEST = 400


def written_time(words: str) -> datetime | None:
    """The time in the words of a mail program, with its zone where one is stated; None where none is plain.

    Days and months that may be each other's are no date. Cost: linear in the words, of which 400 characters count.
    """
    words = words[:_LONGEST]
    clock = _CLOCK.search(_NUMBERS.sub(" ", _ISO.sub(" ", words)))
    date = _date(words)
    if clock is None or date is None:
        return None
    hour = int(clock[1])
    if clock[4] and clock[5]:
        hour = hour % 12 + (12 if clock[4] in "pP" else 0)
    try:
        at = datetime(*date, hour, int(clock[2]), int(clock[3] or 0))
    except ValueError:
        return None
    zone = _OFFSET.search(words)
    if zone is None or int(zone[2]) > 14:
        return at
    offset = timedelta(hours=int(zone[2]), minutes=int(zone[3]))
    return at.replace(tzinfo=timezone(offset if zone[1] == "+" else -offset))


def _date(words: str) -> tuple[int, int, int] | None:
    """Year, month and day."""
    if iso := _ISO.search(words):
        return int(iso[1]), int(iso[2]), int(iso[3])
    if found := _NUMBERS.search(words):
        first, second = int(found[1]), int(found[3])
        year = int(found[4]) + (2000 if len(found[4]) == 2 else 0)
        if found[2] == "." or first > 12 or first == second:
            return year, second, first
        return (year, first, second) if second > 12 else None
    year_found = _YEAR.search(words)
    if year_found is None:
        return None
    months = set(_months(words))
    if len({month for month, _ in months}) > 1:  # "mar." is Tuesday in French, Spanish and Italian
        months = {each for each in months if each[0] != 3}
    if len(months) != 1:
        return None
    month, day = months.pop()
    return int(year_found[1]), month, day


def _months(words: str) -> Iterator[tuple[int, int]]:
    """Each month that stands beside a number of a day, with that number."""
    for word in _WORD.finditer(words):
        month = next((number for begin, number in _BEGINNINGS if word[0].lower().startswith(begin)), None)
        if month is None:
            continue
        before = _DAY_BEFORE.search(words, max(0, word.start() - 12), word.start())
        near = before or _DAY_BEHIND.match(words, word.end())
        if near is not None:
            yield month, int(near[1])
