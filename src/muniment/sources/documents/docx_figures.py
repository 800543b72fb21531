"""The images that a DOCX draws, in the order of its text."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from muniment.sources.xml_stream import parsing_xml

_LEFT_OUT: Final = frozenset({"del", "moveFrom", "Fallback"})  # what was deleted, or stands there a second time


def images_drawn(pieces: Iterable[bytes]) -> Iterator[tuple[str, str | None]]:
    """The id of the relation of each image and the alternative text that it has. Raises as ``parse_xml``."""
    reader = _Reader()
    for _ in parsing_xml(pieces, start=reader.start, end=reader.end):
        found, reader.found = reader.found, []
        yield from found
    yield from reader.found


class _Reader:
    """Gathers the images; ``found`` are those that were not taken yet."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str | None]] = []
        self._title: str | None = None
        self._left_out = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        name = name.rpartition(":")[2]
        if self._left_out or name in _LEFT_OUT:
            self._left_out += 1
        elif name == "docPr":  # stands before the image that it is about
            self._title = attributes.get("descr") or attributes.get("title")
        elif name == "blip":
            self._add(attributes.get("r:embed"))
        elif name == "imagedata":  # as earlier versions drew them
            self._title = attributes.get("o:title")
            self._add(attributes.get("r:id"))

    def end(self, _: str) -> None:
        if self._left_out:
            self._left_out -= 1

    def _add(self, relation: str | None) -> None:
        if relation:
            self.found.append((relation, self._title))
        self._title = None
