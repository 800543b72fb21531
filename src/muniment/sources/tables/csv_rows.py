"""CSV and TSV: groups of rows as they are written, with the header repeated, located by lines and rows."""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from muniment.errors import MunimentError
from muniment.sources.charset import decode_text
from muniment.sources.decode import require_words
from muniment.sources.parsed import Chunk, Origin, Parsed, Span
from muniment.sources.tables.csv_dialect import sniff_delimiter
from muniment.sources.tables.headers import LOOKED_AT, find_header, headers_field
from muniment.sources.tables.row_groups import joined, row_groups

_MAX_ROW_LINES = 1000
_KEPT_CELLS = 1000
_FIELD_LIMIT = 2**31 - 1
_LINE_ENDS = "\r\n"


@dataclass(frozen=True, slots=True)
class _Record:
    """A row: its number and lines from 1, its text as written, and its cells."""

    number: int
    lines: Span
    text: str
    cells: list[str]


def read_csv(data: bytes, origin: Origin) -> Parsed:
    """Groups of rows, each as it stands in the file behind the header as it stands there.

    The delimiter is told from the first rows, the header from the first ten. Rows without any text are left out. Where
    a quotation mark is never closed, quotation marks are taken as characters, and a note says so. Raises the errors of
    ``decode_text`` and ``input.empty_text``.
    """
    text, said = decode_text(data)
    require_words(text)
    records, notes = _records(text)
    head = list(islice((record for record in records if record.text), LOOKED_AT + 1))
    header = find_header([record.cells for record in head])
    chunks = list(_chunks(records, head, header, origin))
    if not chunks:
        raise MunimentError("input.empty_text", "There is no text in any cell.")
    return Parsed("table", origin.media_type, origin.title, origin.language, chunks, notes=[*said, *notes])


def locate_csv(data: bytes, locator: Mapping[str, Any]) -> str:
    """The rows on the lines that a locator names, behind those of its ``header``."""
    text, _ = decode_text(data)
    records, _ = _records(text)

    def on(lines: list[int]) -> list[tuple[int, str]]:
        first, last = lines
        return [(each.number, each.text) for each in records if first <= each.lines[0] <= last and each.text]

    header = on(locator["header"]) if "header" in locator else []
    return joined(header, on(locator["lines"]), locator.get("chars"))


def _chunks(records: list[_Record], head: list[_Record], header: int | None, origin: Origin) -> Iterator[Chunk]:
    size = origin.settings.chunk_characters
    above = head[:header] if header is not None else []
    names = [] if header is None else [head[header]]
    last_of_head = names[0].number if names else 0
    below = ((record.number, record.text) for record in records if record.number > last_of_head and record.text)
    fields = origin.fields() | ({"title": origin.title} if origin.title else {})
    fields |= headers_field(names[0].cells) if names else {}
    groups = chain(
        row_groups([], [(record.number, record.text) for record in above], size),
        row_groups([(record.number, record.text) for record in names], below, size),
    )
    for count, group in enumerate(groups):
        first, last = records[group.rows[0] - 1], records[group.rows[1] - 1]
        place: dict[str, Any] = {"lines": [first.lines[0], last.lines[1]], "rows": list(group.rows)}
        if group.header is not None:
            place["header"] = list(names[0].lines)
        if group.chars is not None:
            place["chars"] = list(group.chars)
        rows = "-".join(str(number) for number in dict.fromkeys(group.rows))
        yield Chunk(group.text, origin.place() | place | {"chunk": count}, fields | {"row": rows})


def _records(text: str) -> tuple[list[_Record], list[str]]:
    """Every record of a text, and notes."""
    lines = list(io.StringIO(text, newline=""))
    delimiter = sniff_delimiter(lines)
    try:
        return list(_parse(lines, delimiter, csv.QUOTE_MINIMAL)), []
    except csv.Error:
        note = "A quotation mark is not closed: quotation marks were taken as characters like others."
        return list(_parse(lines, delimiter, csv.QUOTE_NONE)), [note]


def _parse(lines: list[str], delimiter: str, quoting: Any) -> Iterator[_Record]:
    csv.field_size_limit(_FIELD_LIMIT)  # of the process; what a field may have is bounded by the size of the source
    reader = csv.reader(lines, delimiter=delimiter, quoting=quoting)
    before = 0
    for number, cells in enumerate(reader, 1):
        last = reader.line_num
        if last - before > _MAX_ROW_LINES and quoting != csv.QUOTE_NONE:
            raise csv.Error("a row of too many lines")
        said = any(cell and not cell.isspace() for cell in cells)
        text = "".join(lines[before:last]).rstrip(_LINE_ENDS) if said else ""
        yield _Record(number, (before + 1, last), text, cells if number <= _KEPT_CELLS else [])
        before = last
