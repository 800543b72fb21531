"""TAR, also compressed: read from its beginning to its end, nothing written, no link followed."""

import bz2
import gzip
import io
import lzma
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from typing import IO, Any, Final, cast

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.archives.bounds import Bounded, Expansion, require_items
from muniment.sources.archives.manifest import Entry, lines_at, list_of
from muniment.sources.archives.names import Paths, hidden
from muniment.sources.archives.sniffing import compression_of
from muniment.sources.parsed import Origin, Parsed, Part
from muniment.sources.registry import find_format

_BROKEN: Final = (tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError)


def read_tar(data: bytes, origin: Origin) -> Parsed:
    """The list of what is in it. Raises ``source.damaged``, and for too much of anything ``source.too_complex`` and
    ``input.too_large``."""
    entries: list[Entry] = []
    for _, _, entry in _members(data, origin.settings):
        entries.append(entry)
        require_items(entries, origin.settings)
    return list_of(entries, origin)


def locate_tar(data: bytes, locator: Mapping[str, Any]) -> str:
    """The lines of the entries that a locator names."""
    return lines_at([entry for _, _, entry in _members(data, Settings())], locator)


def unpack_tar(data: bytes, origin: Origin) -> Iterator[Part]:
    """The members that may be sources. Raises as ``read_tar``, after those before the fault."""
    for archive, member, entry in _members(data, origin.settings):
        if entry.left_out is None:
            content = _content(archive, member)
            yield Part(entry.path, entry.path.rsplit("/", 1)[-1], None, content)


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    try:
        file = archive.extractfile(member)
        content = b"" if file is None else file.read()
    except _BROKEN:
        raise _damaged() from None
    if len(content) != member.size:
        raise _damaged()
    return content


def unpacked(data: bytes) -> IO[bytes]:
    """A file of what was compressed, or of the bytes themselves."""
    packed = io.BytesIO(data)
    opened: IO[bytes] = packed
    match compression_of(data):
        case "gzip":
            opened = cast(IO[bytes], gzip.GzipFile(fileobj=packed))
        case "bzip2":
            opened = bz2.BZ2File(packed)
        case "xz":
            opened = lzma.LZMAFile(packed)  # noqa: SIM115 - of memory
    return opened


def _members(data: bytes, settings: Settings) -> Iterator[tuple[tarfile.TarFile, tarfile.TarInfo, Entry]]:
    paths = Paths()
    file = Bounded(unpacked(data), Expansion(len(data), settings))
    try:
        with tarfile.open(fileobj=cast(IO[bytes], file), mode="r|") as archive:
            for member in archive:
                archive.members = []  # type: ignore[attr-defined]  # which would hold all that was
                if not member.isdir():
                    path = paths.of(member.name)
                    yield archive, member, Entry(path, member.size, _left_out(member, path))
    except _BROKEN:
        raise _damaged() from None


def _left_out(member: tarfile.TarInfo, path: str) -> str | None:
    if member.issym():
        return "symbolic link"
    if member.islnk():
        return "hard link"
    if member.issparse():
        return "sparse file"
    if not member.isreg():
        return "no regular file"
    if hidden(path):
        return "hidden"
    if not member.size:
        return "empty"
    return None if find_format(None, path) is not None else "no reader"


def _damaged() -> MunimentError:
    return MunimentError("source.damaged", "The archive is damaged, or ends too early.")
