"""The styles of DOCX, as far as they say which paragraphs are headings."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from muniment.sources.xml_stream import parse_xml

_HEADING: Final = re.compile(r"heading ([1-9])", re.IGNORECASE)
_TITLE: Final = frozenset({"title"})
_BODY_LEVEL: Final = 9
_MOST_ANCESTORS: Final = 20


@dataclass(slots=True)
class Styles:
    """Styles by their id: their name (English in every language of Word), outline level from 0, and parent."""

    names: dict[str, str] = field(default_factory=dict)
    levels: dict[str, int] = field(default_factory=dict)
    parents: dict[str, str] = field(default_factory=dict)

    def level(self, style: str | None, own: int | None) -> int | None:
        """The level of a heading, from 1, by its style and the outline level of its own; None for text."""
        if own is not None:
            return own + 1 if own < _BODY_LEVEL else None
        for name in self._line(style):
            found = _HEADING.fullmatch(self.names.get(name, name))
            if found:
                return int(found.group(1))
            if name in self.levels:
                return self.levels[name] + 1 if self.levels[name] < _BODY_LEVEL else None
        return None

    def is_title(self, style: str | None) -> bool:
        """Whether a paragraph of the style is the document's title."""
        return any(self.names.get(name, name).lower() in _TITLE for name in self._line(style))

    def _line(self, style: str | None) -> Iterable[str]:
        """A style and those that it is based on, as far as twenty up."""
        for _ in range(_MOST_ANCESTORS):
            if style is None:
                return
            yield style
            style = self.parents.get(style)


def read_styles(pieces: Iterable[bytes]) -> Styles:
    """The styles of a document. Raises what ``parse_xml`` raises."""
    styles = Styles()
    current = ""

    def start(name: str, attributes: Mapping[str, str]) -> None:
        nonlocal current
        value = attributes.get("w:val", "")
        if name == "style":
            current = attributes.get("w:styleId", "")
        elif name == "name" and current:
            styles.names[current] = value
        elif name == "basedOn" and current:
            styles.parents[current] = value
        elif name == "outlineLvl" and current and value.isdecimal():
            styles.levels[current] = int(value[:2])

    def end(name: str) -> None:
        nonlocal current
        current = "" if name == "style" else current

    parse_xml(pieces, start=start, end=end)
    return styles
