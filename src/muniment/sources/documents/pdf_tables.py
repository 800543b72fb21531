"""Ruled tables on PDF pages, by pdfplumber, only where a page looks ruled: it is a hundred times slower than PDFium."""

import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from muniment.sources.documents.blocks import Box, row_text
from muniment.sources.documents.pdf_lines import Line
from muniment.sources.documents.text import storable

MOST_PAGES: Final = 300
"""How many pages of one document are searched for tables."""

_DIFFERENCE: Final = 0.02


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table on a page: the texts of its rows, and the lines that it stands for, by their indexes."""

    rows: tuple[str, ...]
    box: Box
    lines: frozenset[int]


class TableFinder:
    """Finds the tables of one document's pages. The document is opened at the first page that is asked for."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._pages: Sequence[Any] | None = None
        self.searched = 0

    def find(self, number: int, lines: Sequence[Line]) -> list[FoundTable]:
        """The tables of a page, by its number from 0. None where a table would not say what its lines say.

        A page that pdfplumber cannot read, and what is over the limit of pages, has no tables: its lines stay.
        """
        self.searched += 1
        if self.searched > MOST_PAGES:
            return []
        try:
            return self._find(number, lines)
        except Exception:  # pdfminer fails in many ways, and PDFium has the text anyway
            return []

    def _find(self, number: int, lines: Sequence[Line]) -> list[FoundTable]:
        if self._pages is None:
            import pdfplumber  # takes a while to load

            self._pages = pdfplumber.open(io.BytesIO(self._data)).pages
        page = self._pages[number]
        if page.rotation:
            return []
        found = []
        taken: set[int] = set()
        for table in page.find_tables():
            left, top, right, bottom = table.bbox
            box = (float(left), float(page.mediabox[3] - bottom), float(right), float(page.mediabox[3] - top))
            rows = table.extract()
            inside = frozenset(index for index, line in enumerate(lines) if _inside(line, box)) - taken
            if len(rows) < 2 or max(map(len, rows)) < 2 or not _says_the_same(rows, [lines[i] for i in inside]):
                continue
            taken |= inside
            texts = tuple(storable(row_text(cell or "" for cell in row)) for row in rows)
            rounded = (round(box[0], 1), round(box[1], 1), round(box[2], 1), round(box[3], 1))
            found.append(FoundTable(texts, rounded, inside))
        page.close()
        return found


def _inside(line: Line, box: Box) -> bool:
    x, y = (line.box[0] + line.box[2]) / 2, (line.box[1] + line.box[3]) / 2
    return line.hidden is None and box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _says_the_same(rows: Sequence[Sequence[str | None]], lines: Sequence[Line]) -> bool:
    """Whether a table holds the letters of the lines in its place, so that nothing is lost by taking it instead."""
    ours = Counter("".join("".join(line.text.split()) for line in lines))
    theirs = Counter("".join("".join((cell or "").split()) for row in rows for cell in row))
    difference = sum(((ours - theirs) + (theirs - ours)).values())
    return bool(lines) and difference <= _DIFFERENCE * max(sum(ours.values()), 1)
