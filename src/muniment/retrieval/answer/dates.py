"""The dates that a record's words stand for: "last Friday" is a date to whoever knows when it was said."""

from datetime import datetime, timedelta

from muniment.extraction.time.expressions import intervals_in

_MOST_CHARACTERS = 20_000
_MOST_DATES = 64
_DAY = timedelta(days=1)
_MONTHS = timedelta(days=300)
_MOMENT = timedelta(microseconds=1)


def dates_told(text: str, said_at: datetime | None) -> list[str]:
    """When the text was said, and the times that it tells of, each as exactly as it is known and no more exactly.

    A day is told with its weekday and month by name, a longer time by its months or its year. Of a text without a time
    of its own there is nothing to tell: what its dates say stands in it.
    """
    if said_at is None:
        return []
    spans = intervals_in(text[:_MOST_CHARACTERS], said_at)[:_MOST_DATES]
    return [f"{said_at:%Y-%m-%d %H:%M %A %B}", *(_told(span.start, span.end - _MOMENT) for span in spans)]


def _told(first: datetime, last: datetime) -> str:
    if last - first < _DAY:
        return f"{first:%Y-%m-%d %A %B}"
    if last - first < _MONTHS:
        return f"{first:%Y-%m %B} {last:%Y-%m %B}"
    return f"{first:%Y} {last:%Y}"
