"""Reading members of a ZIP in memory, each and all within limits, whatever its directory says of their sizes."""

import io
import zipfile
import zlib
from collections.abc import Iterator

from muniment.errors import MunimentError
from muniment.settings import Settings

_STEP = 1 << 16


class Members:
    """The members of a ZIP by name. What is read of them in all is at most ``max_expanded_bytes``."""

    def __init__(self, data: bytes, settings: Settings) -> None:
        """Raises ``source.unreadable`` for what is no ZIP and ``input.too_many``."""
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError, OSError):
            raise MunimentError("source.unreadable", "This is no ZIP, or a broken one.") from None
        self._left = self._limit = settings.max_expanded_bytes
        limit = settings.max_source_items
        if len(self._zip.infolist()) > limit:
            detail = f"The archive has more than {limit} members."
            raise MunimentError("input.too_many", detail, limit=limit, setting="MUNIMENT_MAX_SOURCE_ITEMS")

    def names(self) -> list[str]:
        """The names of all that is no directory, in the order of the archive."""
        return [each.filename for each in self._zip.infolist() if not each.is_dir()]

    def read(self, name: str) -> bytes:
        """The bytes of a member. Raises ``source.unreadable`` and ``input.too_large``."""
        try:
            return b"".join(self._steps(name))
        except (zipfile.BadZipFile, zlib.error, KeyError, RuntimeError, NotImplementedError, EOFError, OSError):
            detail = "A member of the archive is broken, encrypted or packed in a way that is not known."
            raise MunimentError("source.unreadable", detail, member=name[:256]) from None

    def _steps(self, name: str) -> Iterator[bytes]:
        with self._zip.open(name) as member:
            while step := member.read(_STEP):
                self._left -= len(step)
                if self._left < 0:
                    detail = f"The archive unpacks to more than {self._limit} bytes."
                    raise MunimentError(
                        "input.too_large", detail, limit=self._limit, setting="MUNIMENT_MAX_EXPANDED_BYTES"
                    )
                yield step
