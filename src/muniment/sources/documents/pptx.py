"""PPTX: slide by slide the shapes, those in groups too, tables, charts, the speaker's notes, and comments."""

import io
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Any, Final

from pptx import Presentation

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.documents.blocks import Block, Box, Paragraph, Table, locate_block, make_chunks, row_text
from muniment.sources.documents.pptx_charts import Charts
from muniment.sources.documents.pptx_comments import SlideComments
from muniment.sources.documents.text import fold, storable
from muniment.sources.images.figures import Figures
from muniment.sources.package import Package, damaged
from muniment.sources.parsed import Origin, Parsed
from muniment.sources.properties import core_properties
from muniment.sources.tables.headers import find_header

_EMU_PER_POINT: Final = 12_700
_MAX_HEADING: Final = 300
_MOST_SHAPES: Final = 20_000


def read_pptx(data: bytes, origin: Origin) -> Parsed:
    """Paragraphs, tables and charts of each slide under its title; no chunk reaches over a slide or into its notes.

    Hidden slides are read and marked by ``hidden_slide``. Raises ``source.damaged``, ``source.encrypted``,
    ``source.too_complex``, ``input.too_large`` and, where no slide has any text, ``input.empty_text``.
    """
    package = Package(data, origin.settings)
    package.require_bounded()
    properties = core_properties(package)
    title = origin.title or properties.title
    figures = Figures(origin.settings)
    unread: Counter[str] = Counter()
    blocks = _blocks(data, figures=figures if figures.wanted else None, unread=unread)
    chunks = make_chunks(blocks, origin, title)
    parts = figures.parts()
    if not chunks and not parts:
        raise MunimentError("input.empty_text", "No slide has any text.")
    hidden = sorted({chunk.locator["slide"] for chunk in chunks if chunk.metadata.get("hidden_slide")})
    notes = [f"Hidden slides: {', '.join(map(str, hidden))}."] if hidden else []
    notes += figures.notes()
    notes += [f"{count} {what} are left out." for what, count in unread.items()]
    at: datetime | None = properties.at
    return Parsed("document", origin.media_type, title, origin.language, chunks, notes=notes, at=at, parts=parts)


def locate_pptx(data: bytes, locator: Mapping[str, Any]) -> str:
    """The text of the paragraphs or table rows that a locator names on its ``slide`` or in its notes."""
    Package(data, Settings()).require_bounded()
    return locate_block(_blocks(data, locator["slide"]), locator)


def _blocks(
    data: bytes, only: int | None = None, figures: Figures | None = None, unread: Counter[str] | None = None
) -> Iterator[Block]:
    """The blocks of all slides, or of one by its number. The images of the slides are added to ``figures``; what is not
    read is counted in ``unread``."""
    try:
        slides = list(Presentation(io.BytesIO(data)).slides)
    except MunimentError:
        raise
    except MemoryError:
        raise
    except Exception as error:  # python-pptx fails on what is broken in the way of whatever broke
        raise damaged(f"The presentation is broken: {type(error).__name__}.") from None
    charts, comments = Charts(), SlideComments()
    for number, slide in enumerate(slides, 1):
        if only is None or number == only:
            try:
                yield from list(_slide_blocks(slide, number, charts, comments, figures, unread))
            except (KeyError, ValueError, AttributeError, TypeError, IndexError) as error:
                raise damaged(f"Slide {number} is broken: {type(error).__name__}.") from None


def _slide_blocks(
    slide: Any,
    number: int,
    charts: Charts,
    comments: SlideComments,
    figures: Figures | None,
    unread: Counter[str] | None = None,
) -> Iterator[Block]:
    title = slide.shapes.title
    name = fold(title.text_frame.text)[:_MAX_HEADING] if title is not None and title.has_text_frame else ""
    heading = (name,) if name else ()
    marks = (("hidden_slide", True),) if slide.element.get("show") in ("0", "false") else ()
    place = (("slide", number), ("part", "slide"))
    paragraphs = tables = 0
    for shape in _shapes(slide.shapes):
        box = _box(shape)
        if figures is not None:
            _add_image(figures, shape, number, box)
        if getattr(shape, "has_table", False) and shape.has_table:
            texts = [[cell.text for cell in row.cells] for row in shape.table.rows]
            rows = tuple(storable(row_text(row)) for row in texts)
            if any(rows):
                tables += 1
                found = find_header(texts)
                header = 0 if found is None else found + 1
                yield Table(rows, place, tables, header, heading, box, marks)
        elif getattr(shape, "has_chart", False) and shape.has_chart:
            chart = charts.read(shape)
            if chart.title:
                paragraphs += 1
                yield Paragraph(chart.title, place, paragraphs, heading, box, False, marks)
            tables += bool(chart.rows) or chart.more  # it has a number though it is not read, as where it is looked up
            if chart.rows:
                yield Table(tuple(map(row_text, chart.rows)), place, tables, 1, heading, box, marks)
            elif unread is not None:
                unread["charts with more values than are read" if chart.more else "charts without values"] += 1
        elif not shape.has_text_frame:
            if unread is not None and shape.element.tag.endswith("}graphicFrame"):
                unread["diagrams and embedded files"] += 1
        else:
            for paragraph in shape.text_frame.paragraphs:
                text = storable(paragraph.text.replace("\v", "\n"))
                if text:
                    paragraphs += 1
                    item = not (title is not None and shape.shape_id == title.shape_id)
                    yield Paragraph(text, place, paragraphs, heading, box, item, marks)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        texts_of_notes = (storable(each.text) for each in slide.notes_slide.notes_text_frame.paragraphs)
        for at, text in enumerate(filter(None, texts_of_notes), 1):
            yield Paragraph(text, (("slide", number), ("part", "notes")), at, heading, marks=marks)
    for at, (text, author) in enumerate(comments.on(slide), 1):
        said = (*marks, ("comment", True), *((("comment_by", author),) if author else ()))
        yield Paragraph(text, (("slide", number), ("part", "comments"), ("comment", at)), 1, heading, marks=said)


def _add_image(figures: Figures, shape: Any, number: int, box: Box | None) -> None:
    """Adds the image of a shape that has one; one that is only linked, or missing, is none."""
    try:
        image = shape.image
    except (AttributeError, KeyError, ValueError):
        return
    place = {"slide": number} | ({} if box is None else {"figure_box": list(box)})
    blob: bytes = image.blob
    title = shape.element.xpath("string(.//p:cNvPr/@descr)")
    ending = str(image.filename).rpartition(".")[2].lower()
    figures.add(f"slide-{number}-{shape.shape_id}.{ending}", place, partial(bytes, blob), title=title, identity=blob)


def _shapes(shapes: Any) -> Iterator[Any]:
    """Every shape, with those in groups where the group stands, without recursion."""
    stack = [iter(shapes)]
    for _ in range(_MOST_SHAPES):
        shape = next(stack[-1], None)
        if shape is None:
            stack.pop()
            if not stack:
                return
        elif hasattr(shape, "shapes"):
            stack.append(iter(shape.shapes))
        else:
            yield shape
    raise MunimentError("source.too_complex", f"A slide has more than {_MOST_SHAPES} shapes.", limit=_MOST_SHAPES)


def _box(shape: Any) -> Box | None:
    """Where a shape stands, in points from the slide's upper left corner as left, top, right, bottom."""
    edges = (shape.left, shape.top, shape.width, shape.height)
    if any(edge is None for edge in edges):
        return None
    left, top, width, height = (edge / _EMU_PER_POINT for edge in edges)
    return (round(left, 1), round(top, 1), round(left + width, 1), round(top + height, 1))
