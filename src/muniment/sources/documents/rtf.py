"""RTF: its paragraphs, as striprtf gives them; it tells no headings from text."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from striprtf.striprtf import rtf_to_text

from muniment.errors import MunimentError
from muniment.sources.documents.blocks import Block, Paragraph, Table, locate_block, make_chunks, row_text
from muniment.sources.documents.text import storable
from muniment.sources.package import damaged
from muniment.sources.parsed import Origin, Parsed
from muniment.sources.tables.headers import find_header

_BEGINNING: Final = b"{\\rtf"
_CELL: Final = "|"


def read_rtf(data: bytes, origin: Origin) -> Parsed:
    """Paragraphs in order, rows of tables apart. Raises ``source.damaged`` and, without text, ``input.empty_text``."""
    chunks = make_chunks(_blocks(data), origin, origin.title)
    if not chunks:
        raise MunimentError("input.empty_text", "There is no text in the document.")
    return Parsed("document", origin.media_type, origin.title, origin.language, chunks)


def locate_rtf(data: bytes, locator: Mapping[str, Any]) -> str:
    """The text of the paragraphs or table rows that a locator names."""
    return locate_block(_blocks(data), locator)


def _blocks(data: bytes) -> Iterator[Block]:
    if not data.lstrip()[:5] == _BEGINNING:
        raise damaged("It does not begin as RTF does.")
    try:
        text = rtf_to_text(data.decode("latin-1"), errors="replace")  # type: ignore[no-untyped-call]
    except (ValueError, LookupError, IndexError, KeyError, OverflowError) as error:
        raise damaged(f"The RTF is broken: {type(error).__name__}.") from None
    number = tables = 0
    rows: list[list[str]] = []
    for line in [*text.split("\n"), ""]:
        if line.endswith(_CELL) and line.count(_CELL) > 1:
            rows.append(line[:-1].split(_CELL))
            continue
        if rows:
            tables += 1
            found = find_header(rows)
            yield Table(tuple(storable(row_text(row)) for row in rows), (), tables, 0 if found is None else found + 1)
            rows = []
        paragraph = storable(line)
        if paragraph:
            number += 1
            yield Paragraph(paragraph, (), number)
