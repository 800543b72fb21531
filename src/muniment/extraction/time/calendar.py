"""Calendar arithmetic on local times without a zone: units, the interval of a unit, and steps of units.

Weeks begin on Monday. Seasons are the meteorological ones of the northern hemisphere (spring is March to May), and the
winter of a year is the one that begins in it. All functions raise ``ValueError`` or ``OverflowError`` beyond the years
that ``datetime`` knows.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from muniment.extraction.time.spans import Grain

_MONTHS: Final[dict[Grain, int]] = {
    "month": 1, "quarter": 3, "season": 3, "year": 12, "decade": 120, "century": 1200,
}  # fmt: skip
_FIXED: Final[dict[Grain, timedelta]] = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
}
_ORDER: Final[tuple[Grain, ...]] = (*_FIXED, *_MONTHS)
DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Interval:
    """[start, end) in local time. ``relative`` says that it was counted from the reference."""

    start: datetime
    end: datetime
    grain: Grain
    relative: bool = False


def move(moment: datetime, grain: Grain, count: int) -> datetime:
    """``count`` units later; a day that the month does not have becomes its last."""
    if grain in _FIXED:
        return moment + _FIXED[grain] * count
    year, month = divmod(moment.year * 12 + moment.month - 1 + _MONTHS[grain] * count, 12)
    for day in range(moment.day, 0, -1):
        try:
            return moment.replace(year=year, month=month + 1, day=day)
        except ValueError:
            if day <= 28:
                raise
    raise ValueError("no such day")


def midnight(moment: datetime) -> datetime:
    """The beginning of the day."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def unit_at(grain: Grain, moment: datetime, *, relative: bool = True) -> Interval:
    """The unit that holds the moment."""
    start = _start(grain, moment)
    return Interval(start, move(start, grain, 1), grain, relative)


def _start(grain: Grain, moment: datetime) -> datetime:
    if grain == "second":
        return moment.replace(microsecond=0)
    if grain == "minute":
        return moment.replace(second=0, microsecond=0)
    if grain == "hour":
        return moment.replace(minute=0, second=0, microsecond=0)
    day = midnight(moment)
    if grain == "day":
        return day
    if grain == "week":
        return day - DAY * day.weekday()
    first = day.replace(day=1)
    if grain == "month":
        return first
    if grain == "quarter":
        return first.replace(month=first.month - (first.month - 1) % 3)
    if grain == "season":
        return move(first, "month", -(first.month % 3))
    year = first.year if grain == "year" else first.year - first.year % (10 if grain == "decade" else 100)
    return first.replace(year=year, month=1)


def weekend_at(moment: datetime) -> Interval:
    """The Saturday and Sunday of the moment's week."""
    monday = _start("week", moment)
    return Interval(monday + 5 * DAY, monday + 7 * DAY, "day", True)


def third(interval: Interval, which: int) -> Interval:
    """The first (0), middle (1) or last (2) third of an interval, to the day."""
    days = (interval.end - interval.start).days
    if days < 3:
        return interval
    start = interval.start + DAY * (days * which // 3)
    end = interval.start + DAY * (days * (which + 1) // 3)
    return Interval(start, end, interval.grain, interval.relative)


def finer(one: Grain, other: Grain) -> bool:
    """Whether the first unit is shorter than the second."""
    return _ORDER.index(one) < _ORDER.index(other)


def away(base: Interval, grain: Grain, least: int, most: int, side: int) -> Interval:
    """``least`` to ``most`` units before (-1) or after (1) an interval; of a long one from its near edge."""
    counts = (-most, -least) if side < 0 else (least, most)
    if finer(grain, base.grain) and base.grain not in ("day", "hour", "minute", "second", "week"):
        edge = base.start if side < 0 else base.end
        first, last = (counts[0], counts[1] + 1) if side < 0 else (counts[0] - 1, counts[1])
        return Interval(move(edge, grain, first), move(edge, grain, last), grain, base.relative)
    return Interval(move(base.start, grain, counts[0]), move(base.end, grain, counts[1]), base.grain, base.relative)
