"""What a time expression comes to: an interval, how fine it is, and where in the text it stands."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Grain = Literal["second", "minute", "hour", "day", "week", "month", "quarter", "season", "year", "decade", "century"]
Bound = Literal["in", "before", "after", "since"]


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """The interval [start, end) that ``text``, the characters [first, last) of the whole, stands for.

    ``grain`` is the unit in which it was named. ``bound`` says how the interval limits a time: ``in`` it; ``before``
    its start; ``after`` its end; ``since`` its start. A ``relative`` one was counted from the reference.
    """

    start: datetime
    end: datetime
    text: str
    first: int
    last: int
    grain: Grain
    bound: Bound = "in"
    relative: bool = False

    @property
    def window(self) -> tuple[datetime | None, datetime | None]:
        """The times that the expression allows, from (inclusive) and to (exclusive); None where it is open."""
        if self.bound == "before":
            return None, self.start
        if self.bound == "after":
            return self.end, None
        if self.bound == "since":
            return self.start, None
        return self.start, self.end
