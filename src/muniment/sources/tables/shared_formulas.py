"""Formulas that cells share: one cell has the text, the others mean it as if it had been copied to them."""

import re
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


def moved(formula: str, columns: int, rows: int) -> str:
    """A formula as it reads when it is copied so many columns to the right and rows down; ``$`` holds a reference.

    A reference that leads off the sheet goes round its edge, as spreadsheets store it. Cost: linear in the formula.
    """

    def replace(found: re.Match[str]) -> str:
        if found["column"]:
            return _column(found["column"], columns) + _row(found["row"], rows)
        if found["first"]:
            return f"{_column(found['first'], columns)}:{_column(found['last'], columns)}"
        return f"{_row(found['top'], rows)}:{_row(found['bottom'], rows)}" if found["top"] else found[0]

    return _TOKEN.sub(replace, formula)


def _column(name: str, by: int) -> str:
    number = 0
    for letter in name.upper() if not name.startswith("$") else "":
        number = number * 26 + ord(letter) - ord("A") + 1
    if number == 0 or number > _COLUMNS:  # held, or a word such as the name of a range
        return name
    return column_name((number - 1 + by) % _COLUMNS)


def _row(name: str, by: int) -> str:
    if name.startswith("$") or int(name) > _ROWS:
        return name
    return str((int(name) - 1 + by) % _ROWS + 1)
