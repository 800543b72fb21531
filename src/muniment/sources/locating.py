"""Making chunks with locators out of spans of a text."""

import re
from collections.abc import Sequence
from typing import Any

from muniment.sources.parsed import Chunk, Origin, Span
from muniment.sources.splitting import LINE_END


class Locator:
    """Counts lines and chunks while walking forward through one text.

    Lines end at LF, CR LF or a lone CR, and are counted from 1. Spans must come in order and begin and end at
    characters that are not white space (so that none cuts a CR LF in two). Walking costs O(text) in all.
    """

    def __init__(self, text: str, origin: Origin) -> None:
        self._text = text
        self._origin = origin
        self._fields = origin.fields()
        self._at = 0
        self._line = 1
        self._count = 0

    def place(self, start: int, end: int) -> dict[str, Any]:
        """The locator of the next span."""
        place = self._origin.place() | {"lines": self.lines(start, end), "chars": [start, end], "chunk": self._count}
        self._count += 1
        return place

    def lines(self, start: int, end: int) -> list[int]:
        """The first and last line of a span, which does not become a chunk by this."""
        return [self._line_of(start), self._line_of(end - 1)]

    def chunk(self, span: Span, title: str | None = None, heading: Sequence[str] | None = None) -> Chunk:
        """The next chunk. ``heading`` is the path of headings above it, outermost first."""
        place = self.place(*span)
        fields = dict(self._fields)
        if title:
            fields["title"] = title
        if heading is not None:
            place["heading"] = list(heading)
            if heading:
                fields["section"] = " > ".join(heading)
        return Chunk(self._text[span[0] : span[1]], place, fields)

    def _line_of(self, at: int) -> int:
        first, last = min(self._at, at), max(self._at, at)
        count = self._text.count
        between = count("\n", first, last) + count("\r", first, last) - count("\r\n", first, last)
        self._line += between if at >= self._at else -between  # back from the header of a table to its beginning
        self._at = at
        return self._line


def line_span(text: str, first: int, last: int) -> Span | None:
    """Where the lines from ``first`` to ``last`` stand, from 1, without the last end; None where there are none."""
    start = 0 if first == 1 else None
    for number, end in enumerate(re.finditer(LINE_END, text), 2):
        if start is not None and number == last + 1:
            return start, end.start()
        if number == first:
            start = end.end()
    return None if start is None else (start, len(text))
