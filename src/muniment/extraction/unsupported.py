"""What an answer says that its evidence does not: numbers, months, quotations and names that stand nowhere in it.

A check of the surface, not of the sense: what passes may still be wrong, but what fails was not read in the evidence.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from muniment.extraction.names import names_in

_NUMBER = re.compile(r"\d+(?:[.,:\u202f\u00a0]\d+)*")
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,\u202f\u00a0]\d{3})+")
_ITEM_NUMBER = re.compile(r"^[ \t]*\d{1,3}[.)][ \t]", re.MULTILINE)
_WORD = re.compile(r"\w+")
_QUOTATION = re.compile(r"\"([^\"\n]{3,400})\"|“([^“”\n]{3,400})”|«([^«»\n]{3,400})»|„([^„“”\n]{3,400})[“”]")
_BLANKS = re.compile(r"\s+")
_STRAIGHT = MappingProxyType(str.maketrans("‘’‚“”„«»", '\'\'\'"""""'))  # noqa: RUF001
_MONTHS = "january february march april may june july august september october november december".split()  # noqa: SIM905
_MONTH = "|".join(f"{month}|{month[:3]}" for month in _MONTHS)
_DATED_MONTH = re.compile(
    rf"\d(?:st|nd|rd|th)?\s+(?:of\s+)?({_MONTH})\b|\b({_MONTH})\.?,?\s+(?:of\s+)?\d", re.IGNORECASE
)
_WRITTEN_MONTH = re.compile(rf"\b({_MONTH})\b", re.IGNORECASE)
_NUMERIC_DATE = re.compile(r"\b\d{4}-(\d{1,2})(?:-\d{1,2})?\b|\b(\d{1,2})[./](\d{1,2})[./]\d{2,4}\b")
_UNITS = """
two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety hundred"
_NUMBER_WORDS = MappingProxyType(
    {word: value for value, word in enumerate(_UNITS.split(), start=2)}
    | {word: 10 * value for value, word in enumerate(_TENS.split(), start=2)}
    | {"thousand": 1000, "million": 1_000_000}
)
_GERMAN_WORDS = """
der die das und ist nicht mit von für den dem ein eine auf zu im wird hat sich auch seit bei nach aus über wer wie wann
wo welche
"""
_GERMAN = frozenset(_GERMAN_WORDS.split())
_GERMAN_ENOUGH = 3  # different ones in an answer and its evidence, at least one in the answer: English has some of them
_MOST = 20
_HOUR_DIGITS = 2


@dataclass(frozen=True, slots=True)
class Unsupported:
    """Something in an answer that its evidence does not hold."""

    kind: Literal["number", "month", "quotation", "name"]
    text: str


def unsupported(
    answer: str, evidence: Iterable[str], question: str, dates: Iterable[str] = (), *, countable: int = 0
) -> list[Unsupported]:
    """What the answer says that neither the evidence, nor the dates, nor the question hold; at most 20, each once.

    ``dates`` are those that belong to the evidence and stand in no text, such as 2026-11-27 Friday November.
    Numbers are compared by value (18,400 is 18400, 09:00 is 9:00, two is 2), months also with dates in figures, names
    by their words, quotations word for word. Numbers up to ``countable`` may be counts of what is cited. Names are told
    by their capitals: in German, where every noun has one, and in scripts without any, they are not looked at.
    """
    texts = [*evidence, question]
    whole = "\n".join([*texts, *dates])
    found = [
        *_numbers(_ITEM_NUMBER.sub(" ", answer), whole, countable),
        *_months(answer, whole),
        *_quotations(answer, texts),
        *_names(answer, whole),
    ]
    return list(dict.fromkeys(found))[:_MOST]


def _numbers(answer: str, whole: str, countable: int) -> Iterator[Unsupported]:
    held = {value for number in _NUMBER.findall(whole) for value in _values(number)}
    held |= {str(_NUMBER_WORDS[word]) for word in _words(whole) if word in _NUMBER_WORDS}
    held |= {str(_month_number(first or second)) for first, second in _DATED_MONTH.findall(whole)}
    held |= {str(count) for count in range(countable + 1)}
    for number in _NUMBER.findall(answer):
        if held.isdisjoint(_values(number)):
            yield Unsupported("number", number)
    for word in _words(answer):
        if word in _NUMBER_WORDS and str(_NUMBER_WORDS[word]) not in held:
            yield Unsupported("number", word)


def _values(number: str) -> set[str]:
    """The values that a number may mean, without leading zeros; a time of day also on the clock of twelve hours."""
    values = set()
    if _THOUSANDS.fullmatch(number):
        values.add(re.sub(r"\D", "", number))
    parts = [part.lstrip("0") or "0" for part in re.split(r"\D", number)]
    separators = re.sub(r"\d", "", number).replace(",", ".")
    values.add("".join(part + mark for part, mark in zip(parts, [*separators, ""], strict=True)))
    if ":" in separators and len(parts[0]) <= _HOUR_DIGITS:
        hour = int(parts[0])
        values |= {f"{hour % 12 or 12}:{':'.join(parts[1:])}"}
        if set(parts[1:]) == {"0"}:
            values |= {str(hour % 12 or 12), str(hour)}
    elif "." in separators and len(parts) > 2:
        values |= set(parts)  # a date such as 14.10.2026
    return values


def _months(answer: str, whole: str) -> Iterator[Unsupported]:
    held = {month.casefold()[:3] for month in _WRITTEN_MONTH.findall(whole)}
    for groups in _NUMERIC_DATE.findall(whole):
        held |= {_MONTHS[int(number) - 1][:3] for number in groups if number and 1 <= int(number) <= 12}
    for first, second in _DATED_MONTH.findall(answer):
        month = first or second
        if month.casefold()[:3] not in held:
            yield Unsupported("month", month)


def _month_number(month: str) -> int:
    return next(number for number, name in enumerate(_MONTHS, start=1) if name.startswith(month.casefold()[:3]))


def _quotations(answer: str, texts: list[str]) -> Iterator[Unsupported]:
    held = [_plain(text) for text in texts]
    for groups in _QUOTATION.findall(answer):
        quoted = next(group for group in groups if group)
        words = _plain(quoted).strip(" .,;:!?'…")
        if words and not any(words in text for text in held):
            yield Unsupported("quotation", quoted)


def _names(answer: str, whole: str) -> Iterator[Unsupported]:
    said, held = set(_words(answer)), set(_words(whole))
    if _GERMAN & said and len(_GERMAN & (said | held)) >= _GERMAN_ENOUGH:
        return
    for name in names_in(answer):
        if not held.issuperset(_words(name)):
            yield Unsupported("name", name)


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.casefold()) if word != "s"]


def _plain(text: str) -> str:
    return _BLANKS.sub(" ", text.translate(_STRAIGHT)).casefold().strip()
