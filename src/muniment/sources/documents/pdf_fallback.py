"""Damaged PDF that PDFium refuses, read by pypdf: text without boxes."""

import io
import logging
import re
from typing import Final

from muniment.errors import MunimentError
from muniment.sources.documents.text import fold
from muniment.sources.package import damaged

_BLANK: Final = re.compile(r"\n[^\S\n]*\n\s*")
_MOST_PAGES: Final = 10_000


def fallback_pages(data: bytes) -> list[list[str]]:
    """The paragraphs of each page. Raises ``source.damaged`` where pypdf finds no page, ``source.encrypted``."""
    from pypdf import PdfReader
    from pypdf.errors import FileNotDecryptedError, PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise MunimentError("source.encrypted", "The document opens only with a password.")
        pages = []
        for number, page in enumerate(reader.pages):
            if number >= _MOST_PAGES:
                break
            pages.append(_paragraphs(page.extract_text()))
    except FileNotDecryptedError:
        raise MunimentError("source.encrypted", "The document opens only with a password.") from None
    except MemoryError:
        raise
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OSError):
        raise damaged("No PDF reader makes anything of the document.") from None
    if not any(pages):
        raise damaged("No PDF reader finds any text in the document.")
    return pages


def _paragraphs(text: str) -> list[str]:
    return [folded for each in _BLANK.split(text) if (folded := fold(each))]
