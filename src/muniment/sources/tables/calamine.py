"""XLS and ODS, by calamine: every sheet's tables in groups of rows, located by sheet and cells; values, no formulas."""

import io
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetVisibleEnum

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.documents.text import fold
from muniment.sources.package import Package, damaged
from muniment.sources.parsed import Chunk, Origin, Parsed
from muniment.sources.tables.grid import Sheet, locate_cells, sheet_chunks

_UNREAD: Final = {b"table:formula=": "formulas", b"<office:annotation ": "comments"}
_OVERLAP: Final = max(map(len, _UNREAD)) - 1
_ZIP: Final = b"PK\x03\x04"


def read_calamine(data: bytes, origin: Origin) -> Parsed:
    """Groups of rows, sheet by sheet; hidden sheets are read and say so in their metadata.

    Formulas are not in what calamine gives: their last values are. Raises ``source.damaged``, ``source.encrypted``,
    ``input.too_large`` and, without any cell, ``input.empty_text``.
    """
    workbook = _open(data)
    chunks: list[Chunk] = []
    notes: list[str] = []
    for number, name in enumerate(workbook.sheet_names):
        sheet = _sheet(workbook, number)
        if sheet.hidden:
            notes.append(f"The sheet {name!r} is hidden.")
        chunks.extend(sheet_chunks(sheet, origin, origin.title, len(chunks)))
    if not chunks:
        raise MunimentError("input.empty_text", "There is no text in any cell.")
    notes += _left_out(data, origin.settings)
    return Parsed("table", origin.media_type, origin.title, origin.language, chunks, notes=notes)


def _left_out(data: bytes, settings: Settings) -> Iterator[str]:
    """Notes on the formulas and comments of ODS, which calamine does not give; of XLS nobody counts them."""
    if not data.startswith(_ZIP):
        yield "Formulas and comments, where it has any, are left out; values are not."
        return
    counts = Counter[str]()
    before = b""
    for piece in Package(data, settings).pieces("content.xml"):
        for mark, what in _UNREAD.items():
            counts[what] += (before + piece).count(mark) - before.count(mark)
        before = piece[-_OVERLAP:]
    yield from (f"{count} {what} are left out; values are not." for what, count in counts.items() if count)


def locate_calamine(data: bytes, locator: Mapping[str, Any]) -> str:
    """The text of the cells that a locator names by ``sheet``, ``cells`` and ``header``."""
    workbook = _open(data)
    if locator["sheet"] not in workbook.sheet_names:
        return ""
    return locate_cells(_sheet(workbook, workbook.sheet_names.index(locator["sheet"])), locator)


def _open(data: bytes) -> CalamineWorkbook:
    try:
        return CalamineWorkbook.from_filelike(io.BytesIO(data))
    except PasswordError:
        raise MunimentError("source.encrypted", "The workbook opens only with a password.") from None
    except (CalamineError, OSError, ValueError) as error:
        raise damaged(f"The workbook is broken: {error}.") from None


def _sheet(workbook: CalamineWorkbook, number: int) -> Sheet:
    about = workbook.sheets_metadata[number]
    found = Sheet(about.name, hidden=about.visible != SheetVisibleEnum.Visible)
    try:
        sheet = workbook.get_sheet_by_index(number)
    except PasswordError:
        raise MunimentError("source.encrypted", "The workbook opens only with a password.") from None
    except (CalamineError, OSError, ValueError) as error:
        raise damaged(f"The sheet {about.name!r} is broken: {error}.") from None
    if sheet.start is None:
        return found
    top, left = sheet.start
    for row_number, row in enumerate(sheet.to_python(skip_empty_area=True), top + 1):
        cells = {column: text for column, value in enumerate(row, left) if (text := _text(value))}
        if cells:
            found.rows[row_number] = cells
    return found


def _text(value: Any) -> str:
    """A cell's value as the readers of other tables give it: dates and times in ISO 8601, numbers short."""
    if isinstance(value, str):
        return fold(value)
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
    if isinstance(value, timedelta):
        seconds = round(value.total_seconds())
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    if isinstance(value, date | time):
        return value.isoformat()
    return "" if value is None else str(value)
