"""The tables of Markdown: a row of names, a row of dashes below it, and rows up to the end of the paragraph."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from muniment.sources.parsed import Span
from muniment.sources.splitting import LINE_END, trim
from muniment.sources.text_tables import TextTable, Unit

_DASHES: Final = re.compile(r"\|?[ \t]*:?-+:?(?:[ \t]*\|[ \t]*:?-+:?)*[ \t]*\|?")  # of a trimmed line
_BAR: Final = re.compile(r"(?<!\\)\|")
_LINE: Final = re.compile(LINE_END)
_LONGEST: Final = 10_000


def with_tables(text: str, start: int, end: int) -> Iterator[Unit]:
    """What a paragraph is made of: the words before its table, if it has one, and the table.

    Cost: linear in the paragraph, of whose first 10,000 characters of each line count.
    """
    lines = _lines(text, start, end)
    for number, (above, below) in enumerate(pairwise(lines), 2):
        dashes = text[slice(*below)][:_LONGEST]
        if "|" not in dashes or _DASHES.fullmatch(dashes) is None:
            continue
        names = _cells(text[slice(*above)][:_LONGEST])
        if len(names) != len(_cells(dashes)):
            continue
        if start < above[0] and (words := trim(text, start, above[0]))[0] < words[1]:
            yield words
        rows = tuple(span for span in lines[number:] if span[0] < span[1])
        yield TextTable((above[0], below[1]), rows, " | ".join(names))
        return
    if (whole := trim(text, start, end))[0] < whole[1]:
        yield whole


def _lines(text: str, start: int, end: int) -> list[Span]:
    """The trimmed spans of lines."""
    lines = []
    for found in _LINE.finditer(text, start, end):
        lines.append(trim(text, start, found.start()))
        start = found.end()
    return [*lines, trim(text, start, end)]


def _cells(line: str) -> list[str]:
    line = line.strip().removeprefix("|")
    if line.endswith("|") and not line.endswith("\\|"):
        line = line[:-1]
    return [" ".join(cell.split()) for cell in _BAR.split(line)]
