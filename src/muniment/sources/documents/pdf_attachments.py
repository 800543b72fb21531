"""The files that are attached to a PDF, which become sources of their own."""

from ctypes import c_ulong
from typing import Final

import pypdfium2 as pdfium
from pypdfium2 import raw

from muniment.settings import Settings
from muniment.sources.documents.text import fold
from muniment.sources.parsed import Part

_MOST: Final = 10_000  # each is looked for from the first on


def attached_files(document: pdfium.PdfDocument, settings: Settings, notes: list[str]) -> list[Part]:
    """The attached files under ``attachments/<number>/<name>``; those that cannot be read, or that come after
    ``max_source_items`` of them (10,000 at most) or ``max_expanded_bytes`` in all, are counted in ``notes``."""
    parts: list[Part] = []
    left, lost = settings.max_expanded_bytes, 0
    count = document.count_attachments()
    for index in range(count):
        if left <= 0 or index >= min(_MOST, settings.max_source_items):
            lost += count - index
            break
        try:
            attachment = document.get_attachment(index)
            size = c_ulong()
            raw.FPDFAttachment_GetFile(attachment, None, 0, size)
            left -= size.value  # what is too large was unpacked for its size, too
            data = bytes(attachment.get_data()) if size.value and left >= 0 else b""
            named = attachment.get_name()
            left -= len(named)
            name = fold(named).replace("\\", "/").rpartition("/")[2][:200] or "part"
        except (pdfium.PdfiumError, ValueError, UnicodeDecodeError):
            lost += 1
            continue
        if not data:
            lost += 1
            continue
        parts.append(Part(f"attachments/{index + 1}/{name}", name, None, data))
    if lost:
        notes.append(f"{lost} attached files are left out: empty, broken or too large.")
    return parts
