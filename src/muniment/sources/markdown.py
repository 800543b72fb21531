"""Markdown: a chunk never reaches over a heading, and knows the headings above it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from muniment.sources.charset import decode_text
from muniment.sources.decode import require_words
from muniment.sources.front_matter import read_front_matter
from muniment.sources.locating import Locator
from muniment.sources.markdown_blocks import Block, Outline, OutlineExhausted
from muniment.sources.markdown_tables import with_tables
from muniment.sources.parsed import Origin, Parsed
from muniment.sources.splitting import paragraphs, trim
from muniment.sources.text_tables import TextChunks, Unit, locate_text

locate_markdown = locate_text

MAX_SECTIONS = 100_000
_MAX_TAGS = 1000
_GAP = 1000  # characters in which the blank line between two paragraphs is


@dataclass(slots=True)
class _Section:
    """What stands under one heading: the path of headings, innermost last, and the units to pack."""

    path: tuple[str, ...]
    units: Iterable[Unit]


def read_markdown(data: bytes, origin: Origin) -> Parsed:
    """Sections cut at the top-level headings, their blocks joined up to the chunk size.

    A block that fits is kept whole (a fence, a list); one that does not is cut at its parts, then as plain text. A
    table is groups of its rows, with the header repeated. Front matter is what it says of the document, and no text of
    it unless there is nothing else. The title is the given one, else front matter's, else the first heading. Where the
    outline is too intricate or has more than 100,000 sections, the rest is split as plain text and a note says from
    which line. Raises the ``input.*`` errors of ``decode_text``.
    """
    text, said = decode_text(data)
    require_words(text)
    front = read_front_matter(text, origin.settings)
    start = front.end if text[front.end :].strip() else 0
    sections = _Sections(text, start, origin.settings.chunk_characters)
    sections.read()
    title = origin.title or front.title or sections.first_heading
    made = TextChunks(text, Locator(text, origin), origin.settings.chunk_characters)
    chunks = [chunk for section in sections.found for chunk in made.section(section.units, title, section.path)]
    for chunk in chunks if front.tags else ():
        chunk.fields["tags"] = ", ".join(front.tags)[:_MAX_TAGS]
    return Parsed(
        "document", origin.media_type, title, origin.language, chunks,
        notes=[*said, *front.notes, *sections.notes], at=front.at, metadata=front.metadata,
    )  # fmt: skip


class _Sections:
    """Gathers the sections of one text from the offset ``start`` on."""

    def __init__(self, text: str, start: int, size: int) -> None:
        self.found: list[_Section] = []
        self.first_heading: str | None = None
        self.notes: list[str] = []
        self._text = text
        self._start = start
        self._size = size
        self._headings: list[tuple[int, str]] = []

    def read(self) -> None:
        start = self._start
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

    def _open(self, path: tuple[str, ...]) -> list[Unit]:
        """Begins a section; what is returned takes its units."""
        units: list[Unit] = []
        self.found.append(_Section(path, units))
        return units

    def _spans(self, start: int) -> Iterator[tuple[Block, int]]:
        """Each block with the offset where it ends: where the next one starts. One that fills windows is still one."""
        last: Block | None = None
        for block in Outline(self._text).blocks(start):
            if last is not None and last.paragraph and block.paragraph and not self._parted(block.start):
                continue
            if last is not None:
                yield last, block.start
            last = block
        if last is not None:
            yield last, len(self._text)

    def _parted(self, at: int) -> bool:
        """Whether a blank line stands before a place."""
        before = self._text[max(0, at - _GAP) : at]
        return len(re.findall(r"\r\n?|\n", before[len(before.rstrip()) :])) > 1

    def _path_to(self, heading: Block) -> tuple[str, ...]:
        while self._headings and self._headings[-1][0] >= heading.level:
            self._headings.pop()
        self._headings.append((heading.level, heading.title))
        self.first_heading = self.first_heading or heading.title
        return tuple(title for _, title in self._headings)

    def _units(self, block: Block, start: int, end: int) -> Iterator[Unit]:
        if block.paragraph:
            yield from with_tables(self._text, start, end)
            return
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
