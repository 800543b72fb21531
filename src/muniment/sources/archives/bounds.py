"""How much may come out of what is packed: bytes, members, and bytes for each byte packed."""

import io
from collections.abc import Sized
from typing import IO, Final

from muniment.errors import MunimentError
from muniment.settings import Settings

_PIECE: Final = 1024 * 1024
_READS_AT_THE_END: Final = 100  # tarfile skips what a header claims block by block, also where nothing is left
_RATIO_FROM: Final = 32 * 1024 * 1024


class Expansion:
    """Counts what comes out of one source."""

    def __init__(self, packed: int, settings: Settings) -> None:
        self._packed = max(packed, 1)
        self._settings = settings
        self._bytes = 0

    def add(self, count: int) -> None:
        """Raises ``input.too_large`` or ``source.too_complex`` (fact ``ratio``) where it is too much."""
        self._bytes += count
        limit, ratio = self._settings.max_expanded_bytes, self._settings.max_expansion_ratio
        if self._bytes > limit:
            raise MunimentError(
                "input.too_large", f"Unpacked, the source has more than {limit} bytes.", limit=limit,
                setting="MUNIMENT_MAX_EXPANDED_BYTES",
            )  # fmt: skip
        if self._bytes > _RATIO_FROM and self._bytes > ratio * self._packed:
            raise MunimentError(
                "source.too_complex", f"Unpacked, the source has more than {ratio} times its bytes.", limit=ratio,
                ratio=self._bytes // self._packed, setting="MUNIMENT_MAX_EXPANSION_RATIO",
            )  # fmt: skip


def read_all(file: IO[bytes], expansion: Expansion) -> bytes:
    """All that a file gives, counted as it comes, and in memory once."""
    content = io.BytesIO()
    while piece := file.read(_PIECE):
        expansion.add(len(piece))
        content.write(piece)
    return content.getvalue()


def require_items(members: Sized, settings: Settings) -> None:
    """Raises ``source.too_complex`` where there are too many."""
    limit = settings.max_source_items
    if len(members) > limit:
        raise MunimentError(
            "source.too_complex", f"The source has more than {limit} members.", limit=limit,
            setting="MUNIMENT_MAX_SOURCE_ITEMS",
        )  # fmt: skip


class Bounded(io.RawIOBase):
    """A file that counts what is read of it, and ends whoever does not see that it has ended."""

    def __init__(self, file: IO[bytes], expansion: Expansion) -> None:
        self._file = file
        self._expansion = expansion
        self._empty = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(_PIECE if size < 0 else size)
        self._expansion.add(len(data))
        self._empty = 0 if data else self._empty + 1
        if self._empty > _READS_AT_THE_END:
            raise EOFError
        return data
