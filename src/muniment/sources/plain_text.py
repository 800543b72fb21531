"""Plain text: paragraphs, packed."""

from collections.abc import Mapping
from typing import Any

from muniment.sources.decode import decode, require_words
from muniment.sources.locating import Locator
from muniment.sources.parsed import Origin, Parsed
from muniment.sources.splitting import pack, paragraphs


def read_plain_text(data: bytes, origin: Origin) -> Parsed:
    """Paragraphs, joined up to the chunk size and split above it. Raises the ``input.*`` errors of ``decode``."""
    text = decode(data)
    require_words(text)
    locator = Locator(text, origin)
    spans = pack(text, paragraphs(text, 0, len(text)), origin.settings.chunk_characters)
    chunks = [locator.chunk(span, origin.title) for span in spans]
    return Parsed("document", origin.media_type, origin.title, origin.language, chunks)


def locate_text(data: bytes, locator: Mapping[str, Any]) -> str:
    """The characters that a locator of a text names by ``chars``."""
    start, end = locator["chars"]
    return decode(data)[start:end]
