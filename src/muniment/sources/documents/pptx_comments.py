"""The comments on slides: those of earlier versions, and threads with their answers."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from muniment.sources.documents.text import fold, storable
from muniment.sources.xml_stream import parse_xml

_COMMENTS: Final = frozenset({"cm", "reply"})


class SlideComments:
    """Reads the comments on the slides of one presentation, each part of it once: a comment stands on one slide."""

    def __init__(self) -> None:
        self._authors: dict[str, str] | None = None
        self._read: set[Any] = set()

    def on(self, slide: Any) -> Iterator[tuple[str, str | None]]:
        """What each comment on a slide says, and who says it where that is known. Raises what ``parse_xml`` raises."""
        for relation in slide.part.rels.values():
            if relation.is_external or relation.reltype.rpartition("/")[2] != "comments":
                continue
            if relation.target_part not in self._read:
                self._read.add(relation.target_part)
                if self._authors is None:
                    self._authors = _authors(slide)
                yield from _Comments(self._authors).read([relation.target_part.blob])


def _authors(slide: Any) -> dict[str, str]:
    """The names of those who comment, by their ids."""
    names: dict[str, str] = {}

    def start(name: str, attributes: Mapping[str, str]) -> None:
        if name.rpartition(":")[2] in ("cmAuthor", "author"):
            names[attributes.get("id", "")] = attributes.get("name", "")

    relations = slide.part.package.presentation_part.rels.values()
    kinds = ("commentAuthors", "authors")
    told = [each for each in relations if not each.is_external and each.reltype.rpartition("/")[2] in kinds]
    for part in dict.fromkeys(each.target_part for each in told):
        parse_xml([part.blob], start=start, end=lambda _: None)
    return names


class _Comments:
    """Gathers comments; an answer stands inside of what it answers, and comes behind it."""

    def __init__(self, authors: Mapping[str, str]) -> None:
        self._authors = authors
        self._open: list[tuple[list[str], str | None, int]] = []
        self._found: dict[int, tuple[str, str | None]] = {}
        self._count = 0
        self._inside = False

    def read(self, pieces: Iterable[bytes]) -> list[tuple[str, str | None]]:
        parse_xml(pieces, start=self._start, end=self._end, text=self._text)
        return [self._found[number] for number in sorted(self._found)]

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        name = name.rpartition(":")[2]
        if name in _COMMENTS:
            author = fold(self._authors.get(attributes.get("authorId", ""), ""))[:256] or None
            self._open.append(([], author, self._count))
            self._count += 1
        elif name in ("t", "text"):
            self._inside = True
        elif name == "p" and self._open and self._open[-1][0]:
            self._open[-1][0].append("\n")

    def _end(self, name: str) -> None:
        name = name.rpartition(":")[2]
        if name in ("t", "text"):
            self._inside = False
        elif name in _COMMENTS and self._open:
            words, author, number = self._open.pop()
            if text := storable("".join(words)):
                self._found[number] = (text, author)

    def _text(self, piece: str) -> None:
        if self._inside and self._open:
            self._open[-1][0].append(piece)
