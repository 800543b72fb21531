"""The lines of a PDF page with their boxes, and the paragraphs that their gaps make of them."""

import ctypes
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median
from typing import Any, Final

import pypdfium2 as pdfium
from pypdfium2 import raw

from muniment.sources.documents.blocks import Box, around
from muniment.sources.documents.text import storable

# Where a word is parted at a line's end, PDFium puts one of two marks instead of hyphen and line end.
_LINE: Final = re.compile("[^\r\n\x02\ufffe]+[\x02\ufffe]?")
_SOFT_HYPHENS: Final = ("\x02", "\ufffe", "\xad")
_BULLET: Final = re.compile(r"[•◦▪▫‣⁃●○■□–—*-]\s|\(?\d{1,3}[.)]\s|\(?[a-z]\)\s")  # noqa: RUF001
_WIDER_GAP: Final = 1.3  # times the usual distance of lines
_WIDEST_GAP: Final = 1.9  # times the height of a line, where nothing is usual
_TALLER: Final = 1.15
_INDENT: Final = 0.7  # times the height of a line


@dataclass(frozen=True, slots=True)
class Line:
    """A line: its text, box in points, and why it cannot be seen, None where it can."""

    text: str
    box: Box
    hidden: str | None = None

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]


@dataclass(frozen=True, slots=True)
class LineGroup:
    """A paragraph as lines make it."""

    text: str
    box: Box
    item: bool
    hidden: str | None


def read_lines(textpage: pdfium.PdfTextPage, hidden_of: Callable[[int], str | None] | None) -> list[Line]:
    """The lines of a page in the order of its text. ``hidden_of`` says of a character, by its index, why it is hidden.

    PDFium puts right-to-left text into logical order and ends lines itself.
    """
    count = textpage.count_chars()
    units = _units(textpage, count)
    shifted = len(units) != count
    textpage.count_rects()  # which get_rect needs
    lines: list[Line] = []
    for match in _LINE.finditer(units):
        start = _char_index(textpage, match.start()) if shifted else match.start()
        for text, at, length, hidden in _pieces(match.group(), start, hidden_of):
            kept = storable(_characters(text))
            if kept:
                lines.append(Line(kept, _box(textpage, at, length), hidden))
    return lines


def _units(textpage: pdfium.PdfTextPage, count: int) -> str:
    """The UTF-16 units of the text, each as one character, so that offsets are PDFium's."""
    if count <= 0:
        return ""
    buffer = (ctypes.c_ushort * (2 * count + 2))()
    written = raw.FPDFText_GetText(textpage, 0, count, buffer)
    text = bytes(memoryview(buffer).cast("B")[: 2 * max(written - 1, 0)]).decode("utf-16-le", "surrogatepass")
    if text and max(text) > "\uffff":
        return "".join(map(chr, memoryview(buffer)[: written - 1]))
    return text


def _characters(units: str) -> str:
    if not any("\ud800" <= unit <= "\udfff" for unit in units):
        return units
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _char_index(textpage: pdfium.PdfTextPage, text_index: int) -> int:
    return max(0, int(raw.FPDFText_GetCharIndexFromTextIndex(textpage, text_index)))


def _pieces(
    text: str, start: int, hidden_of: Callable[[int], str | None] | None
) -> Iterator[tuple[str, int, int, str | None]]:
    """The parts of a line that are hidden and those that are not, each with its first character's index and length."""
    if hidden_of is None:
        yield text, start, len(text), None
        return
    reasons: list[str | None] = []
    for offset, character in enumerate(text):
        space = character.isspace() and bool(reasons)
        reasons.append(reasons[-1] if space else hidden_of(start + offset))
    for reason, run in groupby(range(len(text)), key=lambda offset: reasons[offset]):
        offsets = list(run)
        yield text[offsets[0] : offsets[-1] + 1], start + offsets[0], len(offsets), reason


def _box(textpage: pdfium.PdfTextPage, index: int, length: int) -> Box:
    """The box of characters: as wide as they are, as high as their font is."""
    boxes: list[Box] = []
    for number in range(min(raw.FPDFText_CountRects(textpage, index, length), 64)):
        boxes.append(_rect(textpage, number))
    loose = raw.FS_RECTF()
    if raw.FPDFText_GetLooseCharBox(textpage, index, loose) and loose.top > loose.bottom:
        left, right = loose.left, loose.right
        if boxes:
            left, _, right, _ = around(boxes)
        return (left, loose.bottom, right, loose.top)
    return around(boxes) if boxes else (0.0, 0.0, 0.0, 0.0)


def _rect(textpage: pdfium.PdfTextPage, number: int) -> Box:
    left, top, right, bottom = (ctypes.c_double() for _ in range(4))
    raw.FPDFText_GetRect(textpage, number, left, top, right, bottom)
    return (left.value, bottom.value, right.value, top.value)


def group_lines(lines: Sequence[Line]) -> Iterator[LineGroup]:
    """The paragraphs of lines: a wider gap, another size of letters, a jump, an indent or a bullet begins one."""
    usual = _usual_distance(lines)
    current: list[Line] = []
    for index, line in enumerate(lines):
        following = lines[index + 1] if index + 1 < len(lines) else None
        if current and _begins(current, line, following, usual):
            yield _group(current)
            current = []
        current.append(line)
    if current:
        yield _group(current)


def _usual_distance(lines: Sequence[Line]) -> float | None:
    """The usual distance of lines in heights of a line, None where there are too few to tell."""
    found = []
    for above, below in pairwise(lines):
        distance = above.box[1] - below.box[1]
        if above.height > 0 and 0.5 * above.height < distance < 3 * above.height and _alike(above, below):
            found.append(distance / above.height)
    return median(found) if len(found) >= 4 else None


def _alike(above: Line, below: Line) -> bool:
    low, high = sorted((above.height, below.height))
    return high <= low * _TALLER


def _begins(current: Sequence[Line], line: Line, following: Line | None, usual: float | None) -> bool:
    above = current[-1]
    if line.hidden != above.hidden or not _alike(above, line):
        return True
    height = max(line.height, 0.1)
    distance = above.box[1] - line.box[1]
    if abs(distance) < 0.3 * height:  # on the same line: a tabulator, or another column
        return line.box[0] < above.box[0] or line.box[0] - above.box[2] > 4 * height
    if distance < 0 or line.box[0] > above.box[2] or line.box[2] < current[0].box[0]:
        return True
    if distance > (_WIDEST_GAP if usual is None else max(usual * _WIDER_GAP, 1.05)) * height:
        return True
    if _BULLET.match(line.text):
        return True
    indented = line.box[0] > above.box[0] + _INDENT * height and len(current) > 1
    return indented and (following is None or following.box[0] < line.box[0] - 0.5 * _INDENT * height)


def _group(lines: Sequence[Line]) -> LineGroup:
    text = lines[0].text
    for above, line in pairwise(lines):
        same = abs(above.box[1] - line.box[1]) < 0.3 * max(line.height, 0.1)
        if text.endswith(_SOFT_HYPHENS):
            text = text[:-1] + ("" if line.text[:1].islower() else "-") + line.text
        else:
            text += ("  " if same else " ") + line.text
    for mark in _SOFT_HYPHENS[:2]:
        text = text.replace(mark, "-")
    box = around([line.box for line in lines])
    return LineGroup(text, box, _BULLET.match(text) is not None, lines[0].hidden)


def marks_of(hidden: str | None) -> tuple[tuple[str, Any], ...]:
    """The marks of a paragraph that cannot be seen."""
    return () if hidden is None else (("hidden_text", hidden),)
