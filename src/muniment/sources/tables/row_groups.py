"""Row groups: the rows of a table joined up to the chunk size, each group with the table's header repeated."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from muniment.sources.parsed import Span
from muniment.sources.splitting import split, trim

Row = tuple[int, str]
"""A row's number and its text, which is not empty."""


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows that make one chunk: ``rows`` are the first and last number.

    ``header`` are the first and last row of the header that the text repeats, None where it repeats none. ``chars`` is
    set where the group is a piece of one row that is too long: it is the range in that row's text.
    """

    text: str
    rows: Span
    header: Span | None = None
    chars: Span | None = None


def row_groups(header: Sequence[Row], rows: Iterable[Row], size: int) -> Iterator[RowGroup]:
    """The groups of a table, of at most ``size`` characters. Time is linear in the text for a given size.

    A header that takes more than half of a group is not repeated: its rows come first, as rows. So do those of a table
    that has nothing else.
    """
    head = "\n".join(text for _, text in header)
    repeated = bool(header) and len(head) <= size // 2
    any_row = False
    if not repeated:
        yield from _groups("", None, header, size)
    else:
        place = (header[0][0], header[-1][0])
        for group in _groups(head, place, rows, size):
            any_row = True
            yield group
        if not any_row:
            yield from _groups("", None, header, size)
        return
    yield from _groups("", None, rows, size)


def _groups(head: str, header: Span | None, rows: Iterable[Row], size: int) -> Iterator[RowGroup]:
    taken: list[str] = []
    first = last = length = 0
    for number, text in rows:
        if taken and length + 1 + len(text) > size:
            yield RowGroup("\n".join(taken), (first, last), header)
            taken = []
        if not taken:
            if len(text) + (len(head) + 1 if head else 0) > size:
                yield from _pieces(number, text, size)
                continue
            taken, first, length = [head] if head else [], number, len(head) if head else -1
        taken.append(text)
        last = number
        length += 1 + len(text)
    if taken:
        yield RowGroup("\n".join(taken), (first, last), header)


def _pieces(number: int, text: str, size: int) -> Iterator[RowGroup]:
    """A row that does not fit beside the header, without it."""
    whole = trim(text, 0, len(text))
    for start, end in split(text, *whole, size):
        chars = None if (start, end) == (0, len(text)) else (start, end)
        yield RowGroup(text[start:end], (number, number), None, chars)


def joined(header: Iterable[Row], rows: Iterable[Row], chars: Sequence[int] | None = None) -> str:
    """The text of a group from its rows: the other way round than ``row_groups``."""
    text = "\n".join(text for _, text in (*header, *rows))
    return text if chars is None else text[chars[0] : chars[1]]
