"""The dates that a record's words stand for: "last Friday" is a date to whoever knows when it was said."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from muniment.extraction.time.events import event_times
from muniment.extraction.time.expressions import intervals_in
from muniment.extraction.time.placing import Place, RecordTime, best_place
from muniment.extraction.time.spans import TimeSpan

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


def first_told_of(sentences: Sequence[str], said_at: datetime | None, span: TimeSpan | None) -> int:
    """The place of the first sentence that tells most of the time in the window of ``span``; 0 where none does."""
    if span is None:
        return 0
    offset = None if said_at is None else said_at.utcoffset()
    minutes = 0 if offset is None else int(offset.total_seconds() // 60)
    best, first = Place.APART, 0
    for place, sentence in enumerate(sentences):
        times = event_times(sentence[:_MOST_CHARACTERS], said_at, minutes)
        told = best_place((RecordTime(time.start, time.end, time.grain, minutes) for time in times), span)
        if told > best:
            best, first = told, place
    return first


def _told(first: datetime, last: datetime) -> str:
    if last - first < _DAY:
        return f"{first:%Y-%m-%d %A %B}"
    if last - first < _MONTHS:
        return f"{first:%Y-%m %B} {last:%Y-%m %B}"
    return f"{first:%Y} {last:%Y}"
