"""Plain text: paragraphs, packed."""

from muniment.sources.charset import decode_text
from muniment.sources.decode import require_words
from muniment.sources.locating import Locator
from muniment.sources.parsed import Origin, Parsed
from muniment.sources.splitting import pack, paragraphs


def read_plain_text(data: bytes, origin: Origin) -> Parsed:
    """Paragraphs, joined up to the chunk size and split above it. Raises the ``input.*`` errors of ``decode_text``."""
    text, notes = decode_text(data)
    require_words(text)
    locator = Locator(text, origin)
    spans = pack(text, paragraphs(text, 0, len(text)), origin.settings.chunk_characters)
    chunks = [locator.chunk(span, origin.title) for span in spans]
    return Parsed("document", origin.media_type, origin.title, origin.language, chunks, notes=notes)
