"""XML: a record an element, located by its path. Nothing outside is read, and no entity is resolved.

Expat tells where elements begin and end; the text is cut as it stands in the file, with its markup.
"""

import re
from collections.abc import Mapping
from typing import Any
from xml.parsers import expat

from muniment.sources.charset import decode_text
from muniment.sources.data.chunks import TOO_DEEP, RecordChunks, no_records, parsed_data, read_blocks
from muniment.sources.data.records import MAX_DEPTH, RecordCutter
from muniment.sources.decode import require_words
from muniment.sources.parsed import Origin, Parsed

_DECLARED = re.compile(rb"""\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]{0,40})["']""")
_START_TAG = re.compile(r"""<[^\s/>]++(?:[^>"']++|"[^"]*+"|'[^']*+')*+>""")
_KEYS = re.compile(r"""<([A-Za-z_][\w.:-]{0,100})|\s([A-Za-z_][\w.:-]{0,100})\s?=\s?["']""")
_ENTITIES = "Read by paragraphs, as it declares entities, which are not resolved."


class _DeclaresEntities(Exception):
    pass


def decode_xml(data: bytes) -> tuple[str, list[str]]:
    """As ``decode_text``, with the encoding of the XML declaration."""
    found = _DECLARED.match(data[:1000])
    return decode_text(data, found[1].decode() if found else None)


def read_xml(data: bytes, origin: Origin) -> Parsed:
    """One chunk an element that fits, a larger one cut between its children, small neighbours together.

    The locator holds the ``element``, an XPath of names as they are written with positions from 1 (``/feed/entry[3]``),
    and ``through``, that of the last of several. What is not well-formed or declares entities is read by paragraphs,
    with a note. Raises ``input.encoding_invalid``, ``input.nul_byte``, ``input.empty_text``.
    """
    text, said = decode_xml(data)
    require_words(text)
    cutter = RecordCutter(text, origin.settings.chunk_characters)
    try:
        _Walk(text, cutter).all()
    except _DeclaresEntities:
        return read_blocks(text, origin, _ENTITIES, *said)
    except expat.ExpatError as error:
        line_start = 0
        for _ in range(error.lineno - 1):
            line_start = text.find("\n", line_start) + 1
        why = expat.errors.messages.get(error.code, "it cannot be followed")
        return read_blocks(text, origin, no_records("XML", text, line_start + error.offset, why), *said)
    made = RecordChunks(text, origin, _KEYS, path="element")
    notes = [TOO_DEEP] if cutter.too_deep else []
    return parsed_data(origin, made.all(cutter.finish()), [*notes, *said])


def locate_xml(data: bytes, locator: Mapping[str, Any]) -> str:
    """The characters that a locator names by ``chars``."""
    start, end = locator["chars"]
    return decode_xml(data)[0][start:end]


class _Walk:
    """Walks over the elements of a text. ``_counts`` counts the children by name of each open element followed."""

    def __init__(self, text: str, cutter: RecordCutter) -> None:
        self._text = text
        self._cutter = cutter
        self._encoded = text.encode()
        self._byte = self._character = 0
        self._counts: list[dict[str, int]] = []
        self._depth = 0
        self._ended = 0
        self._parser = parser = expat.ParserCreate("utf-8")
        parser.ordered_attributes = True  # lists are cheaper than mappings, and neither is looked at
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.EntityDeclHandler = self._entity
        parser.DefaultHandler = self._other  # with it, expat leaves entities as they are

    def all(self) -> None:
        self._parser.Parse(self._encoded, True)

    def _start(self, name: str, attributes: object) -> None:
        at = self._place()
        self._depth += 1
        if self._depth == 1:
            self._cutter.open(0, f"/{name}")
        elif self._depth <= MAX_DEPTH + 1:
            counts = self._counts[-1]
            counts[name] = counts.get(name, 0) + 1
            self._cutter.open(at, f"/{name}[{counts[name]}]")
        else:
            self._cutter.open(at)
        if self._depth <= MAX_DEPTH:
            self._counts.append({})
        tag = _START_TAG.match(self._text, at)
        self._ended = tag.end() if tag is not None and self._text.endswith("/>", at, tag.end()) else 0

    def _end(self, name: str) -> None:
        end = self._ended or self._text.find(">", self._place()) + 1
        self._ended = 0
        if self._depth <= MAX_DEPTH:
            self._counts.pop()
        self._depth -= 1
        self._cutter.close(end)

    def _entity(self, *_: object) -> None:
        raise _DeclaresEntities

    def _other(self, data: str) -> None:
        pass

    def _place(self) -> int:
        """Where the event stands in the text: expat counts bytes."""
        byte = self._parser.CurrentByteIndex
        self._character += len(self._encoded[self._byte : byte].decode())
        self._byte = byte
        return self._character
