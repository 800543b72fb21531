"""Sheets as grids of cells: the tables on them, and the chunks of those."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import Any

from muniment.errors import MunimentError
from muniment.sources.parsed import Chunk, Origin, Span
from muniment.sources.tables.headers import LOOKED_AT, find_header, headers_field
from muniment.sources.tables.row_groups import RowGroup, joined, row_groups

Cells = dict[int, str]
"""The texts of a row's cells by column, from 0, left to right; only those that have any text."""


@dataclass(slots=True)
class Sheet:
    """A sheet: its rows by number, from 1, in order, and which of them are hidden; and how many formulas it lost."""

    name: str
    rows: dict[int, Cells] = field(default_factory=dict)
    hidden: bool = False
    hidden_rows: set[int] = field(default_factory=set)
    formulas_left_out: int = 0


@dataclass(frozen=True, slots=True)
class Area:
    """A table on a sheet: its columns (first and last), the rows above its header, the header, and the rows below."""

    columns: Span
    above: list[int]
    header: int | None
    below: list[int]


def find_areas(sheet: Sheet) -> Iterator[Area]:
    """The tables of a sheet: what rows and columns without any cell part.

    A row or column that is empty throughout ends a table; where what follows an empty row stands in the same columns
    and begins without a header, it is the same table that goes on.
    """
    open_area: Area | None = None
    for band in _bands(sheet.rows):
        parts = list(_parts(sheet, band))
        if open_area is not None and len(parts) == 1 and _goes_on(sheet, open_area, *parts[0]):
            open_area.below.extend(parts[0][1])
            continue
        if open_area is not None:
            yield open_area
            open_area = None
        areas = [_area(sheet, columns, rows) for columns, rows in parts]
        if len(areas) == 1 and areas[0].header is not None:
            open_area = areas[0]
        else:
            yield from areas
    if open_area is not None:
        yield open_area


def sheet_chunks(sheet: Sheet, origin: Origin, title: str | None, first: int) -> Iterator[Chunk]:
    """The chunks of a sheet's tables, numbered from ``first``.

    Raises ``input.too_large`` where the text of the tables grows over ``max_expanded_bytes``, as it does where few
    words are referred to by very many cells.
    """
    count, size = first, origin.settings.chunk_characters
    base = origin.fields() | ({"title": title} if title else {}) | {"sheet": sheet.name}
    budget = _Budget(origin.settings.max_expanded_bytes)
    budget.spend(sum(len(text) for cells in sheet.rows.values() for text in cells.values()))
    for area in find_areas(sheet):
        header = [] if area.header is None else [area.header]
        named = headers_field(list(_within(sheet.rows[area.header], area.columns))) if area.header else {}
        below = _texts(sheet, area.below, area.columns, budget)
        for group in chain(
            row_groups([], _texts(sheet, area.above, area.columns, budget), size),
            row_groups(list(_texts(sheet, header, area.columns, budget)), below, size),
        ):
            place = _place(sheet, area, group) | {"chunk": count}
            rows = "-".join(str(number) for number in dict.fromkeys(group.rows))
            yield Chunk(
                group.text, origin.place() | place, base | named | {"row": rows}, metadata=_marks(sheet, group.rows)
            )
            count += 1


def locate_cells(sheet: Sheet, locator: Mapping[str, Any]) -> str:
    """The text of the cells that a locator names by ``cells`` and ``header``."""

    def within(cells: str) -> list[tuple[int, str]]:
        (left, first), (right, last) = parse_range(cells)
        numbers = (number for number in sheet.rows if first <= number <= last)
        return list(_texts(sheet, numbers, (left, right), _Budget(2**62)))

    header = within(locator["header"]) if "header" in locator else []
    return joined(header, within(locator["cells"]), locator.get("chars"))


@dataclass(slots=True)
class _Budget:
    limit: int
    spent: int = 0

    def spend(self, count: int) -> None:
        self.spent += count
        if self.spent > self.limit:
            detail = f"The text of the cells has more than {self.limit} characters."
            raise MunimentError("input.too_large", detail, limit=self.limit, setting="MUNIMENT_MAX_EXPANDED_BYTES")


def _bands(rows: Iterable[int]) -> Iterator[list[int]]:
    """Runs of row numbers without a gap."""
    for _, run in groupby(enumerate(rows), key=lambda pair: pair[1] - pair[0]):
        yield [number for _, number in run]


def _parts(sheet: Sheet, band: Sequence[int]) -> Iterator[tuple[Span, list[int]]]:
    """The parts of a band that columns without any cell divide, each with its columns and rows."""
    used = sorted({column for number in band for column in sheet.rows[number]})
    for _, run in groupby(enumerate(used), key=lambda pair: pair[1] - pair[0]):
        columns = [column for _, column in run]
        span = (columns[0], columns[-1])
        if len(used) == len(columns):
            yield span, list(band)
        else:
            wanted = set(columns)
            yield span, [number for number in band if not wanted.isdisjoint(sheet.rows[number])]


def _goes_on(sheet: Sheet, area: Area, columns: Span, rows: Sequence[int]) -> bool:
    inside = area.columns[0] <= columns[0] and columns[1] <= area.columns[1]
    return inside and columns[1] > columns[0] and _header(sheet, columns, rows) is None


def _area(sheet: Sheet, columns: Span, rows: list[int]) -> Area:
    at = _header(sheet, columns, rows)
    if at is None:
        return Area(columns, [], None, rows)
    return Area(columns, rows[:at], rows[at], rows[at + 1 :])


def _header(sheet: Sheet, columns: Span, rows: Sequence[int]) -> int | None:
    top = [list(_within(sheet.rows[number], columns)) for number in rows[: LOOKED_AT + 1]]
    return find_header(top)


def _within(cells: Cells, columns: Span) -> Iterator[str]:
    return (text for column, text in cells.items() if columns[0] <= column <= columns[1])


def _texts(sheet: Sheet, rows: Iterable[int], columns: Span, budget: _Budget) -> Iterator[tuple[int, str]]:
    """The rows that have any text, each with its cells between bars; empty ones are kept up to the last that is not."""
    left, right = columns
    for number in rows:
        parts: list[str] = []
        at = left
        for column, text in sheet.rows[number].items():
            if left <= column <= right:
                parts += ["" for _ in range(at, column)]
                parts.append(text)
                at = column + 1
        if parts:
            budget.spend(3 * len(parts))  # what stands between the cells, which may be many more than there are texts
            yield number, " | ".join(parts).strip()


def _place(sheet: Sheet, area: Area, group: RowGroup) -> dict[str, Any]:
    left, right = area.columns
    first, last = group.rows
    place: dict[str, Any] = {"sheet": sheet.name, "cells": cell_range(left, first, right, last), "rows": [first, last]}
    if group.header is not None:
        place["header"] = cell_range(left, group.header[0], right, group.header[1])
    if group.chars is not None:
        place["chars"] = list(group.chars)
    return place


def _marks(sheet: Sheet, rows: Span) -> dict[str, Any]:
    marks: dict[str, Any] = {"hidden_sheet": True} if sheet.hidden else {}
    if sheet.hidden_rows:
        hidden = [str(number) for number in range(rows[0], rows[1] + 1) if number in sheet.hidden_rows]
        if hidden:
            marks["hidden_rows"] = ", ".join(hidden[:50])
    return marks


def column_name(column: int) -> str:
    """The letters of a column, which counts from 0."""
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def cell_range(left: int, first: int, right: int, last: int) -> str:
    """A range as sheets have it, as ``A2:F20``; columns count from 0, rows from 1."""
    return f"{column_name(left)}{first}:{column_name(right)}{last}"


def parse_cell(name: str) -> tuple[int, int]:
    """The column, from 0, and row, from 1, of a cell's name; raises ``ValueError`` for what is none."""
    letters = name.rstrip("0123456789")
    if not letters.isascii() or not letters.isalpha() or not 0 < len(letters) <= 3 or len(name) - len(letters) > 7:
        raise ValueError(name)
    column = 0
    for letter in letters.upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return column - 1, int(name[len(letters) :])


def parse_range(cells: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """The first and last cell of a range, each as column and row."""
    first, _, last = cells.partition(":")
    return parse_cell(first), parse_cell(last or first)
