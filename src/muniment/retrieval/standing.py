"""How a fact stands, in words for a model: from when to when it holds, and whether it still does."""

from collections.abc import Mapping
from datetime import datetime, time, timedelta, timezone
from typing import Any

_MOMENT = timedelta(microseconds=1)


def standing(row: Mapping[str, Any], at: datetime) -> str:
    """From when to when a fact holds and how it stands at a time: *said 2025-01-10, until 2025-08-19, no longer so*.

    Days are those of the zone in which it was said (``said_offset``, minutes east of UTC), as its words and the records
    tell them. The end of a time that the words tell of is its last day: *on 2027-01-02*, *until 2026-10-31*.
    """
    zone = timezone(timedelta(minutes=row["said_offset"] or 0))
    begin, end = _local(row["valid_from"], zone), _local(row["valid_to"], zone)
    if end is not None and row["basis"] == "event" and not row["ended"] and end.time() == time():
        end -= _MOMENT  # it ends where its last day does
    parts = _days(begin, end, _word(row, at))
    if row["intended"]:
        parts.append("a plan")
    elif row["ended"]:
        parts.append("no longer so")
    elif row["contested"]:
        parts.append("contested")
    return ", ".join(parts)


def _days(begin: datetime | None, end: datetime | None, word: str) -> list[str]:
    if begin is not None and end is not None and word != "said" and begin.date() == end.date():
        return [f"on {begin:%Y-%m-%d}"]
    first = [] if begin is None else [f"{word} {begin:%Y-%m-%d}"]
    return first if end is None else [*first, f"until {end:%Y-%m-%d}"]


def _word(row: Mapping[str, Any], at: datetime) -> str:
    if row["basis"] == "said":
        return "said"
    lasting = row["valid_to"] is None or row["valid_to"] > at >= row["valid_from"]
    return "since" if row["basis"] == "event" and lasting else "from"


def _local(at: datetime | None, zone: timezone) -> datetime | None:
    return None if at is None else at.astimezone(zone)
