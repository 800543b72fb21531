"""Making chunks with locators out of spans of a text."""

from collections.abc import Sequence
from typing import Any

from muniment.sources.parsed import Chunk, Origin, Span


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
        lines = [self._line_of(start), self._line_of(end - 1)]
        place = self._origin.place() | {"lines": lines, "chars": [start, end], "chunk": self._count}
        self._count += 1
        return place

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
        count, start = self._text.count, self._at
        self._line += count("\n", start, at) + count("\r", start, at) - count("\r\n", start, at)
        self._at = at
        return self._line
