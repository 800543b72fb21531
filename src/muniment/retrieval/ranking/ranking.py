"""What a ranking is."""

from collections.abc import Callable
from dataclasses import dataclass

from muniment.retrieval.ranking.facts import Facts, Floats
from muniment.retrieval.ranking.ranked import Ranked, Shares
from muniment.retrieval.state import Search


@dataclass(frozen=True, slots=True)
class Ranking:
    """A ranking by the name that profiles use.

    Both functions are given the search, the facts of the candidates (n), their scores by fusion (n), and the months
    that each term of the question may stand for. ``rank`` scores the candidates; ``shares`` tells of the same scores
    what they are made of, for who asks why.
    """

    name: str
    rank: Callable[[Search, Facts, Floats, list[frozenset[str]]], Ranked]
    shares: Callable[[Search, Facts, Floats, list[frozenset[str]]], Shares]
