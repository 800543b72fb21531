"""ZIP: its directory is the list; its members are unpacked one by one, in memory, and counted as they come."""

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from lzma import LZMAError
from typing import Any, Final

from muniment.errors import MunimentError
from muniment.sources.archives.bounds import Expansion, read_all, require_items
from muniment.sources.archives.manifest import Entry, lines_at, list_of
from muniment.sources.archives.names import Paths, hidden
from muniment.sources.parsed import Origin, Parsed, Part
from muniment.sources.registry import find_format

_ENCRYPTED: Final = 1
_BROKEN: Final = (
    zipfile.BadZipFile, zlib.error, LZMAError, EOFError, OSError, NotImplementedError, struct.error, ValueError,
    IndexError, UnicodeDecodeError,
)  # fmt: skip


def read_zip(data: bytes, origin: Origin) -> Parsed:
    """The list of what is in it. Raises ``source.damaged`` and, for too many members, ``source.too_complex``."""
    archive = _opened(data)
    require_items(archive.infolist(), origin.settings)
    return list_of([entry for _, entry in _members(archive)], origin)


def locate_zip(data: bytes, locator: Mapping[str, Any]) -> str:
    """The lines of the entries that a locator names."""
    return lines_at([entry for _, entry in _members(_opened(data))], locator)


def unpack_zip(data: bytes, origin: Origin) -> Iterator[Part]:
    """The members that may be sources; one that is damaged or encrypted has an error, and leaves the others be."""
    archive = _opened(data)
    require_items(archive.infolist(), origin.settings)
    expansion = Expansion(len(data), origin.settings)
    for member, entry in _members(archive):
        if entry.left_out is None:
            yield _part(archive, member, entry, expansion)


def _part(archive: zipfile.ZipFile, member: zipfile.ZipInfo, entry: Entry, expansion: Expansion) -> Part:
    name = entry.path.rsplit("/", 1)[-1]
    content, error = b"", None
    try:
        if member.flag_bits & _ENCRYPTED:
            raise MunimentError("source.encrypted", "The member is encrypted.", path=entry.path)
        with archive.open(member) as file:
            content = read_all(file, expansion)
    except MunimentError as refusal:
        if refusal.code != "source.encrypted":
            raise
        error = refusal
    except _BROKEN:
        error = MunimentError("source.damaged", "The member cannot be unpacked.", path=entry.path)
    return Part(entry.path, name, None, content, error=error)


def _opened(data: bytes) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except _BROKEN:
        raise MunimentError("source.damaged", "The directory of the ZIP file cannot be read.") from None


def _members(archive: zipfile.ZipFile) -> Iterator[tuple[zipfile.ZipInfo, Entry]]:
    paths = Paths()
    for member in archive.infolist():
        if not member.is_dir():
            path = paths.of(member.filename)
            yield member, Entry(path, member.file_size, _left_out(member, path))


def _left_out(member: zipfile.ZipInfo, path: str) -> str | None:
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return "symbolic link"
    if kind not in (0, stat.S_IFREG):
        return "no regular file"
    if hidden(path):
        return "hidden"
    if not member.file_size:
        return "empty"
    return None if find_format(None, path) is not None else "no reader"
