"""Markdown: a chunk never reaches over a heading, and knows the headings above it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from muniment.sources.decode import decode, require_words
from muniment.sources.locating import Locator
from muniment.sources.markdown_blocks import Block, Outline, OutlineExhausted
from muniment.sources.parsed import Origin, Parsed, Span
from muniment.sources.splitting import pack, paragraphs, trim

MAX_SECTIONS = 100_000
# A document may also begin with a rule: front matter has a key, or its end, on its second line.
_FRONT_MATTER = re.compile(r"---[ \t]*(?:\r\n?|\n)(?=[^\s:#]{1,100}[ \t]*:\s|---\s|\.\.\.\s)")
_FRONT_MATTER_END = re.compile(r"(?:\r\n?|\n)(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|\Z)")
_FRONT_MATTER_TITLE = re.compile(r"^title[ \t]*:[ \t]*(.*?)[ \t]*$", re.MULTILINE)
_FRONT_MATTER_LIMIT = 64 * 1024


@dataclass(slots=True)
class _Section:
    """What stands under one heading: the path of headings, innermost last, and the units to pack."""

    path: tuple[str, ...]
    units: Iterable[Span]


def read_markdown(data: bytes, origin: Origin) -> Parsed:
    """Sections cut at the top-level headings, their blocks joined up to the chunk size.

    A block that fits is kept whole (a fence, a table, a list); one that does not is cut at its parts, then as plain
    text. Front matter is a section of its own. The title is the given one, else front matter's, else the first
    heading. Where the outline is too intricate or has more than 100,000 sections, the rest is split as plain text
    and a note says from which line. Raises the ``input.*`` errors of ``decode``.
    """
    text = decode(data)
    require_words(text)
    front, front_title = _front_matter(text)
    sections = _Sections(text, front, origin.settings.chunk_characters)
    sections.read()
    title = origin.title or front_title or sections.first_heading
    locator = Locator(text, origin)
    chunks = [
        locator.chunk(span, title, section.path)
        for section in sections.found
        for span in pack(text, section.units, origin.settings.chunk_characters)
    ]
    return Parsed("document", origin.media_type, title, origin.language, chunks, notes=sections.notes)


class _Sections:
    """Gathers the sections of one text, of which ``front`` characters are front matter."""

    def __init__(self, text: str, front: int, size: int) -> None:
        self.found = [_Section((), [trim(text, 0, front)])] if front else []
        self.first_heading: str | None = None
        self.notes: list[str] = []
        self._text = text
        self._front = front
        self._size = size
        self._headings: list[tuple[int, str]] = []

    def read(self) -> None:
        start = self._front
        units = self._open(())
        try:
            for block, end in self._spans(start):
                if block.level:
                    if len(self.found) >= MAX_SECTIONS:
                        raise OutlineExhausted
                    units = self._open(self._path_to(block))
                units.extend(self._units(block, start, end))
                start = end
        except OutlineExhausted:
            self._give_up(start)

    def _open(self, path: tuple[str, ...]) -> list[Span]:
        """Begins a section; what is returned takes its units."""
        units: list[Span] = []
        self.found.append(_Section(path, units))
        return units

    def _spans(self, start: int) -> Iterator[tuple[Block, int]]:
        """Each block with the offset where it ends: where the next one starts."""
        last: Block | None = None
        for block in Outline(self._text).blocks(start):
            if last is not None:
                yield last, block.start
            last = block
        if last is not None:
            yield last, len(self._text)

    def _path_to(self, heading: Block) -> tuple[str, ...]:
        while self._headings and self._headings[-1][0] >= heading.level:
            self._headings.pop()
        self._headings.append((heading.level, heading.title))
        self.first_heading = self.first_heading or heading.title
        return tuple(title for _, title in self._headings)

    def _units(self, block: Block, start: int, end: int) -> Iterator[Span]:
        whole = trim(self._text, start, end)
        cuts = [start, *block.inner, end] if whole[1] - whole[0] > self._size else [start, end]
        for left, right in pairwise(cuts):
            part = trim(self._text, left, right)
            if part[0] < part[1]:
                yield part

    def _give_up(self, start: int) -> None:
        line = 1 + sum(1 for _ in re.finditer(r"\r\n?|\n", self._text[:start]))
        self.notes.append(f"From line {line} on the Markdown is too intricate to follow: it is split as plain text.")
        self.found.append(_Section((), paragraphs(self._text, start, len(self._text))))


def _front_matter(text: str) -> tuple[int, str | None]:
    """How many characters at the start are front matter, and the title that they give."""
    opening = _FRONT_MATTER.match(text)
    if opening is None:
        return 0, None
    closing = _FRONT_MATTER_END.search(text, opening.end() - 1, _FRONT_MATTER_LIMIT)
    if closing is None:
        return 0, None
    given = _FRONT_MATTER_TITLE.search(text[: closing.start()].replace("\r", "\n"))
    title = given.group(1).strip("'\"") if given else ""
    return closing.end(), " ".join(title.split()) or None
