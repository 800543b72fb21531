"""What is drawn on a PDF page beside its text: whether text can be seen, whether there are rules of tables, images."""

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import pypdfium2 as pdfium
from pypdfium2 import raw

from muniment.sources.documents.blocks import Box

_MOST_OBJECTS: Final = 20_000
_MOST_FORMS: Final = 3
_INVISIBLE_MODES: Final = (raw.FPDF_TEXTRENDERMODE_INVISIBLE, raw.FPDF_TEXTRENDERMODE_CLIP)
_STROKED: Final = (
    raw.FPDF_TEXTRENDERMODE_STROKE,
    raw.FPDF_TEXTRENDERMODE_STROKE_CLIP,
    raw.FPDF_TEXTRENDERMODE_FILL_STROKE,
    raw.FPDF_TEXTRENDERMODE_FILL_STROKE_CLIP,
)
_WHITE: Final = 250
_THIN: Final = 2.0
_LONG: Final = 20.0


@dataclass(slots=True)
class Drawn:
    """What is drawn on a page. ``hidden`` holds the reason by the address of each text object that cannot be seen.

    ``pictures`` are the image objects, also those inside forms, whose boxes are not known; they live with the page.
    """

    hidden: dict[int, str] = field(default_factory=dict)
    across: int = 0
    down: int = 0
    images: list[Box] = field(default_factory=list)
    pictures: list[tuple[Any, Box | None]] = field(default_factory=list)

    @property
    def looks_ruled(self) -> bool:
        """Whether there are as many lines as a table of two rows and columns has."""
        return self.across >= 3 and self.down >= 3

    def why_hidden(self, textpage: pdfium.PdfTextPage) -> Callable[[int], str | None] | None:
        """What says of a character why it is hidden; None where nothing on the page is."""
        if not self.hidden:
            return None

        def of(index: int) -> str | None:
            found = raw.FPDFText_GetTextObject(textpage, index)
            return self.hidden.get(_address(found)) if found else None

        return of


def look_at(page: pdfium.PdfPage) -> Drawn:
    """Looks at up to 20,000 objects of a page; those inside forms, three deep, count only for what is hidden."""
    drawn = Drawn()
    sheet = page.get_bbox()
    behind: list[Box] = []  # what is painted so far and is not white
    for item, kind, depth in _objects(page):
        box = _bounds(item) if depth == 0 else None
        if kind == raw.FPDF_PAGEOBJ_IMAGE:
            drawn.pictures.append((item, box))
        if kind == raw.FPDF_PAGEOBJ_TEXT:
            reason = _reason(item, box, sheet, behind, drawn.images)
            if reason is not None:
                drawn.hidden[_address(item)] = reason
        elif box is None:
            continue
        elif kind == raw.FPDF_PAGEOBJ_IMAGE:
            drawn.images.append(box)
            behind.append(box)
        elif kind == raw.FPDF_PAGEOBJ_PATH:
            _count_rules(item, box, drawn)
            if not _is_white(item):
                behind.append(box)
        else:
            behind.append(box)
    return drawn


def _objects(page: pdfium.PdfPage) -> Iterator[tuple[Any, int, int]]:
    """Every object with its type and depth, as they are painted, without recursion."""
    stack: list[tuple[Any, Any, int, int]] = [(page, raw.FPDFPage_GetObject, raw.FPDFPage_CountObjects(page), 0)]
    seen = 0
    while stack:
        parent, get, count, at = stack.pop()
        while at < count and seen < _MOST_OBJECTS:
            item = get(parent, at)
            at += 1
            seen += 1
            if not item:
                continue
            kind = raw.FPDFPageObj_GetType(item)
            yield item, kind, len(stack)
            if kind == raw.FPDF_PAGEOBJ_FORM and len(stack) < _MOST_FORMS:
                stack.append((parent, get, count, at))
                stack.append((item, raw.FPDFFormObj_GetObject, raw.FPDFFormObj_CountObjects(item), 0))
                break


def _reason(item: Any, box: Box | None, sheet: Box, behind: list[Box], images: list[Box]) -> str | None:
    mode = raw.FPDFTextObj_GetTextRenderMode(item)
    if mode in _INVISIBLE_MODES:
        over = box is not None and any(_holds(image, box) for image in images)
        return "invisible, over an image" if over else "invisible"
    if box is not None and box[0] < box[2] and _apart(box, sheet):
        return "off the page"
    color = _fill(item)
    if mode in _STROKED or color is None:
        return None
    if color[3] == 0:
        return "transparent"
    if min(color[:3]) >= _WHITE and box is not None and not any(_holds(other, box) for other in reversed(behind)):
        return "white"
    return None


def _count_rules(item: Any, box: Box, drawn: Drawn) -> None:
    width, height = box[2] - box[0], box[3] - box[1]
    if height <= _THIN and width >= _LONG:
        drawn.across += 1
    elif width <= _THIN and height >= _LONG / 4:
        drawn.down += 1
    elif width >= _LONG and height >= _LONG / 4:  # a rectangle, if it has an edge, has two of each
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        if raw.FPDFPath_GetDrawMode(item, fill, stroke) and stroke.value:
            drawn.across += 2
            drawn.down += 2


def _is_white(item: Any) -> bool:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    if raw.FPDFPath_GetDrawMode(item, fill, stroke) and not fill.value:
        return True  # nothing is painted inside
    color = _fill(item)
    return color is None or color[3] == 0 or min(color[:3]) >= _WHITE


def _fill(item: Any) -> tuple[int, int, int, int] | None:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not raw.FPDFPageObj_GetFillColor(item, red, green, blue, alpha):
        return None
    return (red.value, green.value, blue.value, alpha.value)


def _bounds(item: Any) -> Box | None:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not raw.FPDFPageObj_GetBounds(item, left, bottom, right, top):
        return None
    return (left.value, bottom.value, right.value, top.value)


def _holds(outer: Box, inner: Box) -> bool:
    """Whether the middle of a box lies in another."""
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]


def _apart(box: Box, sheet: Box) -> bool:
    return box[2] <= sheet[0] or box[0] >= sheet[2] or box[3] <= sheet[1] or box[1] >= sheet[3]


def _address(pointer: Any) -> int:
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0
