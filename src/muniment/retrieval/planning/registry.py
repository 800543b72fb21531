"""All planners by the name that profiles use. A new one is a module and a line here."""

from collections.abc import Mapping
from types import MappingProxyType

from muniment.retrieval.planning import rules
from muniment.retrieval.planning.outlook import Planner

PLANNERS: Mapping[str, Planner] = MappingProxyType({"rules": rules.plan})
