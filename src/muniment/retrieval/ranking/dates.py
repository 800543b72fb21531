"""The words of a record's date: a question that names a month or a year finds what was said then."""

from collections.abc import Mapping, Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

from muniment.database.pool import Scope

_ENGLISH = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
MONTHS: Mapping[str, tuple[str, ...]] = {"english": _ENGLISH}


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
