"""Chunks of data: records become chunks whose locators hold their paths, and texts that cannot be followed, blocks."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from muniment.sources.data.records import Record
from muniment.sources.locating import Locator
from muniment.sources.parsed import Chunk, Origin, Parsed
from muniment.sources.splitting import pack, paragraphs

_MOST_KEYS = 40
_MOST_CHARACTERS = 400
_LARGE = 10_000


class RecordChunks:
    """Makes the chunks of one text out of its records, in their order.

    ``path`` is the member of the locator for paths: ``pointer`` or ``element``. ``keys`` finds the names of members in
    a text by its last group that matched. Where the text has ``several`` documents the locator tells which.
    """

    def __init__(self, text: str, origin: Origin, keys: re.Pattern[str], path: str = "pointer", several: bool = False):
        self._text = text
        self._size = origin.settings.chunk_characters
        self._title = origin.title
        self._locator = Locator(text, origin)
        self._keys = keys
        self._path = path
        self._several = several

    def all(self, records: Iterable[Record]) -> Iterator[Chunk]:
        """The chunks of the records."""
        return chain.from_iterable(map(self.of, records))

    def of(self, record: Record) -> Iterator[Chunk]:
        """The chunks of a record: one, or several of the same path where a single value is too large."""
        if record.end - record.start > self._size:
            spans = pack(self._text, [(record.start, record.end)], self._size)
        else:
            spans = iter([(record.start, record.end)] if record.start < record.end else [])
        for span in spans:
            chunk = self._locator.chunk(span, self._title)
            chunk.locator.update(self._place(record))
            keys = self._names(record.first, chunk.text)
            if keys:
                chunk.fields["keys"] = keys
            yield chunk

    def _place(self, record: Record) -> dict[str, object]:
        if self._several and record.through > record.document:
            return {"documents": [record.document, record.through]}
        place: dict[str, object] = {"document": record.document} if self._several else {}
        place[self._path] = record.first
        if record.last != record.first:
            place["through"] = record.last
        return place

    def _names(self, path: str, text: str) -> str:
        """The names on the way to the record and in it, each once."""
        steps = (step for step in re.split(r"[/.\[\]]", path[:_LARGE]) if step and not step.isdecimal())
        inside = (found[found.lastindex or 0] for found in self._keys.finditer(text))
        names: dict[str, None] = {}
        length = 0
        for name in chain(steps, inside):
            if name not in names:
                length += len(name) + 1
                if len(names) == _MOST_KEYS or length > _MOST_CHARACTERS:
                    break
                names[name] = None
        return " ".join(names)


def read_blocks(text: str, origin: Origin, *notes: str) -> Parsed:
    """The text by paragraphs, with a note why not by records."""
    locator = Locator(text, origin)
    spans = pack(text, paragraphs(text, 0, len(text)), origin.settings.chunk_characters)
    chunks = [locator.chunk(span, origin.title) for span in spans]
    return Parsed("data", origin.media_type, origin.title, origin.language, chunks, notes=list(notes))


def place_of(text: str, at: int) -> str:
    """Where a character stands, for notes: ``line 3, column 7``."""
    line = text.count("\n", 0, at) + 1
    return f"line {line}, column {at - text.rfind(chr(10), 0, at)}"


def no_records(language: str, text: str, at: int, why: str) -> str:
    """The note of a text that could not be followed at the character ``at``."""
    return f"Read by paragraphs, as it is no {language}: {why} at {place_of(text, at)}."


def parsed_data(origin: Origin, chunks: Iterable[Chunk], notes: Iterable[str] = ()) -> Parsed:
    """A source of data that was read."""
    return Parsed("data", origin.media_type, origin.title, origin.language, list(chunks), notes=list(notes))


TOO_DEEP = "What is nested more than 64 levels deep is cut as text."
