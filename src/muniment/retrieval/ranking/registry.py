"""All rankings by the name that profiles use. A new one is a module and a line here."""

from collections.abc import Mapping
from types import MappingProxyType

from muniment.retrieval.ranking import coverage, rerank
from muniment.retrieval.ranking.ranking import Ranking

RANKINGS: Mapping[str, Ranking] = MappingProxyType({each.name: each for each in (coverage.RANKING, rerank.RANKING)})
