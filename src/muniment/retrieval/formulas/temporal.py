"""The temporal route's score (section 3 of the specification), as the function ``score_times`` computes it.

    s = 0.55 * proximity + 0.35 * overlap + 0.10 * [the record has a time]
        * 0.45 where the question asks when and the record has no time

The time of a record is that of which its text tells; only a record without one counts by when it was said. The
proximity of a moment at distance d from the window that the question names is 1 / (1 + d / unit), 1 inside it, with the
window's own length for the unit, at least a day; that of an interval is the mean over its moments, so that "in 2023" is
far from 9 June 2023 and near to the year; but one of at most 31 days that holds the whole window ("in Lisbon from 10 to
17 April", asked about the 12th) is inside it. Of several times the nearest counts. A record has a time where its text
tells of one: 78 % of what answers LoCoMo's questions that ask when does, of all its turns 9 %. Overlap is the share of
the question's words, by weight, that the record holds: not of its stop words, nor of those that name or ask for a time.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TemporalParameters:
    """The weights; how many records ``near`` the window to score, how many ``also`` of each earlier route, and how many
    the route gives."""

    proximity: float = 0.55
    overlap: float = 0.35
    timed: float = 0.10
    untimed: float = 0.45
    near: int = 500
    also: int = 200
    limit: int = 500

    @property
    def weights(self) -> list[float]:
        """The weights in the order in which ``score_times`` takes them."""
        return [self.proximity, self.overlap, self.timed, self.untimed]
