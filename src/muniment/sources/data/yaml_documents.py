"""YAML: a record a mapping or list, located by its path as a JSON pointer. Nothing is constructed.

The text is read as libyaml's stream of events. Aliases are events too: they stay the words that they are, so that
neither an alias of aliases nor one of itself costs more than its characters, and tags name nothing that would be made.
"""

import re
from dataclasses import dataclass
from typing import Any

import yaml  # type: ignore[import-untyped]

from muniment.sources.charset import decode_text
from muniment.sources.data.chunks import (
    TOO_DEEP,
    RecordChunks,
    no_records,
    parsed_data,
    read_blocks,
)
from muniment.sources.data.json_values import pointer_name
from muniment.sources.data.records import Name, RecordCutter
from muniment.sources.decode import require_words
from muniment.sources.parsed import Origin, Parsed

_KEYS = re.compile(r"""^[ \t]*(?:[-?][ \t]+)*["']?([\w./-][^\s:#"'{}\[\],]{0,80})["']?[ \t]*:(?=\s|$)""", re.MULTILINE)


def read_yaml(data: bytes, origin: Origin) -> Parsed:
    """One chunk a mapping that fits, a larger one cut between its members, small neighbours together.

    The locator has ``pointer`` and ``through`` as that of JSON, and ``document`` where there are several. A comment
    above a member belongs to it. What is no YAML (templates of it, for instance) is read by paragraphs, with a note
    that names the place. Raises ``input.encoding_invalid``, ``input.nul_byte``, ``input.empty_text``.
    """
    text, said = decode_text(data)
    require_words(text)
    cutter = RecordCutter(text, origin.settings.chunk_characters)
    walk = _Walk(text, cutter)
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            walk.take(event)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        at = mark.index if mark is not None else getattr(error, "position", 0)
        why = getattr(error, "problem", None) or getattr(error, "reason", "a character that is none of YAML")
        return read_blocks(text, origin, no_records("YAML", text, at, str(why)), *said)
    made = RecordChunks(text, origin, _KEYS, several=walk.documents > 1)
    notes = [TOO_DEEP] if cutter.too_deep else []
    return parsed_data(origin, made.all(cutter.finish()), [*notes, *said])


@dataclass(slots=True)
class _Node:
    """An open mapping (``count`` counts its members) or list. ``name`` is that of the member whose value is next."""

    mapping: bool
    flow: bool
    count: int = 0
    name: Name | None = None
    cut: int = 0


class _Walk:
    """Takes the events of a text in their order. ``_end`` is where the last thing that has text ended."""

    def __init__(self, text: str, cutter: RecordCutter) -> None:
        self.documents = 0
        self._text = text
        self._cutter = cutter
        self._open: list[_Node] = []
        self._end = 0
        self._inside_key = 0
        self._begun = 0

    def take(self, event: Any) -> None:
        kind = type(event)
        if kind is yaml.DocumentStartEvent:
            self.documents += 1
            self._begun = self._end
        elif kind is yaml.DocumentEndEvent:
            self._ended(event.end_mark.index)
        elif kind is yaml.ScalarEvent or kind is yaml.AliasEvent:
            self._leaf(event)
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            self._start(event, kind is yaml.MappingStartEvent)
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            self._finish(event)

    def _leaf(self, event: Any) -> None:
        start, end = event.start_mark.index, event.end_mark.index
        if not self._inside_key:
            key = self._key_of(start, getattr(event, "value", None) or f"*{getattr(event, 'anchor', '')}")
            if key is None:
                self._cutter.leaf(*self._member(start, end))
        self._ended(end)

    def _start(self, event: Any, mapping: bool) -> None:
        start = event.start_mark.index
        if self._inside_key or self._key_of(start, None) is not None:
            self._inside_key += 1
            return
        cut, _, name = self._member(start, start)
        self._cutter.open(cut, name)
        self._open.append(_Node(mapping, bool(event.flow_style)))
        if event.flow_style:
            self._ended(start + 1)

    def _finish(self, event: Any) -> None:
        if self._inside_key:
            self._inside_key -= 1
            return
        node = self._open.pop()
        if node.flow:
            self._ended(event.end_mark.index)
        self._cutter.close(self._end)

    def _key_of(self, start: int, value: str | None) -> str | None:
        """The name that begins at ``start``, if a name is what comes next. One that is no scalar gets its number."""
        node = self._open[-1] if self._open else None
        if node is None or not node.mapping or node.name is not None:
            return None
        node.cut = self._cut(start)
        node.name = pointer_name(f"?{node.count}" if value is None else value)
        node.count += 1
        return node.name

    def _member(self, start: int, end: int) -> tuple[int, int, Name]:
        """Where the value that begins at ``start`` can be cut, where it ends, and its name."""
        if not self._open:
            return self._begun, end, ""
        node = self._open[-1]
        if node.mapping:
            name, node.name = node.name, None
            assert name is not None
            return node.cut, end, name
        node.count += 1
        return self._cut(start), end, node.count - 1

    def _cut(self, start: int) -> int:
        """Where the member at ``start`` begins: with the lines behind what came last, comments among them."""
        line_end = self._text.find("\n", self._end, start)
        return start if line_end < 0 else line_end + 1

    def _ended(self, end: int) -> None:
        """Something ended; the marks of some events stand behind the white space that follows."""
        text = self._text
        while end > self._end and text[end - 1].isspace():
            end -= 1
        self._end = max(self._end, end)
