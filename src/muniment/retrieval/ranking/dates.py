"""The words of a record's date: a question that names a month or a year finds what was said then."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Final

import numpy as np
from numpy.typing import NDArray

from muniment.database.pool import Scope
from muniment.extraction.time.spans import TimeSpan
from muniment.extraction.time.vocabulary import DOUBTFUL_MONTHS

_ENGLISH = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
MONTHS: Mapping[str, tuple[str, ...]] = {"english": _ENGLISH}
_WORD: Final = re.compile(r"[^\W\d_]+")
_BEFORE: Final = 60  # characters, more than any word that stands before a subject, and blanks
_POSSESSIVE: Final = re.compile("['\u2019]s\\b")
_BEFORE_SUBJECTS: Final = frozenset(
    "did does do has had have is was will would can could should might must didn doesn isn wasn hasn hadn who".split()  # noqa: SIM905
)


class DateTerms:
    """How the tokenizer writes the names of months, by language; read once and kept."""

    def __init__(self) -> None:
        self._months: dict[str, list[frozenset[str]]] = {}

    async def months(self, scope: Scope, language: str) -> list[frozenset[str]]:
        """The terms of each month's name, January first; English ones for a language without a list here."""
        known = self._months.get(language)
        if known is None:
            names = list(MONTHS.get(language, _ENGLISH))
            rows = await scope.rows("retrieval.date_terms", months=names, language=language)
            known = [frozenset(r["term"] for r in rows if r["month"] == n) for n in range(1, len(names) + 1)]
            self._months[language] = known
        return known


def months_meant(
    question: str, times: Sequence[TimeSpan], named: Iterable[str], months: Sequence[frozenset[str]]
) -> list[frozenset[str]]:
    """The terms of each month, none for one that the question only seems to name.

    May, June, April, March and August are also names and other words. Outside of the question's time expressions such
    a word is no month where it is small, is the name of somebody who is ``named``, or stands where a name stands:
    behind a verb whose subject it is ("did May say"), or before a possessive.
    """
    people = {part for name in named for part in name.casefold().split()}
    meant: set[str] = set()
    doubted: set[str] = set()
    in_times = bytearray(len(question))
    for span in times:
        in_times[span.first : span.last] = b"\1" * (span.last - span.first)
    for word in _WORD.finditer(question):
        folded = word.group().casefold()
        if folded not in DOUBTFUL_MONTHS:
            continue
        in_time = bool(in_times[word.start()])
        is_name = not word.group()[0].isupper() or folded in people or _in_place_of_name(question, word)
        (meant if in_time or not is_name else doubted).add(folded)
    return [
        frozenset() if name.casefold() in doubted - meant else terms
        for name, terms in zip(_ENGLISH, months, strict=True)
    ]


def _in_place_of_name(question: str, word: re.Match[str]) -> bool:
    near = question[max(0, word.start() - _BEFORE) : word.start()]
    before = _WORD.findall(near) if near[-1:].isspace() else []
    return _POSSESSIVE.match(question, word.end()) is not None or (
        bool(before) and near.rstrip().endswith(before[-1]) and before[-1].casefold() in _BEFORE_SUBJECTS
    )


def date_hits(
    terms: Sequence[str], days: Sequence[date | None], months: Sequence[frozenset[str]]
) -> NDArray[np.float64]:
    """1 where a term (m) is the day, the month or the year of the date on which a record (n) was said, else 0."""
    rows: dict[date | None, NDArray[np.float64]] = {None: np.zeros(len(terms))}
    for day in set(days) - {None}:
        assert day is not None
        words = {str(day.year), str(day.day)} | months[day.month - 1]
        rows[day] = np.array([float(term in words) for term in terms])
    return np.array([rows[day] for day in days]).reshape(len(days), len(terms))
