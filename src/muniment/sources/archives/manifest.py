"""The list of what an archive, directory or repository holds: a line for each entry, packed into chunks.

As a source of its own (of a directory or repository, whose files come beside it) it is JSON that ``make_manifest``
writes; the list of an archive is made of the archive itself.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from muniment.errors import MunimentError
from muniment.sources.parsed import Chunk, Origin, Parsed

VERSION: Final = 1
_LEFT_OUT: Final = 20


@dataclass(frozen=True, slots=True)
class Entry:
    """A member: its path, its size where it is known, and why it is no source, where it is none.

    ``source_key`` and ``sha256`` are those of a file that comes beside the list.
    """

    path: str
    bytes: int | None = None
    left_out: str | None = None
    source_key: str | None = None
    sha256: str | None = None

    def line(self) -> str:
        """The entry as the list's chunks say it."""
        size = "" if self.bytes is None else f"  {self.bytes} bytes"
        return f"{self.path}{size}" + ("" if self.left_out is None else f"  ({self.left_out})")


def make_manifest(name: str, entries: Iterable[Entry], commit: str | None = None) -> bytes:
    """The list as a source: the same for the same contents, whenever it is made."""
    listed = [{key: value for key, value in asdict(each).items() if value is not None} for each in entries]
    made = {"muniment_manifest": VERSION, "name": name, "commit": commit, "entries": listed}
    return json.dumps(made, ensure_ascii=True, separators=(",", ":")).encode()


def read_manifest(data: bytes, origin: Origin) -> Parsed:
    """The list of a directory or repository. Raises ``source.damaged`` for what ``make_manifest`` did not write."""
    name, entries = _entries(data)
    parsed = list_of(entries, origin, name)
    parsed.contains = [each.source_key for each in entries if each.source_key is not None]
    return parsed


def locate_entries(data: bytes, locator: Mapping[str, Any]) -> str:
    """The lines of the entries that a locator names, from the JSON."""
    return lines_at([each for each in _entries(data)[1]], locator)


def list_of(entries: Sequence[Entry], origin: Origin, name: str | None = None) -> Parsed:
    """Chunks of whole lines, each located by the ``entries`` in it: the first and the last, counted from 0."""
    title = origin.title or name or origin.filename
    chunks = []
    for number, (first, last) in enumerate(_packed(entries, origin.settings.chunk_characters)):
        place = origin.place() | {"entries": [first, last], "chunk": number}
        fields = origin.fields() | ({"title": title} if title else {})
        chunks.append(Chunk("\n".join(each.line() for each in entries[first : last + 1]), place, fields))
    return Parsed("data", origin.media_type, title, origin.language, chunks, notes=_notes(entries))


def lines_at(entries: Sequence[Entry], locator: Mapping[str, Any]) -> str:
    """What ``list_of`` says of the entries that a locator names."""
    first, last = locator["entries"]
    return "\n".join(each.line() for each in entries[first : last + 1])


def _packed(entries: Sequence[Entry], size: int) -> Iterator[tuple[int, int]]:
    first, length = 0, 0
    for number, each in enumerate(entries):
        more = len(each.line()) + 1
        if length and length + more > size:
            yield first, number - 1
            first, length = number, 0
        length += more
    if length:
        yield first, len(entries) - 1


def _notes(entries: Sequence[Entry]) -> list[str]:
    counts: dict[str, int] = {}
    for each in entries:
        if each.left_out is not None:
            counts[each.left_out] = counts.get(each.left_out, 0) + 1
    told = [f"{reason} ({count})" for reason, count in sorted(counts.items(), key=lambda one: (-one[1], one[0]))]
    return [f"Left out: {', '.join(told[:_LEFT_OUT])}."] if told else []


def _entries(data: bytes) -> tuple[str, list[Entry]]:
    try:
        made = json.loads(data)
        if made["muniment_manifest"] != VERSION:
            raise ValueError
        entries = [Entry(**each) for each in made["entries"]]
        if not all(isinstance(each.path, str) and isinstance(each.source_key, str | None) for each in entries):
            raise ValueError
        return str(made["name"]), entries
    except (ValueError, TypeError, KeyError, RecursionError):
        raise MunimentError("source.damaged", "This is no list of contents that can be read.") from None
