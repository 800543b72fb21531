"""Splitting a text into spans of bounded size without losing a character that is not white space.

Every function works on offsets into the whole text and only ever chooses where to cut: what lies between two cuts
is kept whatever the chooser thought of it, so coverage holds by construction and not by the care of a library.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import cast

from semchunk.semchunk import chunk as semantic_chunks

from muniment.sources.parsed import Span

LINE_END = r"(?:\r\n|\n|\r(?!\n))"
_BLANK_LINES = re.compile(rf"{LINE_END}[^\S\r\n]*{LINE_END}\s*")
_FAR_EASTERN_SENTENCE = re.compile(r"[^。！？｡]*[。！？｡]+[」』”’）】》]*|[^。！？｡]+")  # noqa: RUF001
_BREAKABLE = re.compile(r"[\s.?!;,()\[\]“”‘’'\"`*:—…/\\–&-]")  # noqa: RUF001
_WINDOW_BREAKS = ("\n\n", "\n", "。", ". ", " ")

# semchunk looks at a text once for each rank of separator in it. A window bounds that, and with it its recursion.
_WINDOW_CHUNKS = 8
_CLUSTER_LIMIT = 64
_JOINER = "\u200d"


def trim(text: str, start: int, end: int) -> Span:
    """The span without the white space at its ends; empty (``start == end``) where that is all there is."""
    piece = text[start:end]
    stripped = piece.lstrip()
    start += len(piece) - len(stripped)
    return start, start + len(stripped.rstrip())


def paragraphs(text: str, start: int, end: int) -> Iterator[Span]:
    """The trimmed spans between blank lines."""
    for gap in _BLANK_LINES.finditer(text, start, end):
        span = trim(text, start, gap.start())
        if span[0] < span[1]:
            yield span
        start = gap.end()
    span = trim(text, start, end)
    if span[0] < span[1]:
        yield span


def pack(text: str, units: Iterable[Span], size: int) -> Iterator[Span]:
    """Joins neighbouring units while they fit into ``size`` characters; a unit that does not fit alone is split."""
    current: Span | None = None
    for unit in units:
        pieces = (unit,) if unit[1] - unit[0] <= size else split(text, *unit, size)
        for start, end in pieces:
            if current is None:
                current = (start, end)
            elif end - current[0] <= size:
                current = (current[0], end)
            else:
                yield current
                current = (start, end)
    if current is not None:
        yield current


def split(text: str, start: int, end: int, size: int) -> Iterator[Span]:
    """Cuts a span into trimmed spans of at most ``size`` characters, at the best boundaries near.

    Time is linear in the span for a given size.
    """
    window = _WINDOW_CHUNKS * size
    while end - start > window:
        cut = _window_end(text, start, start + window)
        yield from _split_window(text, start, cut, size)
        start = cut
    yield from _split_window(text, start, end, size)


def _window_end(text: str, start: int, end: int) -> int:
    for mark in _WINDOW_BREAKS:
        found = text.rfind(mark, start + (end - start) // 2, end)
        if found >= 0:
            return found + len(mark)
    return _cluster_start(text, end, start)


def _split_window(text: str, start: int, end: int, size: int) -> Iterator[Span]:
    cuts = [*sorted({*_starts(text, start, end, size), start}), end]
    for left, right in pairwise(cuts):
        first, last = trim(text, left, right)
        while last - first > size:
            cut = _cluster_start(text, first + size, first)
            yield trim(text, first, cut)
            first, last = trim(text, cut, last)
        if first < last:
            yield first, last


def _starts(text: str, start: int, end: int, size: int) -> Iterator[int]:
    """Where the pieces of a window should start. Sentences of scripts without spaces first: semchunk sees none."""
    window = text[start:end]
    for sentence in _FAR_EASTERN_SENTENCE.finditer(window):
        left = start + sentence.start()
        yield left
        piece = sentence.group()
        if len(piece) > size and _BREAKABLE.search(piece):
            _, offsets = semantic_chunks(piece, size, len, memoize=False, offsets=True)
            for offset, _ in cast(list[Span], offsets):
                yield _cluster_start(text, left + offset, left)


def _cluster_start(text: str, cut: int, floor: int) -> int:
    """The nearest place at or before ``cut`` that does not part a character from its marks and joined emoji."""
    for place in range(cut, max(floor, cut - _CLUSTER_LIMIT), -1):
        if place >= len(text) or not _joins(text, place):
            return place
    return cut


def _joins(text: str, place: int) -> bool:
    here, before = text[place], text[place - 1]
    if here.isascii() or before.isspace():
        return False
    if here == _JOINER or before == _JOINER or "\U0001f3fb" <= here <= "\U0001f3ff":
        return True
    if unicodedata.category(here).startswith("M"):
        return True
    return _is_flag_letter(here) and _flag_letters_before(text, place) % 2 == 1


def _is_flag_letter(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _flag_letters_before(text: str, place: int) -> int:
    count = 0
    while count < _CLUSTER_LIMIT and place - count > 0 and _is_flag_letter(text[place - 1 - count]):
        count += 1
    return count
