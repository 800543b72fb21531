"""The format of an archive: JSON Lines that end in a digest of all before. ``docs/archive.md`` describes it."""

import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Final, Literal, Self

from pydantic import BaseModel, ValidationError

from muniment.errors import MunimentError
from muniment.model.archive import ArchiveSummary

FORMAT: Final = "muniment-archive"
VERSION: Final = 1
_ROW: Final = re.compile(rb'\{"([a-z_]{1,63})":(\{.*\})\}\n', re.DOTALL)


class ArchivedModel(BaseModel):
    """An embedding model under the number that the archive's rows give it."""

    model_no: int
    name: str
    dimensions: int


class ArchiveHeader(BaseModel):
    """The first line: whose archive it is, and the end of its log.

    ``root`` is the hexadecimal root of the history tree over all ``entries``; ``checkpoint`` a signed note over it, and
    ``verifier_key`` the key that made the note and all others in the archive.
    """

    format: Literal["muniment-archive"] = FORMAT
    version: int = VERSION
    schema_revision: str
    tenant: str
    name: str
    created_at: str
    commits: int
    entries: int
    root: str
    checkpoint: str
    verifier_key: str
    models: list[ArchivedModel]


class ArchiveEnd(BaseModel):
    """The last line: how many rows each table has, and the SHA-256 of all bytes before the line."""

    rows: dict[str, int]
    sha256: str


class ArchiveLines:
    """Makes the lines of an archive, and its last one from those before."""

    def __init__(self) -> None:
        self._digest = sha256()
        self._rows: Counter[str] = Counter()

    def header(self, header: ArchiveHeader) -> bytes:
        return self._counted(header.model_dump_json().encode() + b"\n")

    def row(self, table: str, row: str) -> bytes:
        """``row`` is the JSON that the database made: its numbers stay as they are."""
        self._rows[table] += 1
        return self._counted(b'{"' + table.encode() + b'":' + row.encode() + b"}\n")

    def end(self) -> tuple[bytes, ArchiveEnd]:
        end = ArchiveEnd(rows=dict(self._rows), sha256=self._digest.hexdigest())
        return json.dumps({"end": end.model_dump()}, separators=(",", ":")).encode() + b"\n", end

    def _counted(self, line: bytes) -> bytes:
        self._digest.update(line)
        return line


class ArchiveReader:
    """Reads an archive from a file, compressed or not. Raises ``archive.invalid`` wherever it is not whole."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None
        self._digest = sha256()
        self._rows: Counter[str] = Counter()
        self.end: ArchiveEnd | None = None

    def __enter__(self) -> Self:
        try:
            plain = open(self._path, "rb")
            packed = plain.read(2) == b"\x1f\x8b"
            plain.seek(0)
        except OSError as error:
            raise MunimentError("source.unreadable", f"cannot read the archive {self._path}") from error
        self._file = gzip.open(plain) if packed else plain  # type: ignore[assignment]
        self._plain = plain
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            if self._file is not None:
                self._file.close()
        self._plain.close()

    def header(self) -> ArchiveHeader:
        """The first line; raises ``archive.version_unsupported`` for a later version of the format."""
        line = self._line()
        try:
            said: Any = json.loads(line)
            if said.get("format") != FORMAT:
                raise ValueError("another format")
            if said["version"] != VERSION:
                raise MunimentError(
                    "archive.version_unsupported",
                    "the archive is of another version of the format",
                    found=said["version"],
                    expected=VERSION,
                )
            header = ArchiveHeader.model_validate(said)
        except (ValueError, KeyError, AttributeError, ValidationError) as error:
            raise _damaged("the first line is not that of an archive") from error
        self._digest.update(line)
        return header

    def rows(self) -> Iterator[tuple[str, bytes]]:
        """The table and the JSON of each row, up to the end, where the digest is compared."""
        while True:
            line = self._line()
            found = _ROW.fullmatch(line)
            if found is None:
                raise _damaged("a line is not whole")
            table = found[1].decode()
            if table == "end":
                self._close(found[2])
                return
            self._digest.update(line)
            self._rows[table] += 1
            yield table, found[2]

    def _close(self, text: bytes) -> None:
        try:
            self.end = ArchiveEnd.model_validate_json(text)
        except ValidationError as error:
            raise _damaged("the last line cannot be read") from error
        if self.end.sha256 != self._digest.hexdigest() or self.end.rows != dict(self._rows):
            raise _damaged("its bytes are not those of which its last line has the digest")
        if self._read(1):
            raise _damaged("something follows the last line")

    def _line(self) -> bytes:
        assert self._file is not None
        try:
            line = self._file.readline()
        except (OSError, EOFError, zlib.error) as error:
            raise _damaged("it cannot be unpacked") from error
        if not line.endswith(b"\n"):
            raise _damaged("it was cut short")
        return line

    def _read(self, size: int) -> bytes:
        assert self._file is not None
        try:
            return self._file.read(size)
        except (OSError, EOFError, zlib.error) as error:
            raise _damaged("it cannot be unpacked") from error


def read_through(path: Path) -> tuple[ArchiveHeader, ArchiveSummary]:
    """Reads an archive to its end and says what it holds; raises ``archive.invalid``, ``source.unreadable``."""
    with ArchiveReader(path) as reader:
        header = reader.header()
        for _ in reader.rows():
            pass
        assert reader.end is not None
        told = header.model_dump(include={"tenant", "commits", "entries", "root"})
        return header, ArchiveSummary(**told, rows=reader.end.rows, sha256=reader.end.sha256)


def _damaged(reason: str) -> MunimentError:
    return MunimentError("archive.invalid", f"the archive is damaged, nothing was imported: {reason}")
