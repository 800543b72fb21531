"""Where a time of a record lies beside the one that a question names: in it, partly in it, or far around it.

Days and whatever is longer are compared as calendars show them, each in its own zone: 3 April is 3 April wherever it
was said. Two times of the clock are compared as moments.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from typing import Final

from muniment.extraction.time.spans import Grain, TimeSpan

_CLOCK: Final[frozenset[Grain]] = frozenset({"second", "minute", "hour"})
_STAY: Final = timedelta(days=31)  # a time of no more that holds the whole window is in it, as for ``time_proximity``
_WIDEST: Final = 14  # windows: a week in a quarter, a month in a year, a year in a decade


class Place(IntEnum):
    """How well a time tells of a window; the highest is the best."""

    APART = 0
    AROUND = 1  # so much longer that it says next to nothing of the window
    PARTLY = 2  # longer, or only partly in it
    INSIDE = 3


@dataclass(frozen=True, slots=True)
class RecordTime:
    """A time [start, end) of a record, of no length where it is when the record was said, which has no ``grain``.
    ``offset`` is the zone in which it was said, in minutes east of UTC."""

    start: datetime
    end: datetime
    grain: Grain | None
    offset: int


def place_of(time: RecordTime, span: TimeSpan) -> Place:
    """Where the time lies beside the window of ``span``."""
    first, last = span.window
    by_clock = span.grain in _CLOCK and (time.grain is None or time.grain in _CLOCK)
    try:
        start, end = (_shown(moment, None if by_clock else time.offset) for moment in (time.start, time.end))
        lower = datetime.min if first is None else _edge(first, by_clock=by_clock)
        upper = datetime.max if last is None else _edge(last, by_clock=by_clock)
    except OverflowError:  # at the ends of the years that datetime knows
        return Place.APART
    if start == end:
        return Place.INSIDE if lower <= start < upper else Place.APART
    holds, length = start <= lower and end >= upper, end - start
    if (start >= lower and end <= upper) or (holds and length <= _STAY):
        return Place.INSIDE
    if start >= upper or end <= lower:
        return Place.APART
    return Place.PARTLY if length <= _WIDEST * max(upper - lower, timedelta(days=1)) else Place.AROUND


def best_place(times: Iterable[RecordTime], span: TimeSpan) -> Place:
    """The place of the time that tells most of the window."""
    return max((place_of(time, span) for time in times), default=Place.APART)


def _shown(moment: datetime, offset: int | None) -> datetime:
    """What a calendar of that zone shows; of UTC without one."""
    return moment.astimezone(UTC).replace(tzinfo=None) + timedelta(minutes=offset or 0)


def _edge(moment: datetime, *, by_clock: bool) -> datetime:
    return _shown(moment, None) if by_clock else moment.replace(tzinfo=None)
