"""Tables in texts that are cut as they are written: groups of their rows, with the lines of the header repeated."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from muniment.errors import MunimentError
from muniment.sources.charset import decode_text
from muniment.sources.locating import Locator, line_span
from muniment.sources.parsed import Chunk, Span
from muniment.sources.splitting import pack, trim
from muniment.sources.tables.row_groups import RowGroup, row_groups

_MAX_HEADERS: Final = 500


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table as it stands in a text: the trimmed spans of its header, where it has one, and of its rows in order.

    ``names`` are the words of the header. Rows are counted from 1, the header as the first.
    """

    header: Span | None
    rows: tuple[Span, ...]
    names: str = ""


Unit = Span | TextTable
"""What a section is made of."""


class TextChunks:
    """Makes the chunks of one text, section by section; tables are chunks apart and counted from 1."""

    def __init__(self, text: str, locator: Locator, size: int) -> None:
        self._text = text
        self._locator = locator
        self._size = size
        self._tables = 0

    def section(self, units: Iterable[Unit], title: str | None, path: Sequence[str]) -> Iterator[Chunk]:
        """The chunks of what stands under one heading, in order."""
        run: list[Span] = []
        for unit in units:
            if isinstance(unit, TextTable):
                yield from self._packed(run, title, path)
                run = []
                yield from self._table(unit, title, path)
            else:
                run.append(unit)
        yield from self._packed(run, title, path)

    def _packed(self, run: list[Span], title: str | None, path: Sequence[str]) -> Iterator[Chunk]:
        for span in pack(self._text, run, self._size):
            yield self._locator.chunk(span, title, path)

    def _table(self, table: TextTable, title: str | None, path: Sequence[str]) -> Iterator[Chunk]:
        self._tables += 1
        first = 1 if table.header is None else 2
        spans = dict(enumerate(table.rows, first)) | ({} if table.header is None else {1: table.header})
        texts = [(number, self._text[slice(*span)]) for number, span in spans.items() if number >= first]
        header = [] if table.header is None else [(1, self._text[slice(*table.header)])]
        lines = [] if table.header is None else self._locator.lines(*table.header)
        alone = table.header is not None
        for group in row_groups(header, texts, self._size):
            span, rows, text = _span(group, spans), list(group.rows), ""
            if alone and table.header is not None:
                alone = False
                if group.header is not None:  # the first group: the header stands directly above it
                    span, rows = (table.header[0], span[1]), [1, rows[1]]
                elif rows[0] > 1:  # a row that is too long to have it above
                    yield self._row_chunk(table, self._locator.chunk(table.header, title, path), [1, 1])
            elif group.header is not None and table.header is not None:
                text = self._text[slice(*table.header)] + "\n"
            chunk = self._row_chunk(table, self._locator.chunk(span, title, path), rows)
            if text:
                chunk.locator["header"] = lines
            yield Chunk(text + chunk.text, chunk.locator, chunk.fields) if text else chunk

    def _row_chunk(self, table: TextTable, chunk: Chunk, rows: list[int]) -> Chunk:
        chunk.locator["table"], chunk.locator["rows"] = self._tables, rows
        if table.names:
            chunk.fields["headers"] = table.names[:_MAX_HEADERS]
        return chunk


def locate_text(data: bytes, locator: Mapping[str, Any]) -> str:
    """The characters that a locator names by ``chars``, behind the lines of its ``header``.

    Raises ``source.unreadable`` where the text has no such lines, and what ``decode_text`` raises.
    """
    text = decode_text(data)[0]
    start, end = locator["chars"]
    if "header" not in locator:
        return text[start:end]
    lines = line_span(text, *locator["header"])
    if lines is None:
        raise MunimentError("source.unreadable", "The locator leads to nothing in the source.")
    return f"{text[slice(*trim(text, *lines))]}\n{text[start:end]}"


def _span(group: RowGroup, spans: Mapping[int, Span]) -> Span:
    """Where the rows of a group stand in the text."""
    first, last = spans[group.rows[0]], spans[group.rows[1]]
    if group.chars is None:
        return first[0], last[1]
    return first[0] + group.chars[0], first[0] + group.chars[1]
