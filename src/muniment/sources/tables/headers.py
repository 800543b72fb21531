"""Finding the row that names the columns of a table, which need not be its first."""

import re
from collections.abc import Sequence

LOOKED_AT = 10
"""How many rows from the top are looked at."""

MAX_HEADERS = 500
"""Characters of the field ``headers``."""

_VALUE = re.compile(
    r"""[-+(]?\s*[$€£¥]?\s*[-+]?\d[\d.,' \u00a0\u202f]*(?:[eE][-+]?\d+)?\s*[%$€£¥)]?
      | \d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[ T]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[-+]\d{2}:?\d{2})?)?
      | \d{1,2}:\d{2}(?::\d{2})?
      | true | false | yes | no | null | none | nan | n/a | -+""",
    re.VERBOSE | re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d{2}")


def find_header(rows: Sequence[Sequence[str]]) -> int | None:
    """The index of the header among the first rows of a table, None where none looks like one.

    It has at least two cells and half of the columns, none of them a value (a number, date, truth value), though years
    may name columns beside words; a row follows it; and it is not followed only by rows of words where a title stands
    above it with fewer cells. The rows before it are what stands above the table.
    """
    top = [[cell.strip() for cell in row] for row in rows[: LOOKED_AT + 1]]
    width = max((len([cell for cell in row if cell]) for row in top), default=0)
    if width < 2:
        return None
    for index, row in enumerate(top[:LOOKED_AT]):
        cells = [cell for cell in row if cell]
        if len(cells) < 2 or 2 * len(cells) < width:
            continue
        follows = any(any(later) for later in top[index + 1 :])
        return index if follows and _names(cells) else None
    return None


def _names(cells: Sequence[str]) -> bool:
    """Whether cells may be names: words, and years where there are words too."""
    values = [cell for cell in cells if is_value(cell)]
    if not values:
        return True
    return len(values) < len(cells) and all(_YEAR.fullmatch(cell) for cell in values)


def is_value(cell: str) -> bool:
    """Whether a cell is a value rather than a name."""
    if cell.startswith("=") or " (=" in cell:  # a formula
        return True
    return len(cell) <= 40 and _VALUE.fullmatch(cell) is not None


def headers_field(cells: Sequence[str]) -> dict[str, str]:
    """The retrieval field ``headers``: the names of the columns."""
    text = " | ".join(" ".join(cell.split()) for cell in cells if cell.strip())[:MAX_HEADERS]
    return {"headers": text} if text else {}
