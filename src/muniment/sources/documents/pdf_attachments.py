"""The files that are attached to a PDF, which become sources of their own."""

import pypdfium2 as pdfium

from muniment.settings import Settings
from muniment.sources.documents.text import fold
from muniment.sources.parsed import Part


def attached_files(document: pdfium.PdfDocument, settings: Settings, notes: list[str]) -> list[Part]:
    """The attached files under ``attachments/<number>/<name>``; those that cannot be read, or that come after
    ``max_source_items`` of them or ``max_expanded_bytes`` in all, are counted in ``notes``."""
    parts: list[Part] = []
    left, lost = settings.max_expanded_bytes, 0
    for index in range(document.count_attachments()):
        try:
            attachment = document.get_attachment(index)
            data = bytes(attachment.get_data()) if len(parts) < settings.max_source_items and left > 0 else b""
            name = fold(attachment.get_name()).replace("\\", "/").rpartition("/")[2][:200] or "part"
        except (pdfium.PdfiumError, ValueError, UnicodeDecodeError):
            lost += 1
            continue
        left -= len(data)
        if not data or left < 0:
            lost += 1
            continue
        parts.append(Part(f"attachments/{index + 1}/{name}", name, None, data))
    if lost:
        notes.append(f"{lost} attached files are left out: empty, broken or too large.")
    return parts
