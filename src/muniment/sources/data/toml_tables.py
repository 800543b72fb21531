"""TOML: a record a table, located by its path as a JSON pointer. Values are skipped over, not made.

A table may be named by a key of any number of parts; beyond 64 they are not told apart, so that a line of dots costs
no more than another.
"""

import re
from collections.abc import Iterator
from itertools import islice

from muniment.sources.charset import decode_text
from muniment.sources.data.chunks import RecordChunks, no_records, parsed_data, read_blocks
from muniment.sources.data.json_values import pointer_name, pointer_step
from muniment.sources.data.records import MAX_DEPTH, RecordCutter
from muniment.sources.decode import require_words
from muniment.sources.parsed import Origin, Parsed

_STRING = r'"[^"\\\r\n]*+(?:\\.[^"\\\r\n]*+)*+"'
_LITERAL = r"'[^'\r\n]*+'"
_PART = rf"(?:[^\s.=\[\]\"'#]++|{_STRING}|{_LITERAL})"
_GAP = re.compile(r"(?:\s++|#[^\r\n]*+)*+")
_KEY = rf"{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+"
_HEADER = re.compile(rf"(\[\[?)[ \t]*+({_KEY})[ \t]*+(\]\]?)")
_ASSIGNED = re.compile(rf"({_KEY})[ \t]*+=")
_PARTS = re.compile(_PART)
_TOKEN = re.compile(
    r'"""[^"\\]*+(?:(?:\\.|""?(?!"))[^"\\]*+)*+"{3,5}' r"|'''[^']*+(?:''?(?!')[^']*+)*+'{3,5}"
    rf"|{_STRING}|{_LITERAL}|#[^\r\n]*+|[\[{{]|[\]}}]|[\r\n]++|[^\"'#\[\]{{}}\r\n]++",
    re.DOTALL,
)  # fmt: skip
_KEYS = re.compile(rf"^[ \t]*+(?:\[\[?[ \t]*+)?({_KEY})[ \t]*+(?:=|\])", re.MULTILINE)
_KEYS_TOO_LONG = f"Of keys with more than {MAX_DEPTH} parts only the first {MAX_DEPTH} are told apart."


class _NotToml(Exception):
    def __init__(self, why: str, at: int) -> None:
        super().__init__(why)
        self.why = why
        self.at = at


def read_toml(data: bytes, origin: Origin) -> Parsed:
    """One chunk a table that fits, a larger one cut between its keys, small neighbours together.

    The locator has ``pointer`` and ``through`` as that of JSON. Comments above a table or key belong to it. What is no
    TOML is read by paragraphs, with a note that names the place. Raises ``input.encoding_invalid``, ``input.nul_byte``,
    ``input.empty_text``.
    """
    text, said = decode_text(data)
    require_words(text)
    cutter = RecordCutter(text, origin.settings.chunk_characters)
    walk = _Walk(text, cutter)
    try:
        walk.all()
    except _NotToml as error:
        return read_blocks(text, origin, no_records("TOML", text, error.at, error.why), *said)
    made = RecordChunks(text, origin, _KEYS)
    notes = [_KEYS_TOO_LONG] if walk.too_long else []
    return parsed_data(origin, made.all(cutter.finish()), [*notes, *said])


class _Walk:
    """Walks over the tables and keys of a text."""

    def __init__(self, text: str, cutter: RecordCutter) -> None:
        self.too_long = False
        self._text = text
        self._cutter = cutter
        self._arrays: dict[str, int] = {}

    def all(self) -> None:
        text, cutter = self._text, self._cutter
        cutter.open(0)
        end, in_table = 0, False
        while (at := self._gap(end)) < len(text):
            cut = self._cut(end, at)
            header = _HEADER.match(text, at) if text[at] == "[" else None
            if header is not None:
                if in_table:
                    cutter.close(end)
                cutter.open(cut, self._table(header[2], header[1] == "[["))
                end, in_table = header.end(), True
                continue
            assigned = _ASSIGNED.match(text, at)
            if assigned is None:
                raise _NotToml("expected a key or a table", at)
            end = self._value(assigned.end())
            cutter.leaf(cut, end, "".join(self._steps(assigned[1])))
        if in_table:
            cutter.close(end)
        cutter.close(end)

    def _value(self, at: int) -> int:
        """Where the value at ``at`` ends: at the end of a line outside of brackets and strings."""
        text, depth = self._text, 0
        while at < len(text):
            token = _TOKEN.match(text, at)
            if token is None:
                raise _NotToml("a string without end", at)
            first = text[at]
            if first in "[{":
                depth += 1
            elif first in "]}":
                depth -= 1
            elif first in "\r\n" and depth <= 0:
                return at
            at = token.end()
        return at

    def _table(self, key: str, of_array: bool) -> str:
        """The path of a table. Arrays on the way are gone through by their last item."""
        path = ""
        for step in self._steps(key):
            if path in self._arrays:
                path += f"/{self._arrays[path]}"
            path += step
        if of_array:
            self._arrays[path] = self._arrays.get(path, -1) + 1
            path += f"/{self._arrays[path]}"
        elif path in self._arrays:
            path += f"/{self._arrays[path]}"
        return path

    def _steps(self, key: str) -> Iterator[str]:
        found = [part[0] for part in islice(_PARTS.finditer(key), MAX_DEPTH + 1)]
        self.too_long = self.too_long or len(found) > MAX_DEPTH
        for part in found[:MAX_DEPTH]:
            yield pointer_step(part) if part[0] == '"' else pointer_name(part.strip("'"))

    def _gap(self, at: int) -> int:
        found = _GAP.match(self._text, at)
        return found.end() if found else at

    def _cut(self, end: int, at: int) -> int:
        """What stands behind the line where the last thing ended belongs to the next."""
        line_end = self._text.find("\n", end, at)
        return at if line_end < 0 else line_end + 1
