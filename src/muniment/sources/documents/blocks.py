"""What documents are made of: paragraphs and tables, each with its place; and how chunks are made of them.

A reader gives the blocks of a document in order. They do not depend on the chunk size or on any other setting, so that
reading the same bytes again gives the same blocks, and a locator's text is found by its place and numbers alone.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from muniment.errors import MunimentError
from muniment.sources.documents.text import fold
from muniment.sources.parsed import Chunk, Origin, Span
from muniment.sources.splitting import pack
from muniment.sources.tables.row_groups import Row, RowGroup, joined, row_groups

Box = tuple[float, float, float, float]
"""Left, bottom, right and top in points from the lower left corner, as PDF has them."""

MAX_HEADERS = 500
_MAX_HEADING = 300


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, list item or heading. ``text`` is stripped and not empty.

    ``place`` names the page, slide or part that it is on; paragraphs of different places never share a chunk, nor do
    those under different headings or with different marks. ``number`` counts from 1 in the place. ``marks`` become
    metadata of the chunk. Items of one list stand on lines of their own, other paragraphs have an empty line between.
    """

    text: str
    place: tuple[tuple[str, Any], ...]
    number: int
    heading: tuple[str, ...] = ()
    box: Box | None = None
    item: bool = False
    marks: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the texts of its rows, of which the first ``header`` are its header. ``number`` counts from 1."""

    rows: tuple[str, ...]
    place: tuple[tuple[str, Any], ...]
    number: int
    header: int = 0
    heading: tuple[str, ...] = ()
    box: Box | None = None
    marks: tuple[tuple[str, Any], ...] = ()

    def numbered(self, first: int, last: int) -> list[Row]:
        """The rows from ``first`` to ``last``, counted from 1, that have any text."""
        return [(n, self.rows[n - 1]) for n in range(first, min(last, len(self.rows)) + 1) if self.rows[n - 1]]


Block = Paragraph | Table


@dataclass(slots=True)
class Numbering:
    """Counts paragraphs and tables by place, and keeps the path of headings above them."""

    headings: list[tuple[int, str]] = field(default_factory=list)
    _counts: dict[tuple[Any, ...], int] = field(default_factory=dict)

    def next(self, place: tuple[tuple[str, Any], ...], kind: str = "paragraph") -> int:
        """The next number in a place, from 1."""
        count = self._counts.get((place, kind), 0) + 1
        self._counts[place, kind] = count
        return count

    def enter(self, level: int, title: str) -> None:
        """Notes a heading; those of its level and below end with it."""
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        self.headings.append((level, fold(title)[:_MAX_HEADING]))

    @property
    def path(self) -> tuple[str, ...]:
        """The headings above what comes next, outermost first."""
        return tuple(title for _, title in self.headings)


def row_text(cells: Iterable[str]) -> str:
    """A row as text: its cells, each on one line, with bars between; empty where all cells are."""
    folded = [fold(cell) for cell in cells]
    while folded and not folded[-1]:
        folded.pop()
    return " | ".join(folded).strip()


def make_chunks(blocks: Iterable[Block], origin: Origin, title: str | None) -> list[Chunk]:
    """The chunks of a document. Raises ``source.too_complex`` (fact ``limit``) for too many of them."""
    chunks: list[Chunk] = []
    limit = origin.settings.max_source_items
    base = origin.fields() | ({"title": title} if title else {})

    def add(text: str, block: Block, place: dict[str, Any], fields: dict[str, str]) -> None:
        shared = dict(block.place)
        where = origin.place() | shared | {"heading": list(block.heading)} | place | {"chunk": len(chunks)}
        named = base | ({"section": " > ".join(block.heading)} if block.heading else {}) | fields
        named |= {name: str(shared[name]) for name in ("page", "slide") if name in shared}
        chunks.append(Chunk(text, where, named, metadata=dict(block.marks)))
        if len(chunks) > limit:
            raise _too_many(limit)

    for run in _runs(blocks):
        first = run[0]
        if isinstance(first, Table):
            for group in row_groups(*_parts(first), origin.settings.chunk_characters):
                add(group.text, first, _table_place(first, group), _headers(first))
        else:
            paragraphs = [each for each in run if isinstance(each, Paragraph)]
            for text, place in _packed(paragraphs, origin.settings.chunk_characters):
                add(text, first, place, {})
    return chunks


def locate_block(blocks: Iterable[Block], locator: Mapping[str, Any]) -> str:
    """The text that a locator of ``make_chunks`` points at: by its place, numbers and ``chars``."""
    if "table" in locator:
        for block in blocks:
            if isinstance(block, Table) and block.number == locator["table"] and _is_at(block, locator):
                header = block.numbered(*locator["header"]) if "header" in locator else []
                return joined(header, block.numbered(*locator["rows"]), locator.get("chars"))
        return ""
    first, last = locator["paragraphs"]
    found = []
    for block in blocks:
        if isinstance(block, Paragraph) and first <= block.number <= last and _is_at(block, locator):
            found.append(block)
            if block.number == last:
                break
    text, _ = _join(found)
    chars = locator.get("chars")
    return text if chars is None else text[chars[0] : chars[1]]


def _is_at(block: Block, locator: Mapping[str, Any]) -> bool:
    """Whether a block is in the place that a locator names: not on its page but in another part of it."""
    place = dict(block.place)
    return all(locator.get(name) == place.get(name) for name in (*place, "part", "comment"))


def _runs(blocks: Iterable[Block]) -> Iterator[list[Block]]:
    """Neighbours that may share chunks: none between them is missing. Each table is a run of its own."""
    run: list[Block] = []
    for block in blocks:
        if run and not _follows(run[-1], block):
            yield run
            run = []
        run.append(block)
    if run:
        yield run


def _follows(above: Block, below: Block) -> bool:
    if isinstance(above, Table) or isinstance(below, Table) or below.number != above.number + 1:
        return False
    return (above.place, above.heading, above.marks) == (below.place, below.heading, below.marks)


def _parts(table: Table) -> tuple[list[Row], list[Row]]:
    return table.numbered(1, table.header), table.numbered(table.header + 1, len(table.rows))


def _table_place(table: Table, group: RowGroup) -> dict[str, Any]:
    place: dict[str, Any] = {"table": table.number, "rows": list(group.rows)}
    if group.header is not None:
        place["header"] = list(group.header)
    if group.chars is not None:
        place["chars"] = list(group.chars)
    if table.box is not None:
        place["box"] = list(table.box)
    return place


def _headers(table: Table) -> dict[str, str]:
    text = " | ".join(filter(None, table.rows[: table.header]))[:MAX_HEADERS]
    return {"headers": text} if text else {}


def _join(paragraphs: Sequence[Paragraph]) -> tuple[str, list[Span]]:
    """The text of neighbours, and where in it each of them stands."""
    pieces: list[str] = []
    spans: list[Span] = []
    at = 0
    for before, each in zip([None, *paragraphs], paragraphs, strict=False):
        gap = "" if before is None else "\n" if before.item and each.item else "\n\n"
        pieces += (gap, each.text)
        at += len(gap)
        spans.append((at, at + len(each.text)))
        at += len(each.text)
    return "".join(pieces), spans


def _packed(paragraphs: Sequence[Paragraph], size: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """The texts of one run's chunks with their places."""
    text, spans = _join(paragraphs)
    starts = [start for start, _ in spans]
    for start, end in pack(text, spans, size):
        first, last = bisect_right(starts, start) - 1, bisect_right(starts, end - 1) - 1
        place: dict[str, Any] = {"paragraphs": [paragraphs[first].number, paragraphs[last].number]}
        if (start, end) != (spans[first][0], spans[last][1]):
            place["chars"] = [start - spans[first][0], end - spans[first][0]]
        boxes = [each.box for each in paragraphs[first : last + 1] if each.box is not None]
        if boxes:
            place["box"] = list(around(boxes))
        yield text[start:end], place


def around(boxes: Sequence[Box]) -> Box:
    """The smallest box around boxes, to a tenth of a point."""
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return (round(min(lefts), 1), round(min(bottoms), 1), round(max(rights), 1), round(max(tops), 1))


def _too_many(limit: int) -> MunimentError:
    detail = f"The document makes more than {limit} chunks."
    return MunimentError("source.too_complex", detail, limit=limit, setting="MUNIMENT_MAX_SOURCE_ITEMS")
