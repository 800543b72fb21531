"""Formulas that cells share: one cell has the text, the others mean it as if it had been copied to them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from muniment.sources.tables.grid import column_name

_COLUMNS: Final = 16_384
_ROWS: Final = 1_048_576
# texts, names of sheets and tables stay as they are; what is called (LOG10( ) or named (TAX2020_) is no reference
_TOKEN: Final = re.compile(
    r"\"(?:[^\"]|\"\")*\"|'(?:[^']|'')*'!?|\[[^\[\]]*\]"
    r"|(?<![\w.$])(?P<column>\$?[A-Za-z]{1,3})(?P<row>\$?[1-9]\d{0,6})(?![\w.(!])"
    r"|(?<![\w.$:])(?P<first>\$?[A-Za-z]{1,3}):(?P<last>\$?[A-Za-z]{1,3})(?![\w.(!])"
    r"|(?<![\w.$:])(?P<top>\$?[1-9]\d{0,6}):(?P<bottom>\$?[1-9]\d{0,6})(?![\w.(!])"
)


class SharedFormula:
    """A formula and the cell, by column from 0 and row from 1, that it stands in; ``at`` gives it for other cells.

    What does not change from row to row is made once for each column. A reference that leads off the sheet goes round
    its edge, as spreadsheets store it.
    """

    def __init__(self, column: int, row: int, formula: str) -> None:
        self._column = column
        self._row = row
        self.length = len(formula)
        self._parts = list(_parts(formula))
        self._of_column: tuple[int, list[str | int]] | None = None

    def at(self, column: int, row: int) -> str:
        """The formula as it reads when it is copied to a cell; ``$`` holds a reference. Cost: linear in the formula."""
        if self._of_column is None or self._of_column[0] != column:
            by = column - self._column
            self._of_column = (
                column,
                [_shifted(each, by) if isinstance(each, _Column) else each for each in self._parts],
            )
        down = row - self._row
        return "".join(each if isinstance(each, str) else str((each + down) % _ROWS + 1) for each in self._of_column[1])


@dataclass(frozen=True, slots=True)
class _Column:
    """A column that moves, from 0."""

    number: int


def _parts(formula: str) -> Iterator[str | int | _Column]:
    """What a formula is made of: what stays, the rows that move, from 0, and the columns that do."""
    at = 0
    for found in _TOKEN.finditer(formula):
        yield formula[at : found.start()]
        at = found.end()
        if found["column"]:
            yield _column(found["column"])
            yield _row(found["row"])
        elif found["first"]:
            yield from (_column(found["first"]), ":", _column(found["last"]))
        elif found["top"]:
            yield from (_row(found["top"]), ":", _row(found["bottom"]))
        else:
            yield found[0]
    yield formula[at:]


def _column(name: str) -> str | _Column:
    number = 0
    for letter in name.upper() if not name.startswith("$") else "":
        number = number * 26 + ord(letter) - ord("A") + 1
    # held, or a word such as the name of a range
    return name if number == 0 or number > _COLUMNS else _Column(number - 1)


def _row(name: str) -> str | int:
    return name if name.startswith("$") or int(name) > _ROWS else int(name) - 1


def _shifted(column: _Column, by: int) -> str:
    return column_name((column.number + by) % _COLUMNS)
