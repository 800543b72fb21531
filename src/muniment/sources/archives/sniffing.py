"""Knowing archives by their first bytes. Of compressed ones only the beginning is unpacked."""

import bz2
import lzma
import zlib
from collections.abc import Callable
from typing import Final

_BLOCK: Final = 512  # bytes of a tar's header
_HEAD: Final = 1024 * 1024  # bzip2 gives nothing before a whole block of up to 900 kB
_GZIP: Final = 16 + zlib.MAX_WBITS
_BEGINNINGS: Final = ((b"\x1f\x8b\x08", "gzip"), (b"BZh", "bzip2"), (b"\xfd7zXZ\x00", "xz"))


def compression_of(data: bytes) -> str | None:
    """``gzip``, ``bzip2``, ``xz`` or None."""
    return next((name for mark, name in _BEGINNINGS if data.startswith(mark)), None)


def is_zip(data: bytes) -> bool:
    """Whether the bytes are a ZIP file, also an empty one."""
    return data[:4] in (b"PK\x03\x04", b"PK\x05\x06")


def is_tar(data: bytes) -> bool:
    """Whether the bytes begin with a header of tar whose checksum is right."""
    header = data[:_BLOCK]
    field = header[148:156].strip(b"\0 ")
    if len(header) < _BLOCK or not field or not all(byte in b"01234567" for byte in field):
        return False
    return int(field, 8) == sum(header) - sum(header[148:156]) + 8 * ord(" ")


def is_compressed(data: bytes) -> bool:
    """Whether the bytes are of a format that compresses one file."""
    return compression_of(data) is not None


def is_compressed_tar(data: bytes) -> bool:
    """Whether a tar is what was compressed."""
    name = compression_of(data)
    if name is None:
        return False
    take: Callable[[], bytes] = {
        "gzip": lambda: zlib.decompressobj(_GZIP).decompress(data[:_HEAD], _BLOCK),
        "bzip2": lambda: bz2.BZ2Decompressor().decompress(data[:_HEAD], _BLOCK),
        "xz": lambda: lzma.LZMADecompressor().decompress(data[:_HEAD], _BLOCK),
    }[name]
    try:
        return is_tar(take())
    except (zlib.error, OSError, lzma.LZMAError, EOFError, ValueError):
        return False


def is_manifest(data: bytes) -> bool:
    """Whether the bytes are a list of contents that Muniment made."""
    return data.startswith(b'{"muniment_manifest":')
