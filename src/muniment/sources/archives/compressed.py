"""One compressed file (gzip, bzip2, xz): what is in it is the one source inside."""

import lzma
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.archives.bounds import Expansion, read_all
from muniment.sources.archives.manifest import Entry, lines_at, list_of
from muniment.sources.archives.sniffing import compression_of
from muniment.sources.archives.tar import unpacked
from muniment.sources.parsed import Origin, Parsed, Part

_ENDINGS: Final = (".gz", ".bz2", ".xz")
_MEDIA_TYPES: Final = {"gzip": "application/gzip", "bzip2": "application/x-bzip2", "xz": "application/x-xz"}
_BROKEN: Final = (zlib.error, lzma.LZMAError, EOFError, OSError, ValueError)


def read_compressed(data: bytes, origin: Origin) -> Parsed:
    """A list of one entry. Raises ``source.damaged``, and for too much ``source.too_complex``, ``input.too_large``."""
    own = replace(origin, media_type=_MEDIA_TYPES.get(compression_of(data) or "", origin.media_type))
    return list_of([Entry(_name(origin.filename), len(_content(data, origin.settings)))], own)


def locate_compressed(data: bytes, locator: Mapping[str, Any]) -> str:
    """The line of the entry."""
    return lines_at([Entry(_name(locator.get("filename")), len(_content(data, Settings())))], locator)


def unpack_compressed(data: bytes, origin: Origin) -> Iterator[Part]:
    """The one member."""
    name = _name(origin.filename)
    yield Part(name, name, None, _content(data, origin.settings))


def _content(data: bytes, settings: Settings) -> bytes:
    try:
        return read_all(unpacked(data), Expansion(len(data), settings))
    except _BROKEN:
        raise MunimentError("source.damaged", "The compressed file is damaged, or ends too early.") from None


def _name(filename: str | None) -> str:
    name = (filename or "content").replace("\\", "/").rsplit("/", 1)[-1]
    return next((name[: -len(ending)] for ending in _ENDINGS if name.lower().endswith(ending)), name) or "content"
