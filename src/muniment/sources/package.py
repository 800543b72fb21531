"""Packages: the ZIP files that office documents and books are. Members are read in memory, and only so many bytes."""

import io
import struct
import zipfile
from collections.abc import Iterator
from posixpath import dirname, join, normpath
from typing import IO, Final
from urllib.parse import unquote

from muniment.errors import MunimentError
from muniment.settings import Settings

_PIECE: Final = 64 * 1024
_END: Final = b"PK\5\6"
_END_BYTES: Final = 22
_END_WITHIN: Final = _END_BYTES + 65_535  # with the longest comment
_DIRECTORY: Final = 16 * 1024 * 1024
_OLE: Final = bytes.fromhex("d0cf11e0a1b11ae1")  # how encrypted packages begin, and the formats before packages


class Package:
    """The members of a package by name, each readable as long as what was read stays under ``max_expanded_bytes``.

    What counts are the bytes that come out, whatever the directory says. Raises ``source.damaged`` for what is no
    ZIP file or is broken, ``source.encrypted``, ``source.too_complex`` for more members than ``max_source_items``, and
    ``input.too_large`` above the limit (facts ``limit``, ``setting``).
    """

    def __init__(self, data: bytes, settings: Settings | None = None) -> None:
        settings = settings or Settings()
        self._limit = settings.max_expanded_bytes
        self._left = settings.max_expanded_bytes
        if data.startswith(_OLE):
            raise MunimentError(
                "source.encrypted", "It is protected by a password, or of an older format than its name says."
            )
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, EOFError) as error:
            raise damaged(f"It is no package: {error}.") from None
        infos = self._zip.infolist()
        if len(infos) > settings.max_source_items:
            detail = f"The package has {len(infos)} members, more than {settings.max_source_items}."
            raise MunimentError(
                "source.too_complex", detail, limit=settings.max_source_items, setting="MUNIMENT_MAX_SOURCE_ITEMS"
            )
        self._names = {info.filename: info for info in infos}
        self._folded = {name.lower(): name for name in self._names}

    def __contains__(self, name: str) -> bool:
        return self._found(name) is not None

    @property
    def names(self) -> list[str]:
        """The names of all members, in the order of the directory."""
        return list(self._names)

    def pieces(self, name: str) -> Iterator[bytes]:
        """The bytes of a member, 64 KiB at a time; nothing where there is no such member."""
        found = self._found(name)
        if found is None:
            return
        try:
            with self._open(found) as member:
                while piece := member.read(_PIECE):
                    self._left -= len(piece)
                    if self._left < 0:
                        raise _too_large(self._limit)
                    yield piece
        except (zipfile.BadZipFile, OSError, EOFError, ValueError, RuntimeError, NotImplementedError) as error:
            raise damaged(f"The member {found} of the package is broken: {error}.") from None
        except Exception as error:
            if type(error).__module__ in ("zlib", "lzma", "_lzma", "compression.zstd"):
                raise damaged(f"The member {found} of the package is broken: {error}.") from None
            raise

    def read(self, name: str) -> bytes:
        """All bytes of a member; none where there is no such member."""
        return b"".join(self.pieces(name))

    def require_bounded(self) -> None:
        """Raises ``input.too_large`` where all members together, as the directory has it, exceed the limit.

        The standard library gives no more of a member than the directory says, so that this bounds every reading.
        """
        if sum(info.file_size for info in self._names.values()) > self._limit:
            raise _too_large(self._limit)

    def _found(self, name: str) -> str | None:
        return name if name in self._names else self._folded.get(name.lower())

    def _open(self, name: str) -> IO[bytes]:
        return self._zip.open(self._names[name])


def directory_of(data: bytes) -> bytes:
    """The directory of a ZIP file as it stands in it, of at most 16 MiB; empty where there is none, or a larger one.

    For telling what a ZIP is: reading the directory of a hostile one takes much memory and long.
    """
    end = data.rfind(_END, max(0, len(data) - _END_WITHIN)) if data.startswith(b"PK") else -1
    if end < 0 or end + _END_BYTES > len(data):
        return b""
    size, offset = struct.unpack_from("<II", data, end + 12)
    return data[offset : offset + size] if size <= _DIRECTORY else b""


def resolve(base: str, target: str) -> str:
    """The name of the member that ``target`` means in the member ``base``; absolute ones begin at the root."""
    target = unquote(target.partition("#")[0])
    if target.startswith("/"):
        return normpath(target).lstrip("/")
    return normpath(join(dirname(base), target)).removeprefix("../")


def damaged(detail: str) -> MunimentError:
    """The error of a source that is broken."""
    return MunimentError("source.damaged", detail)


def _too_large(limit: int) -> MunimentError:
    return MunimentError(
        "input.too_large",
        f"Unpacked it has more than {limit} bytes.",
        limit=limit,
        setting="MUNIMENT_MAX_EXPANDED_BYTES",
    )
