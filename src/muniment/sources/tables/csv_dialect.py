"""Telling which character separates the cells of a text of rows."""

import csv
from collections import Counter
from collections.abc import Sequence

_CANDIDATES = (",", ";", "\t", "|")
_SAMPLE_LINES = 200
_SAMPLE_CHARACTERS = 64 * 1024


def sniff_delimiter(lines: Sequence[str]) -> str:
    """The delimiter that parts most of the first rows into the same number of cells, two or more.

    A comma where none does. At most 200 lines and 64 Ki characters are looked at, once for each candidate.
    """
    sample: list[str] = []
    size = 0
    for line in lines[:_SAMPLE_LINES]:
        size += len(line)
        if size > _SAMPLE_CHARACTERS:
            break
        sample.append(line)
    return max(_CANDIDATES, key=lambda candidate: _score(sample, candidate))  # the first of equal ones


def _score(sample: Sequence[str], delimiter: str) -> float:
    """The share of rows that have the most common number of cells, and a little for more cells; 0 for one cell."""
    try:
        widths = Counter(len(row) for row in csv.reader(sample, delimiter=delimiter) if len(row) > 1)
        rows = sum(1 for row in csv.reader(sample, delimiter=delimiter) if row)
    except csv.Error:
        return 0.0
    if not widths:
        return 0.0
    width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
    return count / max(rows, 1) + min(width, 50) / 1000
