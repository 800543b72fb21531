"""How a fact stands, in words for a model: from when to when it holds, and whether it still does."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from muniment.extraction.time.told_days import local_days


def standing(row: Mapping[str, Any], at: datetime) -> str:
    """From when to when a fact holds and how it stands at a time: *said 2025-01-10, until 2025-08-19, no longer so*.

    Days are those of the zone in which it was said (``said_offset``, minutes east of UTC), as its words and the records
    tell them. The end of a time that the words tell of is its last day: *on 2027-01-02*, *until 2026-10-31*.
    """
    told = row["basis"] == "event" and not row["ended"]  # else it ended with what took its place, on that day
    days = local_days(row["valid_from"], row["valid_to"], row["said_offset"], told=told)
    parts = _days(*days, _word(row, at))
    if row["ended"]:
        parts.append("no longer so")
    elif row["intended"]:
        parts.append("a plan")
    elif row["contested"]:
        parts.append("contested")
    return ", ".join(parts)


def _days(first: str | None, last: str | None, word: str) -> list[str]:
    if first is not None and first == last and word != "said":
        return [f"on {first}"]
    told = [] if first is None else [f"{word} {first}"]
    return told if last is None else [*told, f"until {last}"]


def _word(row: Mapping[str, Any], at: datetime) -> str:
    if row["basis"] == "said":
        return "said"
    begin, end = row["valid_from"], row["valid_to"]
    lasting = end is None or (end > at and (begin is None or at >= begin))
    return "since" if row["basis"] == "event" and lasting else "from"
