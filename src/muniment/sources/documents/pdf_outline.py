"""The outline of a PDF: the headings that its author named, by page and height."""

from dataclasses import dataclass
from typing import Final

import pypdfium2 as pdfium
from pypdfium2 import raw

from muniment.sources.documents.text import fold

_MOST_ENTRIES: Final = 20_000
_TOP_AT: Final = {
    raw.PDFDEST_VIEW_XYZ: 1, raw.PDFDEST_VIEW_FITH: 0, raw.PDFDEST_VIEW_FITBH: 0, raw.PDFDEST_VIEW_FITR: 3,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A heading: its level from 1, and its height on the page in points from below, None for the page's top."""

    level: int
    title: str
    top: float | None


def read_outline(document: pdfium.PdfDocument) -> dict[int, list[OutlineEntry]]:
    """The entries of a document by page, from 0. What leads nowhere is left out, as is what is deeper than 15."""
    found: dict[int, list[OutlineEntry]] = {}
    for count, bookmark in enumerate(document.get_toc()):
        if count >= _MOST_ENTRIES:
            break
        title, target = fold(bookmark.get_title()), bookmark.get_dest()
        page = None if target is None else target.get_index()
        if not title or page is None or target is None:
            continue
        mode, position = target.get_view()
        at = _TOP_AT.get(mode)
        top = float(position[at]) if at is not None and at < len(position) else None
        found.setdefault(page, []).append(OutlineEntry(bookmark.level + 1, title, top or None))
    return found
