"""DOCX: headings, paragraphs, lists, tables, notes, comments, as the document stands when its changes are accepted."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.documents.blocks import Block, Numbering, Paragraph, Table, locate_block, make_chunks, row_text
from muniment.sources.documents.docx_body import Cells, TextParagraph, body_parts
from muniment.sources.documents.docx_figures import images_drawn
from muniment.sources.documents.docx_styles import Styles, read_styles
from muniment.sources.documents.text import fold, storable
from muniment.sources.images.figures import Figures
from muniment.sources.package import Package, damaged
from muniment.sources.parsed import Origin, Parsed
from muniment.sources.properties import core_properties
from muniment.sources.relations import read_relations, related
from muniment.sources.tables.headers import find_header

_BODY: Final = (("part", "body"),)
_NOTES: Final = ("footnotes", "endnotes")
_EDGES: Final = (("headers", "header"), ("footers", "footer"))
_LEFT_OUT: Final = (
    ("charts", re.compile(r"word/charts/chart[^/]*\.xml")),
    ("diagrams", re.compile(r"word/diagrams/data[^/]*\.xml")),
    ("embedded files", re.compile(r"word/embeddings/[^/]+")),
)


def read_docx(data: bytes, origin: Origin) -> Parsed:
    """Sections cut at the headings, tables apart; behind the text footnotes, endnotes, headers, footers and comments.

    Insertions are kept and deletions dropped; content controls and text boxes are read where they stand; text that is
    formatted as hidden is marked by ``hidden_text``. Raises ``source.damaged``, ``source.encrypted``,
    ``source.too_complex``, ``input.too_large`` and, where it has no text, ``input.empty_text``.
    """
    document = _Document(Package(data, origin.settings))
    properties = core_properties(document.package)
    blocks = list(document.blocks())
    title = origin.title or document.title or properties.title
    chunks = make_chunks(blocks, origin, title)
    figures = Figures(origin.settings)
    document.add_images(figures)
    parts = figures.parts()
    if not chunks and not parts:
        raise MunimentError("input.empty_text", "There is no text in the document.")
    notes = ["Deleted text was left out."] if document.deletions else []
    notes += figures.notes()
    for what, names in _LEFT_OUT:
        if count := sum(names.fullmatch(name) is not None for name in document.package.names):
            notes.append(f"{count} {what} are left out.")
    return Parsed(
        "document", origin.media_type, title, origin.language, chunks, notes=notes, at=properties.at, parts=parts
    )


def locate_docx(data: bytes, locator: Mapping[str, Any]) -> str:
    """The text of the paragraphs or table rows that a locator names in its ``part``."""
    return locate_block(_Document(Package(data, Settings())).blocks(), locator)


class _Document:
    """A document while it is read."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.title: str | None = None
        self.deletions = 0
        self._path = read_relations(package, "").get("officeDocument", "word/document.xml")
        if self._path not in package:
            raise damaged("The package has no document.")
        self._relations = read_relations(package, self._path)
        self._styles: Styles = read_styles(package.pieces(self._relations.get("styles", "word/styles.xml")))
        self._numbering = Numbering()

    def blocks(self) -> Iterator[Block]:
        """The blocks of the body, then of the notes, of the edges of pages, each once, and of the comments."""
        for part in body_parts(self.package.pieces(self._path), self._counted):
            yield from self._block(part, _BODY)
        for relation in _NOTES:
            yield from self._beside((("part", relation),), self._relations.get(relation))
        for part_name, kind in _EDGES:
            members = dict.fromkeys(member for name, _, member in related(self.package, self._path) if name == kind)
            said: set[str] = set()
            for block in self._beside((("part", part_name),), *members):
                text = block.text if isinstance(block, Paragraph) else "\n".join(block.rows)
                if text not in said and not text.isdecimal():  # the number of a page is no text
                    yield block
                said.add(text)
        yield from self._beside((("part", "comments"),), self._relations.get("comments"))

    def _beside(self, place: tuple[tuple[str, Any], ...], *members: str | None) -> Iterator[Block]:
        """The blocks of members that stand beside the body; a comment is a place of its own."""
        self._numbering.headings.clear()
        for member in members:
            if member is None:
                continue
            for part in body_parts(self.package.pieces(member), self._counted):
                comment = part.comment if isinstance(part, TextParagraph) else None
                where = place if comment is None else (*place, ("comment", comment[0]))
                yield from self._block(part, where, beside=True)

    def add_images(self, figures: Figures) -> None:
        """Adds the images of the body."""
        if not figures.wanted or not any("media/" in name for name in self.package.names):
            return
        for relation, title in images_drawn(self.package.pieces(self._path)):
            member = self._relations.get(relation)
            if member is not None and member in self.package:
                figures.add(member, {"part": "body"}, partial(self.package.read, member), title=title)

    def _counted(self) -> None:
        self.deletions += 1

    def _block(
        self, part: TextParagraph | Cells, place: tuple[tuple[str, Any], ...], beside: bool = False
    ) -> Iterator[Block]:
        marks: tuple[tuple[str, Any], ...] = (("hidden_text", "formatted as hidden"),) if part.hidden else ()
        if isinstance(part, Cells):
            rows = tuple(row_text(cells) for cells in part.rows)
            if not any(rows):
                return
            header = part.header or self._first_row(part.rows)
            yield Table(rows, place, self._numbering.next(place, "table"), header, self._numbering.path, marks=marks)
            return
        text = storable(part.text)
        if not text:
            return
        if part.comment is not None:
            author = fold(part.comment[1])[:256]
            marks += (("comment", True), *((("comment_by", author),) if author else ()))
        level = None if beside else self._styles.level(part.style, part.level)
        if level is not None:
            self._numbering.enter(level, text)
        elif self.title is None and not beside and self._styles.is_title(part.style):
            self.title = fold(text)[:1000]
        number = self._numbering.next(place)
        yield Paragraph(text, place, number, self._numbering.path, item=part.item or beside, marks=marks)

    def _first_row(self, rows: list[list[str]]) -> int:
        named = find_header(rows)
        return 0 if named is None else named + 1
