"""The deadline of a search: how much time each part of it may still take."""

import time
from dataclasses import dataclass, field

from muniment.database.pool import Scope

ROUTES_SHARE = 0.65
RANKING_SHARE = 0.9
_LEAST_SECONDS = 0.02
_IGNORED_SHARE = 0.05
_AMPLE_SECONDS = 1.0
_PLANNING_SECONDS = 0.25


@dataclass(slots=True)
class Deadline:
    """``seconds`` from ``start`` (of ``time.perf_counter``). Routes end at 65 % of it and ranking at 90 %, so that what
    was found by then is still ranked, read and answered with."""

    seconds: float
    start: float = field(default_factory=time.perf_counter)
    _limit: float = 0.0

    def remaining(self, share: float = 1.0) -> float:
        """Seconds until ``share`` of the time is used up, never less than a statement needs."""
        return max(_LEAST_SECONDS, self.seconds * share - (time.perf_counter() - self.start))

    def passed(self, share: float = 1.0) -> bool:
        """Whether ``share`` of the time is used up."""
        return time.perf_counter() - self.start >= self.seconds * share

    async def bound(self, scope: Scope, share: float = 1.0, *, least: float = 0.0) -> None:
        """Lets each statement that follows in this transaction run no longer than what remains.

        ``least`` seconds are left to it in any case. Nothing is sent while the limit in force is too long by no more
        than 5 % of the time, or is not in the way: most searches end long before.
        """
        remaining = max(least, self.remaining(share))
        too_long = self._limit - remaining > _IGNORED_SHARE * self.seconds
        too_short = self._limit < _AMPLE_SECONDS and self._limit < remaining / 2
        if too_long or too_short:
            await scope.execute("scope.limit", milliseconds=max(1, int(1000 * remaining)))
            self._limit = remaining

    def forget(self) -> None:
        """The limit in force is not known any more: a rollback has undone it."""
        self._limit = float("inf")

    def extend(self, seconds: float) -> None:
        """Leaves as much time as before, after so many seconds that are nobody's here."""
        self.seconds += seconds

    def opening(self) -> float:
        """The limit, in seconds, to open the scope with; planning has at least a quarter of a second."""
        self._limit = max(_PLANNING_SECONDS, self.seconds * ROUTES_SHARE)
        return self._limit
