"""The blocks of HTML: headings, paragraphs, items of lists and tables, in the order of the document."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from muniment.sources.documents.blocks import Block, Numbering, Paragraph, Table, row_text
from muniment.sources.documents.text import fold, storable
from muniment.sources.tables.headers import find_header

_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_BLOCKS_NAMES: Final = """
    address article aside blockquote body caption center dd details dialog dir div dl dt fieldset
    figcaption figure footer form header hgroup hr legend li main menu nav ol p pre search section
    summary table tbody td tfoot th thead tr ul h1 h2 h3 h4 h5 h6
"""
_BLOCKS: Final = frozenset(_BLOCKS_NAMES.split())
_LEFT_OUT_NAMES: Final = """
    script style template noscript head svg math-ml iframe object embed audio video canvas select
    datalist rp rt
"""
_LEFT_OUT: Final = frozenset(_LEFT_OUT_NAMES.split())
_INVISIBLE: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:\D|$)", re.IGNORECASE)
_MOST_CELLS: Final = 200_000

Place = tuple[tuple[str, Any], ...]


def html_blocks(text: str, place: Place = (), numbering: Numbering | None = None) -> Iterator[Block]:
    """The blocks of a document, whatever they are for: navigation as well as its main content.

    What has the attribute ``hidden``, scripts, styles and templates are no text of it. What a style makes invisible is
    marked by ``hidden_text``. A table of two rows and columns that holds no other blocks is one; other tables arrange
    what is in their cells. The walk is iterative; the text must have passed ``require_bounded``.
    """
    tree = LexborHTMLParser(text)
    root = tree.body or tree.root
    if root is not None:
        yield from _Walk(place, numbering or Numbering()).blocks(root)


@dataclass(slots=True)
class _Walk:
    place: Place
    numbering: Numbering
    parts: list[str] = field(default_factory=list)
    invisible: int = 0
    preformatted: int = 0
    item: bool = False

    def blocks(self, root: LexborNode) -> Iterator[Block]:
        node: LexborNode | None = root
        leaving = False
        while node is not None:
            tag = node.tag or ""
            if leaving:
                yield from self._leave(node, tag)
            elif tag == "-text":
                self.parts.append(node.text_content or "")
            elif not self._left_out(node, tag):
                if tag == "table" and (found := self._table(node)) is not None:
                    yield from self._flush()
                    yield found
                else:
                    yield from self._enter(node, tag)
                    if node.first_child is not None:
                        node = node.first_child
                        continue
                    yield from self._leave(node, tag)
            if node.mem_id == root.mem_id:
                break
            leaving = node.next is None
            node = node.parent if leaving else node.next
        yield from self._flush()

    def _left_out(self, node: LexborNode, tag: str) -> bool:
        return tag.startswith(("-", "!", "_")) or tag in _LEFT_OUT or "hidden" in node.attributes

    def _enter(self, node: LexborNode, tag: str) -> Iterator[Block]:
        if tag == "br":
            self.parts.append("\n" if self.preformatted else " ")
        elif tag in _BLOCKS:
            yield from self._flush()
            self.preformatted += tag == "pre"
            self.item = tag == "li" or (self.item and tag != "ul" and tag != "ol")
        if _is_invisible(node):
            yield from self._flush()
            self.invisible += 1

    def _leave(self, node: LexborNode, tag: str) -> Iterator[Block]:
        if tag in _BLOCKS:
            yield from self._flush(_HEADINGS.get(tag))
            self.preformatted -= tag == "pre"
            if tag == "li":
                self.item = False
        if _is_invisible(node):
            yield from self._flush()
            self.invisible -= 1

    def _flush(self, level: int | None = None) -> Iterator[Block]:
        joined = "".join(self.parts)
        self.parts.clear()
        text = storable(joined) if self.preformatted else fold(joined)
        if not text:
            return
        if level is not None and not self.invisible:
            self.numbering.enter(level, text)
        number = self.numbering.next(self.place)
        yield Paragraph(text, self.place, number, self.numbering.path, item=self.item, marks=self._marks())

    def _table(self, node: LexborNode) -> Table | None:
        """The table that an element is, None where it only arranges blocks."""
        rows: list[list[str]] = []
        header = cells = 0
        for row in node.css("tr"):
            texts = []
            heads = 0
            for cell in _children(row):
                if cell.tag in ("td", "th"):
                    if cell.css_first("table, p + p, ul, ol, h1, h2, h3, h4, h5, h6, div div, pre") is not None:
                        return None
                    texts.append("" if "hidden" in cell.attributes else fold(_text(cell)))
                    heads += cell.tag == "th"
            cells += len(texts)
            if cells > _MOST_CELLS:
                return None
            in_head = row.parent is not None and row.parent.tag == "thead"
            if header == len(rows) and texts and (in_head or heads == len(texts)):
                header += 1
            rows.append(texts)
        if len(rows) < 2 or max(map(len, rows)) < 2 or node.css_first("caption") is not None:
            return None
        if not header:
            found = find_header(rows)
            header = 0 if found is None else found + 1
        said = tuple(row_text(row) for row in rows)
        if not any(said):
            return None
        number = self.numbering.next(self.place, "table")
        return Table(said, self.place, number, min(header, len(rows) - 1), self.numbering.path, marks=self._marks())

    def _marks(self) -> tuple[tuple[str, Any], ...]:
        return (("hidden_text", "invisible by its style"),) if self.invisible else ()


def _children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.first_child
    while child is not None:
        yield child
        child = child.next


def _text(cell: LexborNode) -> str:
    """The text of a cell without scripts and such, its breaks as spaces."""
    parts: list[str] = []
    stack = [cell]
    while stack:
        node = stack.pop()
        if node.tag == "-text":
            parts.append(node.text_content or "")
        elif node.tag not in _LEFT_OUT and "hidden" not in node.attributes:
            if node.tag in _BLOCKS or node.tag == "br":
                parts.append(" ")
            stack.extend(reversed(list(_children(node))))
    return "".join(parts)


def _is_invisible(node: LexborNode) -> bool:
    style = node.attributes.get("style")
    return bool(style) and _INVISIBLE.search(style or "") is not None
