"""The comments of a sheet of XLSX: notes, and threads with their answers, each at its cell."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from muniment.sources.documents.text import storable
from muniment.sources.package import Package
from muniment.sources.parsed import Chunk, Origin
from muniment.sources.relations import read_relations
from muniment.sources.splitting import split
from muniment.sources.tables.grid import parse_cell
from muniment.sources.xml_stream import parse_xml


@dataclass(frozen=True, slots=True)
class Comment:
    """What somebody says at a cell. ``text`` is stripped and not empty."""

    cell: str
    text: str
    author: str | None


def read_comments(package: Package, sheet: str) -> list[Comment]:
    """The comments at the cells of a sheet, by its member: threads in place of the notes that stand for them.

    Raises what ``parse_xml`` raises.
    """
    relations = read_relations(package, sheet)
    threads: list[Comment] = []
    if "threadedComment" in relations:
        people = _people(package)
        threads = _Comments("threadedComment", people).read(package, relations["threadedComment"])
    threaded = {comment.cell for comment in threads}
    notes = _Comments("comment", {}).read(package, relations["comments"]) if "comments" in relations else []
    return [note for note in notes if note.cell not in threaded] + threads


def comment_chunks(comments: list[Comment], origin: Origin, base: Mapping[str, str], first: int) -> Iterator[Chunk]:
    """A chunk each comment, cut where it does not fit, numbered from ``first``. ``base``: the fields of the sheet."""
    count = first
    for number, comment in enumerate(comments, 1):
        row = str(parse_cell(comment.cell)[1])
        marks: dict[str, Any] = {"comment": True} | ({"comment_by": comment.author} if comment.author else {})
        whole, size = (0, len(comment.text)), origin.settings.chunk_characters
        for span in (whole,) if whole[1] <= size else split(comment.text, *whole, size):
            place: dict[str, Any] = {"sheet": base["sheet"], "cells": comment.cell, "comment": number, "chunk": count}
            place |= {} if span == whole else {"chars": list(span)}
            yield Chunk(comment.text[slice(*span)], origin.place() | place, dict(base) | {"row": row}, metadata=marks)
            count += 1


def locate_comment(comments: list[Comment], locator: Mapping[str, Any]) -> str:
    """The text of the comment that a locator names by its number, and by ``chars`` where it was cut."""
    number = locator["comment"]
    text = comments[number - 1].text if 0 < number <= len(comments) else ""
    return text[slice(*locator["chars"])] if "chars" in locator else text


class _Comments:
    """Gathers the comments of one member: of notes with their authors by number, of threads by the ids of people."""

    def __init__(self, element: str, people: Mapping[str, str]) -> None:
        self._element = element
        self._people = dict(people)
        self._found: list[Comment] = []
        self._authors: list[str] = []
        self._text: list[str] | None = None
        self._parts: list[str] = []
        self._cell = self._who = ""
        self._phonetic = 0

    def read(self, package: Package, member: str) -> list[Comment]:
        parse_xml(package.pieces(member), start=self._start, end=self._end, text=self._piece)
        return self._found

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == self._element:
            self._cell = attributes.get("ref", "")
            self._who = attributes.get("authorId", "") or attributes.get("personId", "")
            self._parts = []
        elif name in ("t", "author") or (name == "text" and self._element == "threadedComment"):
            self._text = []
        elif name == "rPh":
            self._phonetic += 1

    def _end(self, name: str) -> None:
        if name == "author":
            self._people[str(len(self._authors))] = "".join(self._text or []).strip()
            self._authors.append("")
            self._text = None
        elif name in ("t", "text") and self._text is not None:
            self._parts += [] if self._phonetic else self._text
            self._text = None
        elif name == "rPh":
            self._phonetic -= 1
        elif name == self._element:
            self._add()

    def _add(self) -> None:
        text = storable("".join(self._parts))
        try:
            parse_cell(self._cell)
        except ValueError:
            return
        if text:
            self._found.append(Comment(self._cell, text, storable(self._people.get(self._who, ""))[:256] or None))

    def _piece(self, piece: str) -> None:
        if self._text is not None:
            self._text.append(piece)


def _people(package: Package) -> dict[str, str]:
    """The names of those who write in threads, by their ids."""
    people: dict[str, str] = {}

    def start(name: str, attributes: Mapping[str, str]) -> None:
        if name == "person":
            people[attributes.get("id", "")] = attributes.get("displayName", "")

    for member in package.names:
        if member.startswith("xl/persons/") and member.endswith(".xml"):
            parse_xml(package.pieces(member), start=start, end=lambda _: None)
    return people
