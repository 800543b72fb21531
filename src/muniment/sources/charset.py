"""Bytes to text where their encoding may be another than UTF-8: a mark, UTF-8, what the file declares, then a guess."""

import codecs
from collections.abc import Mapping
from typing import Any

from muniment.errors import MunimentError
from muniment.sources.decode import decode, has_mark

_SAMPLE = 64 * 1024
_SURE = 0.1  # of a guess; below it what is no UTF-8 most likely is what Western Windows writes
# Browsers read these names so: what calls itself Latin-1 or ASCII nearly always is Windows-1252.
_MEANT = {"iso8859-1": "cp1252", "ascii": "cp1252", "latin_1": "cp1252"}


def decode_declared(data: bytes, declared: str | None = None) -> tuple[str, str | None]:
    """The text of ``data`` and, where it is neither marked nor UTF-8, the encoding that it was taken to have.

    In turn: the byte order mark, strictly UTF-8, strictly the encoding ``declared`` by the file (an unknown name is as
    good as none), and what the first 64 KiB look like, with U+FFFD for what does not belong to it. The same bytes
    always give the same text. Raises ``input.nul_byte``, and ``input.encoding_invalid`` where nothing fits.
    """
    try:
        return decode(data), None
    except MunimentError as error:
        if error.code != "input.encoding_invalid" or has_mark(data):
            raise
        invalid = error
    for name in filter(None, (_codec(declared), _codec(_guess(data)))):
        try:
            return data.decode(name, "strict" if name == _codec(declared) else "replace"), name
        except UnicodeDecodeError:
            continue
    raise invalid


def locate_declared(data: bytes, locator: Mapping[str, Any]) -> str:
    """The characters that a locator names by ``chars``, of a text that declares no encoding."""
    start, end = locator["chars"]
    return decode_declared(data)[0][start:end]


def _codec(name: str | None) -> str | None:
    """Python's name of a text encoding, None for one that it does not know or that is no encoding of text."""
    try:
        found = codecs.lookup((name or "").strip())
    except (LookupError, ValueError):
        return None
    text_encoding = getattr(found, "_is_text_encoding", True)
    return _MEANT.get(found.name, found.name) if text_encoding else None


def _guess(data: bytes) -> str | None:
    from chardet import detect  # only where it is needed: it takes a while to load

    found = detect(data[:_SAMPLE])
    sure = found["encoding"] is not None and found["confidence"] >= _SURE
    return str(found["encoding"]) if sure else "cp1252"
