"""What is written over a PDF page: notes and remarks, and what is filled into the fields of its form."""

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import pypdfium2 as pdfium
from pypdfium2 import raw

from muniment.sources.documents.blocks import Block, Box, Paragraph
from muniment.sources.documents.text import fold, storable

_KINDS: Final = {
    raw.FPDF_ANNOT_TEXT: "note",
    raw.FPDF_ANNOT_FREETEXT: "text",
    raw.FPDF_ANNOT_HIGHLIGHT: "highlight",
    raw.FPDF_ANNOT_UNDERLINE: "underline",
    raw.FPDF_ANNOT_SQUIGGLY: "underline",
    raw.FPDF_ANNOT_STRIKEOUT: "strikeout",
    raw.FPDF_ANNOT_CARET: "insertion",
    raw.FPDF_ANNOT_STAMP: "stamp",
    raw.FPDF_ANNOT_INK: "drawing",
    raw.FPDF_ANNOT_LINE: "drawing",
    raw.FPDF_ANNOT_SQUARE: "drawing",
    raw.FPDF_ANNOT_CIRCLE: "drawing",
    raw.FPDF_ANNOT_POLYGON: "drawing",
    raw.FPDF_ANNOT_POLYLINE: "drawing",
    raw.FPDF_ANNOT_FILEATTACHMENT: "attachment",
}
_BUTTONS: Final = (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON)
_PASSWORD: Final = 1 << 13  # as the flags of fields have it
_MOST: Final = 10_000
_LONGEST: Final = 2 * 1024 * 1024  # bytes of a text
_MOST_CHARACTERS: Final = 20_000_000  # of a document
_EACH: Final = 10  # characters, that an annotation counts for though it says nothing


@dataclass(slots=True)
class Unread:
    """What of the annotations of a document was left out: passwords in forms, texts of more than 2 MiB, and what
    comes after 10,000 on a page or after 20,000,000 characters of all pages: many may say one text that stands once.
    Of these characters ``left`` are left."""

    passwords: int = 0
    more: int = 0
    left: int = field(default_factory=lambda: _MOST_CHARACTERS)


def annotation_blocks(
    page: pdfium.PdfPage, place: tuple[tuple[str, Any], ...], heading: tuple[str, ...], unread: Unread
) -> Iterator[Block]:
    """The annotations of a page that say something, then the fields of the form that have a value, as ``name: value``.

    They are the parts ``annotations`` and ``form`` of the page, numbered from 1 in each.
    """
    count = raw.FPDFPage_GetAnnotCount(page)
    unread.more += max(0, count - _MOST)
    fields: dict[str, Box | None] = {}
    number = 0
    for index in range(min(count, _MOST)):
        if unread.left <= 0:
            unread.more += min(count, _MOST) - index
            break
        unread.left -= _EACH
        annotation = raw.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            kind = raw.FPDFAnnot_GetSubtype(annotation)
            if kind == raw.FPDF_ANNOT_WIDGET:
                if text := _field(page, annotation, unread):
                    fields.setdefault(text, _box(annotation))
            elif kind in _KINDS and (text := _said(annotation, unread)):
                number += 1
                author = fold(_value(annotation, b"T", unread))[:256]
                marks = (("annotation", _KINDS[kind]), *((("annotation_by", author),) if author else ()))
                where = (*place, ("part", "annotations"))
                yield Paragraph(text, where, number, heading, _box(annotation), marks=marks)
        finally:
            raw.FPDFPage_CloseAnnot(annotation)
    for at, (text, box) in enumerate(fields.items(), 1):
        yield Paragraph(text, (*place, ("part", "form")), at, heading, box, item=True)


def _said(annotation: Any, unread: Unread) -> str:
    return storable(_value(annotation, b"Contents", unread).replace("\r", "\n"))


def _field(page: pdfium.PdfPage, annotation: Any, unread: Unread) -> str:
    """The name and value of a form's field; empty where it has no value, or one that is a secret."""
    form = page.formenv
    if form is None:
        return ""
    kind = raw.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind in _BUTTONS and not raw.FPDFAnnot_IsChecked(form, annotation):
        return ""
    value = storable(
        _text(lambda buffer, size: raw.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, size), unread)
    )
    if not value or kind == raw.FPDF_FORMFIELD_PUSHBUTTON:
        return ""
    if raw.FPDFAnnot_GetFormFieldFlags(form, annotation) & _PASSWORD:
        unread.passwords += 1
        return ""
    named = _text(lambda buffer, size: raw.FPDFAnnot_GetFormFieldAlternateName(form, annotation, buffer, size), unread)
    named = named or _text(lambda buffer, size: raw.FPDFAnnot_GetFormFieldName(form, annotation, buffer, size), unread)
    return f"{fold(named)}: {value}" if fold(named) else value


def _value(annotation: Any, key: bytes, unread: Unread) -> str:
    return _text(lambda buffer, size: raw.FPDFAnnot_GetStringValue(annotation, key, buffer, size), unread)


def _text(read: Callable[[Any, int], int], unread: Unread) -> str:
    """A text that PDFium gives in UTF-16, by its length first; one that is too long costs it as much."""
    size = read(None, 0)
    unread.left -= size // 2
    if size <= 2:
        return ""
    if size > _LONGEST or unread.left < 0:
        unread.more += 1
        return ""
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    read(buffer, size)
    return bytes(buffer)[: size - 2].decode("utf-16-le", "replace")


def _box(annotation: Any) -> Box | None:
    edges = raw.FS_RECTF()
    if not raw.FPDFAnnot_GetRect(annotation, edges):
        return None
    left, right = sorted((edges.left, edges.right))
    bottom, top = sorted((edges.bottom, edges.top))
    return (round(left, 1), round(bottom, 1), round(right, 1), round(top, 1))
