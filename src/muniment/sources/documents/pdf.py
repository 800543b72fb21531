"""PDF: paragraphs made of lines and gaps, ruled tables, the outline as headings; located by page and box."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import pypdfium2 as pdfium

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.documents.blocks import Block, Numbering, Paragraph, Table, locate_block, make_chunks
from muniment.sources.documents.pdf_annotations import Unread, annotation_blocks
from muniment.sources.documents.pdf_attachments import attached_files
from muniment.sources.documents.pdf_fallback import fallback_pages
from muniment.sources.documents.pdf_figures import PdfFigures
from muniment.sources.documents.pdf_lines import Line, group_lines, marks_of, read_lines
from muniment.sources.documents.pdf_objects import look_at
from muniment.sources.documents.pdf_outline import OutlineEntry, read_outline
from muniment.sources.documents.pdf_tables import MOST_PAGES, FoundTable, TableFinder
from muniment.sources.documents.text import fold
from muniment.sources.parsed import Origin, Parsed, Part
from muniment.sources.tables.headers import find_header

_HEADER: Final = b"%PDF-"
_HEADER_WITHIN: Final = 64 * 1024
_MOST_FAILURES: Final = 50
_MAX_TITLE: Final = 1000
_NAMED_PAGES: Final = 20


def read_pdf(data: bytes, origin: Origin) -> Parsed:
    """Paragraphs and tables page by page; a chunk never reaches over a page or an entry of the outline.

    Text that cannot be seen (invisible, white on nothing, transparent, off the page) is read and marked by
    ``hidden_text`` in its metadata. Annotations and the values of forms are parts of their page. Pages without text are
    named in the notes; images and attached files become parts. What PDFium refuses, pypdf tries.

    Raises ``source.encrypted`` where a password is needed, ``source.damaged``, ``source.too_complex`` and, where no
    page has any text or image, ``input.empty_text``.
    """
    figures = PdfFigures(origin.settings)
    reading = _Reading(data, origin.settings, figures)
    title = origin.title or reading.title
    chunks = make_chunks(reading.blocks(), origin, title)
    parts = reading.inside()
    notes = [*reading.all_notes(), *figures.notes()]
    if not chunks and not parts:
        detail = notes[0] if notes else "No page has any text."
        raise MunimentError("input.empty_text", detail)
    return Parsed("document", origin.media_type, title, origin.language, chunks, notes=notes, parts=parts)


def locate_pdf(data: bytes, locator: Mapping[str, Any]) -> str:
    """The text of the paragraphs or table rows that a locator names on its ``page``."""
    return locate_block(_Reading(data, Settings()).page_blocks(locator["page"] - 1), locator)


class _Reading:
    """One document while it is read, page by page."""

    def __init__(self, data: bytes, settings: Settings, figures: PdfFigures | None = None) -> None:
        self._figures = figures
        self._settings = settings
        at = data.find(_HEADER, 0, _HEADER_WITHIN)
        self._data = data[at:] if at > 0 else data
        self._numbering = Numbering()
        self._tables = TableFinder(self._data)
        self._unread: list[int] = []
        self._without_text: list[int] = []
        self._notes: list[str] = []
        self._hidden: set[int] = set()
        self._over = Unread()
        self._fallback: list[list[str]] | None = None
        self._document = self._open()
        self.title = self._own_title()
        self._outline: dict[int, list[OutlineEntry]] = {}
        self.pages = len(self._fallback or ()) if self._document is None else len(self._document)
        if self.pages > settings.max_source_items:
            detail = f"The document says that it has {self.pages} pages, more than {settings.max_source_items}."
            raise MunimentError(
                "source.too_complex", detail, limit=settings.max_source_items, setting="MUNIMENT_MAX_SOURCE_ITEMS"
            )

    def _open(self) -> pdfium.PdfDocument | None:
        try:
            document = pdfium.PdfDocument(self._data)
            document.init_forms()
            if len(document) > 0:
                return document
        except pdfium.PdfiumError as error:
            if "password" in str(error).lower():
                raise MunimentError("source.encrypted", "The document opens only with a password.") from None
        self._fallback = fallback_pages(self._data)
        self._notes.append("The document is damaged: its text was read without boxes and tables.")
        return None

    def _own_title(self) -> str | None:
        if self._document is None:
            return None
        return fold(self._document.get_metadata_value("Title"))[:_MAX_TITLE] or None

    def blocks(self) -> Iterator[Block]:
        """The blocks of all pages. Pages that cannot be read are passed over, and too many in a row end it."""
        if self._document is not None:
            self._outline = read_outline(self._document)
        failed = 0
        for index in range(self.pages):
            try:
                yield from self.page_blocks(index)
                failed = 0
            except pdfium.PdfiumError:
                self._unread.append(index + 1)
                failed += 1
                if failed >= _MOST_FAILURES:
                    self._notes.append(f"From page {index + 2} on the document was not read: it is damaged.")
                    return

    def page_blocks(self, index: int) -> Iterator[Block]:
        """The blocks of a page, by its index from 0; they depend on no other page but for their headings."""
        if not 0 <= index < self.pages:
            return
        if self._document is None:
            yield from self._fallback_blocks(index)
            return
        page = self._document[index]
        over: list[Block] = []
        try:
            place = self._place(index)
            textpage = page.get_textpage()
            drawn = look_at(page)
            lines = read_lines(textpage, drawn.why_hidden(textpage))
            textpage.close()
            if self._figures is not None and drawn.pictures:
                self._figures.add_page(index, drawn.pictures)
            over += annotation_blocks(page, place, self._numbering.path, self._over)
        finally:
            page.close()
        if not lines:
            if drawn.images:
                self._without_text.append(index + 1)
        elif any(line.hidden not in (None, "invisible, over an image") for line in lines):
            self._hidden.add(index + 1)
        tables = self._tables.find(index, lines) if lines and drawn.looks_ruled else []
        yield from self._page(place, lines, tables, self._outline.get(index, []))
        yield from over

    def _place(self, index: int) -> tuple[tuple[str, Any], ...]:
        """The page by its number from 1, and the name that it bears where that is another."""
        assert self._document is not None
        label = fold(self._document.get_page_label(index))[:64]
        named = (("page_label", label),) if label and label != str(index + 1) else ()
        return (("page", index + 1), *named)

    def _page(
        self, place: tuple[tuple[str, Any], ...], lines: Sequence[Line], tables: Sequence[FoundTable],
        entries: Sequence[OutlineEntry],
    ) -> Iterator[Block]:  # fmt: skip
        pending = list(entries)
        number = 0
        for part in _in_order(lines, tables):
            if isinstance(part, int):
                table = tables[part]
                self._enter(pending, table.box[3])
                named = find_header([row.split(" | ") for row in table.rows])
                header = 0 if named is None else named + 1
                yield Table(table.rows, place, part + 1, header, self._numbering.path, table.box)
                continue
            for group in group_lines(part):
                number += 1
                self._enter(pending, group.box[3])
                yield Paragraph(
                    group.text, place, number, self._numbering.path, group.box, group.item, marks_of(group.hidden)
                )
        self._enter(pending, None)

    def _enter(self, pending: list[OutlineEntry], top: float | None) -> None:
        """Enters the headings that stand above a height on the page; without one, all."""
        while pending and (top is None or pending[0].top is None or pending[0].top >= top - 4):
            entry = pending.pop(0)
            self._numbering.enter(entry.level, entry.title)

    def _fallback_blocks(self, index: int) -> Iterator[Block]:
        assert self._fallback is not None
        for number, text in enumerate(self._fallback[index], 1):
            yield Paragraph(text, (("page", index + 1),), number)

    def inside(self) -> list[Part]:
        """The images of the pages that were read, and the files that are attached to the document."""
        if self._figures is None or self._document is None:
            return []
        return self._figures.parts(self._document) + attached_files(self._document, self._settings, self._notes)

    def all_notes(self) -> list[str]:
        """What could not be read as well as one would like."""
        notes = list(self._notes)
        if self._without_text:
            notes.append(f"{_pages(self._without_text)} no text, only what images show.")
        if self._unread:
            notes.append(f"{_pages(self._unread)} not been read: damaged.")
        if self._hidden:
            notes.append(f"{_pages(sorted(self._hidden))} text that cannot be seen; it is marked.")
        if self._tables.searched > MOST_PAGES:
            notes.append(f"Tables were looked for on the first {MOST_PAGES} pages with rules.")
        if self._over.passwords:
            notes.append(f"{self._over.passwords} passwords in fields of its form are left out.")
        if self._over.more:
            notes.append(f"{self._over.more} annotations are left out: there are very many, or they say very much.")
        return notes


def _in_order(lines: Sequence[Line], tables: Sequence[FoundTable]) -> Iterator[list[Line] | int]:
    """The lines of a page, and each table, by its index, where the first of its lines stood."""
    owner = {index: number for number, table in enumerate(tables) for index in table.lines}
    done: set[int] = set()
    run: list[Line] = []
    for index, line in enumerate(lines):
        table = owner.get(index)
        if table is None:
            run.append(line)
        elif table not in done:
            if run:
                yield run
                run = []
            done.add(table)
            yield table
    if run:
        yield run


def _pages(numbers: Sequence[int]) -> str:
    named = ", ".join(map(str, numbers[:_NAMED_PAGES]))
    more = f" and {len(numbers) - _NAMED_PAGES} more" if len(numbers) > _NAMED_PAGES else ""
    return f"Page {named} has" if len(numbers) == 1 else f"Pages {named}{more} have"
