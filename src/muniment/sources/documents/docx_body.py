"""The paragraphs and tables of DOCX, read as a stream: memory grows with one paragraph or table at a time."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from muniment.errors import MunimentError
from muniment.sources.xml_stream import parsing_xml

MAX_DEPTH: Final = 2000
"""How deep elements may be nested in a document; what word processors write stays far below a hundred."""

_DELETIONS: Final = frozenset({"del", "moveFrom"})
_LEFT_OUT: Final = _DELETIONS | {"Fallback", "delText", "instrText", "delInstrText", "rt"}
_PROPERTIES: Final = frozenset({"pPr", "rPr"})
_CHARACTERS: Final = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": "\t"}
_MOST_COLUMNS: Final = 63


@dataclass(slots=True)
class TextParagraph:
    """A paragraph: its text, the id of its style, its own outline level from 0, and whether it is a list's item.

    Of a comment also the number of the comment in its part, from 1, and its author.
    """

    text: str
    style: str | None = None
    level: int | None = None
    item: bool = False
    hidden: bool = False
    comment: tuple[int, str] | None = None


@dataclass(slots=True)
class Cells:
    """A table: the texts of its cells by row, and how many rows it repeats on every page as its header."""

    rows: list[list[str]] = field(default_factory=list)
    header: int = 0
    hidden: bool = False


@dataclass(slots=True)
class _Open:
    """A paragraph that is not at its end; text boxes in it hold paragraphs of their own."""

    parts: list[str] = field(default_factory=list)
    style: str | None = None
    level: int | None = None
    item: bool = False
    hidden: bool = False


def body_parts(pieces: Iterable[bytes], deleted: Callable[[], None]) -> Iterator[TextParagraph | Cells]:
    """The paragraphs and outermost tables in order. A paragraph in a text box comes before the one that it hangs on.

    A table in a table's cell is text of the cell. ``deleted`` is called for every deletion. Raises what ``parse_xml``
    raises, and ``source.too_complex`` for nesting over ``MAX_DEPTH``.
    """
    reader = _Reader(deleted)
    for _ in parsing_xml(pieces, start=reader.start, end=reader.end, text=reader.text):
        found, reader.found = reader.found, []
        yield from found
    yield from reader.found


class _Reader:
    """Gathers the parts; ``found`` are those that have ended and were not taken yet."""

    def __init__(self, deleted: Callable[[], None]) -> None:
        self.found: list[TextParagraph | Cells] = []
        self._deleted = deleted
        self._paragraphs: list[_Open] = []
        self._tables: list[Cells] = []
        self._cell: list[str] | None = None
        self._depth = 0
        self._left_out = 0
        self._said = 0
        self._properties = 0
        self._hidden = False
        self._span = 1
        self._comment: tuple[int, str] | None = None

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            detail = f"Its elements are nested deeper than {MAX_DEPTH}."
            raise MunimentError("source.too_complex", detail, limit=MAX_DEPTH)
        name = name.rpartition(":")[2]
        if self._left_out or name in _LEFT_OUT:
            self._left_out += 1
            if self._left_out == 1 and name in _DELETIONS and self._properties == 0:
                self._deleted()
        elif name == "t":
            self._said += 1
        elif name == "p":
            self._paragraphs.append(_Open())
        elif name in _PROPERTIES:
            self._properties += 1
        elif name == "r":
            self._hidden = False
        elif self._paragraphs:
            self._inside(name, attributes)
        else:
            self._around(name, attributes)

    def _inside(self, name: str, attributes: Mapping[str, str]) -> None:
        """What begins in a paragraph."""
        paragraph, value = self._paragraphs[-1], attributes.get("w:val", "")
        if self._properties:
            if name == "pStyle":
                paragraph.style = value
            elif name == "outlineLvl" and value.isdecimal():
                paragraph.level = int(value[:2])
            elif name == "numPr":
                paragraph.item = True
            elif name == "vanish" and value not in ("0", "false"):
                self._hidden = True
        elif name in _CHARACTERS:
            paragraph.parts.append(_CHARACTERS[name])
        elif name == "tbl":  # in a text box
            self._around(name, attributes)

    def _around(self, name: str, attributes: Mapping[str, str]) -> None:
        """What begins between paragraphs."""
        if name == "tbl":
            self._tables.append(Cells())
        elif name == "comment":
            number = 1 if self._comment is None else self._comment[0] + 1
            self._comment = (number, attributes.get("w:author", ""))
        elif len(self._tables) != 1:
            return
        elif name == "tr":
            self._tables[0].rows.append([])
        elif name == "tc":
            self._cell = []
        elif name == "tblHeader" and attributes.get("w:val") not in ("0", "false"):
            table = self._tables[0]
            if table.header == len(table.rows) - 1:
                table.header += 1
        elif name == "gridSpan" and self._cell is not None:
            span = attributes.get("w:val", "")
            wide = min(int(span), _MOST_COLUMNS) if span.isdecimal() and len(span) < 6 else 1
            self._span = max(wide, 1)

    def end(self, name: str) -> None:
        self._depth -= 1
        name = name.rpartition(":")[2]
        if self._left_out:
            self._left_out -= 1
        elif name == "t":
            self._said -= 1
        elif name == "p" and self._paragraphs:
            self._end_paragraph(self._paragraphs.pop())
        elif name in _PROPERTIES:
            self._properties -= 1
        elif name == "tc" and len(self._tables) == 1 and self._cell is not None and self._tables[0].rows:
            self._tables[0].rows[-1] += ["\n".join(self._cell), *[""] * (self._span - 1)]
            self._cell, self._span = None, 1
        elif name == "tbl" and self._tables:
            table = self._tables.pop()
            if not self._tables:
                table.header = min(table.header, len(table.rows) - 1)
                self.found.append(table)

    def text(self, piece: str) -> None:
        if self._said and self._paragraphs and not self._left_out:
            paragraph = self._paragraphs[-1]
            paragraph.parts.append(piece)
            paragraph.hidden = paragraph.hidden or self._hidden

    def _end_paragraph(self, ended: _Open) -> None:
        text = "".join(ended.parts)
        if self._cell is not None and self._tables:
            self._cell.append(text)
            return
        self.found.append(TextParagraph(text, ended.style, ended.level, ended.item, ended.hidden, self._comment))
