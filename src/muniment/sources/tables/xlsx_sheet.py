"""The cells of one sheet of XLSX, read as a stream: memory grows with the cells that have a text, not with the area."""

from collections.abc import Iterable, Mapping

from muniment.sources.documents.text import fold
from muniment.sources.tables.grid import Cells, Sheet, parse_cell, parse_range
from muniment.sources.tables.shared_formulas import SharedFormula
from muniment.sources.tables.xlsx_styles import Kind, number_text
from muniment.sources.xml_stream import parse_xml

_MERGED_CELLS = 100_000
_LAST_COLUMN = 16_383
_LAST_ROW = 1_048_576
_SHARED_CHARACTERS = 16 * 1024 * 1024


def read_shared_strings(pieces: Iterable[bytes]) -> list[str]:
    """The texts that cells refer to by number; phonetic guides are left out."""
    strings: list[str] = []
    parts: list[str] = []
    inside = phonetic = 0

    def start(name: str, _: Mapping[str, str]) -> None:
        nonlocal inside, phonetic
        inside += name == "t"
        phonetic += name == "rPh"

    def end(name: str) -> None:
        nonlocal inside, phonetic
        inside -= name == "t"
        phonetic -= name == "rPh"
        if name == "si":
            strings.append(fold("".join(parts)))
            parts.clear()

    def text(piece: str) -> None:
        if inside and not phonetic:
            parts.append(piece)

    parse_xml(pieces, start=start, end=end, text=text)
    return strings


class SheetReader:
    """Fills a sheet from its XML."""

    def __init__(self, sheet: Sheet, strings: list[str], kinds: list[Kind], since_1904: bool) -> None:
        self._sheet = sheet
        self._strings = strings
        self._kinds = kinds
        self._since_1904 = since_1904
        self._row = 0
        self._cells: Cells = {}
        self._column = -1
        self._type = ""
        self._kind: Kind = "number"
        self._into: list[str] | None = None
        self._value: list[str] = []
        self._formula: list[str] = []
        self._shared: str | None = None
        self._masters: dict[str, SharedFormula] = {}
        self._copied = 0
        self._merges: list[tuple[tuple[int, int], tuple[int, int]]] = []
        self._texts: dict[str, str] = {}
        self._filled = 0

    def read(self, pieces: Iterable[bytes]) -> Sheet:
        """The sheet with its rows in order. Raises what ``parse_xml`` raises."""
        parse_xml(pieces, start=self._start, end=self._end, text=self._text)
        if list(self._sheet.rows) != sorted(self._sheet.rows):
            self._sheet.rows = dict(sorted(self._sheet.rows.items()))
        for first, last in self._merges:
            self._fill(first, last)
        return self._sheet

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "c":
            self._begin_cell(attributes)
        elif name == "v" or name == "t":
            self._into = self._value
        elif name == "f":
            self._into = self._formula
            self._shared = attributes.get("si", "") if attributes.get("t") == "shared" else None
        elif name == "row":
            number = attributes.get("r", "")
            self._row = int(number) if number.isdecimal() and len(number) < 8 else self._row + 1
            self._column = -1
            if attributes.get("hidden") in ("1", "true"):
                self._sheet.hidden_rows.add(self._row)
        elif name == "rPh":
            self._into = None
        elif name == "mergeCell" and len(self._merges) < _MERGED_CELLS:
            try:
                self._merges.append(parse_range(attributes.get("ref", "")))
            except ValueError:
                return

    def _begin_cell(self, attributes: Mapping[str, str]) -> None:
        self._column += 1
        try:
            column, row = parse_cell(attributes.get("r", ""))
            self._column = column
            if row != self._row:
                self._end_row()
                self._row = row
        except ValueError:
            pass
        self._type = attributes.get("t", "n")
        style = attributes.get("s", "")
        index = int(style) if style.isdecimal() and len(style) < 8 else -1
        self._kind = self._kinds[index] if 0 <= index < len(self._kinds) else "number"

    def _end(self, name: str) -> None:
        if name in ("v", "t", "f"):
            self._into = None
        elif name == "c":
            if 0 <= self._column <= _LAST_COLUMN and 0 < self._row <= _LAST_ROW:
                text = self._cell_text()
                if text:
                    self._cells[self._column] = self._texts.setdefault(text, text) if len(text) < 40 else text
            self._value.clear()
            self._formula.clear()
            self._shared = None
        elif name == "row":
            self._end_row()

    def _text(self, piece: str) -> None:
        if self._into is not None:
            self._into.append(piece)

    def _end_row(self) -> None:
        if self._cells:
            known = self._sheet.rows.get(self._row)
            cells = self._cells if known is None else known | self._cells
            if list(cells) != sorted(cells):
                cells = dict(sorted(cells.items()))
            self._sheet.rows[self._row] = cells
            self._cells = {}

    def _cell_text(self) -> str:
        value, formula = "".join(self._value), fold("".join(self._formula))
        if value and self._type == "s":
            index = int(value) if value.strip().isdecimal() and len(value) < 10 else -1
            value = self._strings[index] if 0 <= index < len(self._strings) else ""
        elif value and self._type == "n":
            value = number_text(value, self._kind, self._since_1904)
        elif self._type == "b":
            value = {"1": "TRUE", "0": "FALSE"}.get(value.strip(), value)
        elif self._type == "d":
            value = value.replace("T00:00:00", "")
        if self._type != "s":
            value = fold(value)
        if self._shared is not None:
            formula = self._copy(formula)
        if not formula:
            return value
        return f"{value} (={formula})" if value else f"={formula}"

    def _copy(self, formula: str) -> str:
        """The formula of a cell that shares one, of which the first has the text; in all up to 16 Mi characters."""
        assert self._shared is not None
        if formula:
            self._masters[self._shared] = SharedFormula(self._column, self._row, formula)
            return formula
        master = self._masters.get(self._shared)
        if master is None or self._copied > _SHARED_CHARACTERS:
            self._sheet.formulas_left_out += 1
            return ""
        self._copied += master.length
        return master.at(self._column, self._row)

    def _fill(self, first: tuple[int, int], last: tuple[int, int]) -> None:
        """Says in each row of a merge what its first says, up to a number of cells in all.

        Only downwards: a merge to the right mostly is a title, which would look like the names of columns.
        """
        (column, top), bottom = first, last[1]
        text = self._sheet.rows.get(top, {}).get(column)
        if text is None:
            return
        for number in range(top + 1, min(bottom, _LAST_ROW) + 1):
            self._filled += 1
            if self._filled > _MERGED_CELLS:
                return
            cells = self._sheet.rows.get(number)
            if cells is not None and column not in cells:
                self._sheet.rows[number] = dict(sorted((cells | {column: text}).items()))
