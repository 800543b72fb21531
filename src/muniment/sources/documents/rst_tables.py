"""The tables of reStructuredText: those drawn with bars and plus signs, and those between rows of equal signs."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from muniment.sources.parsed import Span
from muniment.sources.splitting import LINE_END, paragraphs, trim
from muniment.sources.text_tables import TextTable, Unit

_LINE: Final = re.compile(LINE_END)
_GRID: Final = re.compile(r"\+(?:-+\+)+")
_GRID_HEAD: Final = re.compile(r"\+(?:=+\+)+")
_BORDER: Final = re.compile(r"=+(?:[ ]+=+)+")
_GAP: Final = re.compile(r"[ \t]{2,}")


@dataclass(frozen=True, slots=True)
class _Line:
    """A line without its end and the white space around it, and its indentation."""

    span: Span
    text: str
    indent: int


def with_tables(text: str, start: int, end: int) -> Iterator[Unit]:
    """The paragraphs of a section, and its tables apart. Cost: linear in the section."""
    lines = list(_lines(text, start, end))
    at = start
    number = 0
    while number < len(lines):
        fresh = number == 0 or not lines[number - 1].text
        behind = _table_end(lines, number) if fresh else None
        if behind is None:
            number += 1
            continue
        yield from _paragraphs(text, at, lines[number].span[0])
        yield _grid(lines[number:behind]) if lines[number].text[0] == "+" else _simple(lines[number:behind])
        at, number = lines[behind - 1].span[1], behind
    yield from _paragraphs(text, at, end)


def _paragraphs(text: str, start: int, end: int) -> Iterator[Span]:
    first, last = trim(text, start, end)
    if first < last:
        yield from paragraphs(text, first, last)


def _lines(text: str, start: int, end: int) -> Iterator[_Line]:
    for stop, behind in [*((found.start(), found.end()) for found in _LINE.finditer(text, start, end)), (end, end)]:
        span = trim(text, start, stop)
        yield _Line(span, text[slice(*span)], span[0] - start)
        start = behind


def _table_end(lines: Sequence[_Line], first: int) -> int | None:
    """The number behind the last line of a table that begins with a line; None where none does."""
    if _GRID.fullmatch(lines[first].text):
        behind = first
        while behind < len(lines) and lines[behind].text[:1] in ("+", "|") and lines[behind].text:
            behind += 1
        return behind if behind > first + 2 and _GRID.fullmatch(lines[behind - 1].text) else None
    if _BORDER.fullmatch(lines[first].text) is None:
        return None
    for number in range(first + 1, len(lines)):
        line = lines[number]
        if line.text and line.indent < lines[first].indent:
            return None
        if _BORDER.fullmatch(line.text) and (number + 1 == len(lines) or not lines[number + 1].text):
            return number + 1 if number > first + 1 else None
    return None


def _grid(lines: Sequence[_Line]) -> TextTable:
    """A row reaches down to the line below it; the first one has the line above it, too."""
    head = next((number for number, line in enumerate(lines) if _GRID_HEAD.fullmatch(line.text)), None)
    start = 0 if head is None else head + 1
    rows: list[Span] = []
    for number in range(start, len(lines)):
        if _GRID.fullmatch(lines[number].text) and number > start:
            rows.append((lines[start].span[0], lines[number].span[1]))
            start = number + 1
        elif _GRID.fullmatch(lines[number].text) and head is not None:
            start = number + 1
    if head is None:
        return TextTable(None, tuple(rows))
    return TextTable((lines[0].span[0], lines[head].span[1]), tuple(rows), _names(lines[1:head], "|"))


def _simple(lines: Sequence[_Line]) -> TextTable:
    """A row begins where its first column says something; the last border belongs to the last row."""
    borders = [number for number, line in enumerate(lines) if _BORDER.fullmatch(line.text)]
    head = borders[1] if len(borders) > 2 else None
    width = len(lines[0].text.split(" ", 1)[0])
    rows: list[Span] = []
    for number, line in enumerate(lines):
        if (head is not None and number <= head) or not line.text:
            continue
        begins = line.indent < lines[0].indent + width and number not in borders
        if rows and not begins:
            rows[-1] = (rows[-1][0], line.span[1])
        else:
            rows.append(line.span)
    if head is None:
        if len(rows) > 1:  # the border above the first row is no row
            rows[:2] = [(rows[0][0], rows[1][1])]
        return TextTable(None, tuple(rows))
    return TextTable((lines[0].span[0], lines[head].span[1]), tuple(rows), _names(lines[1:head], None))


def _names(lines: Sequence[_Line], bar: str | None) -> str:
    """The words of a header, column by column where it has one line."""
    rows = [[" ".join(cell.split()) for cell in (line.text.strip("|").split(bar) if bar else _GAP.split(line.text))]
            for line in lines]  # fmt: skip
    if rows and all(len(row) == len(rows[0]) for row in rows):
        return " | ".join(" ".join(filter(None, cells)) for cells in zip(*rows, strict=True))
    return " | ".join(cell for row in rows for cell in row if cell)
