"""Sources: bytes in, chunks with exact locators out. A format is one module here and one line in the registry."""

from muniment.sources.parsed import Chunk, Parsed
from muniment.sources.registry import read_source

__all__ = ["Chunk", "Parsed", "read_source"]
