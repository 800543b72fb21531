"""Times as callers write them, and commits as the times at which the log is read."""

import re
from datetime import datetime, timedelta
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator
from pydantic_core import PydanticCustomError

from muniment.errors import MunimentError

_FARTHEST_ZONE: Final = timedelta(hours=15, minutes=59)  # PostgreSQL's own; beyond 14 hours there is none
_NUMBER: Final = re.compile(r"\s*[+-]?[0-9.]+\s*")


def with_zone(value: datetime) -> datetime:
    """The time itself; raises ``input.time_without_zone``, and ``input.time_invalid`` for a zone that there is not."""
    if value.tzinfo is None:
        raise MunimentError("input.time_without_zone", "a time of the request has no zone; write 2026-11-29T12:00:00Z")
    offset = value.utcoffset()
    if offset is None or abs(offset) > _FARTHEST_ZONE:
        raise MunimentError("input.time_invalid", "a time of the request has a zone more than 15:59 from UTC")
    return value


def commit_known(asked: int | None, head: int) -> int:
    """The commit as of which the log is read: the one asked for, else its ``head``; raises ``input.invalid``."""
    if asked is not None and asked > head:
        raise MunimentError("input.invalid", f"known_at is {asked}; the last commit is {head}", limit=head)
    return head if asked is None else asked


def _no_number(value: Any) -> Any:
    if isinstance(value, bool | int | float) or (isinstance(value, str) and _NUMBER.fullmatch(value)):
        raise PydanticCustomError("datetime_from_number", "a number is no time")  # seconds or milliseconds: a guess
    return value


WrittenTime = Annotated[datetime, BeforeValidator(_no_number)]
"""A time in ISO 8601, never a number of seconds."""
Moment = Annotated[WrittenTime, AfterValidator(with_zone)]
"""Such a time that has its zone."""
