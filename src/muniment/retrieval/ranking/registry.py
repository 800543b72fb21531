"""All rankings by the name that profiles use. A new one is a module and a line here."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from muniment.retrieval.ranking import coverage, rerank
from muniment.retrieval.ranking.facts import Facts
from muniment.retrieval.state import Candidate, Search

Ranking = Callable[[Search, Facts, list[Candidate], list[frozenset[str]]], dict[str, Any]]

RANKINGS: Mapping[str, Ranking] = MappingProxyType({"coverage": coverage.rank, "rerank": rerank.rank})
