"""Records of structured data: where to cut a text of nested containers so that each piece is a whole object if it fits.

The readers of JSON, YAML, TOML and XML walk through their text and say where containers and values begin and end; the
cutter here decides. A container that fits into a chunk is never parted; one that does not is cut between its members;
small neighbours in one container share a chunk. Brackets, commas and names belong to the member that they introduce
or end, so that the pieces cover the text.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

from muniment.sources.splitting import trim

Name = str | int
"""The step from a container to its member: an index, or what is put behind the container's path."""

MAX_DEPTH = 64
"""Containers deeper than this are not cut between their members, but as text."""

MAX_NAME = 256
"""A longer step of a path is shortened, or the paths would take more room than the text."""

_Member = tuple[int, int, Name]


@dataclass(frozen=True, slots=True)
class Record:
    """A piece ``[start, end)`` of the text that holds the members ``first`` to ``last`` of one container.

    They are paths from the root of the document with the number ``document`` (from 0). Where the piece holds whole
    documents both are that of the root, and ``through`` is the number of the last.
    """

    start: int
    end: int
    document: int
    through: int
    first: str
    last: str


@dataclass(slots=True)
class _Container:
    """An open container. ``large`` once it no longer fits into a chunk, ``parted`` once a piece of it was given."""

    cut: int
    path: str
    name: Name
    begun: bool = False
    large: bool = False
    parted: bool = False
    members: list[_Member] = field(default_factory=list)


@dataclass(slots=True)
class _Group:
    """Neighbouring members of one container (None: documents of the stream) that share a chunk so far."""

    container: _Container | None
    document: int
    members: list[_Member]


class RecordCutter:
    """Takes the containers and values of a text in their order and gives its records.

    ``size`` is the chunk's, in characters. Memory is that of one chunk's members and of the open containers that are
    followed: at most ``MAX_DEPTH``, and ``too_deep`` tells whether there were more.
    """

    def __init__(self, text: str, size: int) -> None:
        self.too_deep = False
        self.size = size
        self._text = text
        self._document = 0
        self._root = ""
        self._open: list[_Container] = []
        self._large = 0
        self._beyond = 0
        self._group: _Group | None = None
        self._ready: list[Record] = []

    def open(self, cut: int, name: Name = "") -> None:
        """A container begins. ``cut`` is where the text before it can be parted from it: before its name."""
        if len(self._open) >= MAX_DEPTH:
            self._beyond += 1
            self.too_deep = True
            return
        if not self._open:
            self._root = _step(name)
        path = self._open[-1].path + _step(name) if self._open else self._root
        self._open.append(_Container(self._first_cut(cut), path, name))
        self._grow(cut)

    def leaf(self, cut: int, end: int, name: Name = "") -> None:
        """A value, or a container that is not to be parted. Outside every container it is a document."""
        if not self._beyond:
            cut = self._first_cut(cut)
            self._grow(end)
            self._place((cut, end, name))

    def close(self, end: int) -> None:
        """The innermost container ends."""
        if self._beyond:
            self._beyond -= 1
            return
        self._grow(end)
        container = self._open.pop()
        self._large -= container.large
        if not container.parted:
            self._place((container.cut, end, container.name))
        elif self._open:
            self._open[-1].parted = True
        else:
            self._document += 1

    def records(self) -> Iterator[Record]:
        """The records that were completed since the last call."""
        ready, self._ready = self._ready, []
        return iter(ready)

    def finish(self) -> Iterator[Record]:
        """The last records: the text is at its end."""
        self._end_group(len(self._text))
        return self.records()

    def _first_cut(self, cut: int) -> int:
        """A container's first member takes what introduces the container."""
        if not self._open or self._open[-1].begun:
            return cut
        self._open[-1].begun = True
        return self._open[-1].cut

    def _grow(self, at: int) -> None:
        """Opens up the containers that no longer fit into a chunk, the outermost first."""
        while self._large < len(self._open) and at - self._open[self._large].cut > self.size:
            container = self._open[self._large]
            container.large = True
            self._large += 1
            members, container.members = container.members, []
            for member in members:
                self._add(container, member)

    def _place(self, member: _Member) -> None:
        if not self._open:
            self._add(None, (member[0], member[1], self._document))
            self._document += 1
        elif self._open[-1].large:
            self._add(self._open[-1], member)
        else:
            self._open[-1].members.append(member)

    def _add(self, container: _Container | None, member: _Member) -> None:
        if container is not None:
            container.parted = True
        group = self._group
        if group is None or group.container is not container or member[1] - group.members[0][0] > self.size:
            self._end_group(member[0])
            self._group = _Group(container, self._document, [member])
        else:
            group.members.append(member)

    def _end_group(self, end: int) -> None:
        """Ends the group at ``end``, where the next member's text begins."""
        group, self._group = self._group, None
        if group is None:
            return
        members = group.members
        start, end = trim(self._text, members[0][0], end)
        if end - start > self.size and len(members) > 1:  # what ends the containers around it does not fit
            *members, last = members
            self._give(group, members, *trim(self._text, start, last[0]))
            start, members = trim(self._text, last[0], end)[0], [last]
        self._give(group, members, start, end)

    def _give(self, group: _Group, members: list[_Member], start: int, end: int) -> None:
        first, last = members[0][2], members[-1][2]
        if group.container is not None:
            path, number = group.container.path, group.document
            record = Record(start, end, number, number, path + _step(first), path + _step(last))
        else:
            assert isinstance(first, int) and isinstance(last, int)
            record = Record(start, end, first, last, self._root, self._root)
        self._ready.append(record)


class Uncut(RecordCutter):
    """Takes everything and cuts nothing, for a first look at whether a text can be followed."""

    def __init__(self) -> None:
        super().__init__("", sys.maxsize)

    def open(self, cut: int, name: Name = "") -> None:
        """Nothing."""

    def leaf(self, cut: int, end: int, name: Name = "") -> None:
        """Nothing."""

    def close(self, end: int) -> None:
        """Nothing."""


def _step(name: Name) -> str:
    if isinstance(name, int):
        return f"/{name}"
    return name if len(name) <= MAX_NAME else name[: MAX_NAME - 1] + "…"
