"""All rankings by the name that profiles use. A new one is a module and a line here."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from muniment.retrieval.ranking import coverage, rerank
from muniment.retrieval.ranking.facts import Facts, Floats
from muniment.retrieval.ranking.ranked import Ranked, Shares
from muniment.retrieval.state import Search

Ranking = Callable[[Search, Facts, Floats, list[frozenset[str]]], Ranked]

Sharing = Callable[[Search, Facts, Floats, list[frozenset[str]]], Shares]

RANKINGS: Mapping[str, Ranking] = MappingProxyType({"coverage": coverage.rank, "rerank": rerank.rank})
SHARES: Mapping[str, Sharing] = MappingProxyType({"coverage": coverage.shares, "rerank": rerank.shares})
"""How each ranking tells what its scores are made of."""
