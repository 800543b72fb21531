"""The times of which records tell, as rows of an index.

They are read from the text, so that a better reading may replace them: they are no part of a record's spine, whose
event times only a derivation fills.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from muniment.extraction.time.events import event_times


@dataclass(frozen=True, slots=True)
class Telling:
    """A record's text, when and in which zone (minutes east of UTC) it was said, and its language."""

    space_id: int
    record_no: int
    text: str
    said_at: datetime | None
    said_offset: int | None
    language: str


def time_columns(tellings: Iterable[Telling]) -> dict[str, Any]:
    """The columns of the statement that stores the times of records; empty where none tells of a time."""
    rows = [
        (telling, ordinal, time)
        for telling in tellings
        for ordinal, time in enumerate(
            event_times(telling.text, telling.said_at, telling.said_offset, telling.language)
        )
    ]
    if not rows:
        return {}
    return {
        "records": [telling.record_no for telling, _, _ in rows],
        "ordinals": [ordinal for _, ordinal, _ in rows],
        "spaces": [telling.space_id for telling, _, _ in rows],
        "froms": [time.start for _, _, time in rows],
        "tos": [time.end for _, _, time in rows],
        "grains": [time.grain for _, _, time in rows],
        "expressions": [time.expression for _, _, time in rows],
    }
