"""The stages of a search and of a question, in their order. A new stage is one function and one line here."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from muniment.retrieval.answer import grounded
from muniment.retrieval.budget import fit_budget
from muniment.retrieval.gate import Gate
from muniment.retrieval.grounding import ground
from muniment.retrieval.ordering import Ordering
from muniment.retrieval.plan import make_plan
from muniment.retrieval.routing import run_routes
from muniment.retrieval.state import Search


@dataclass(frozen=True, slots=True)
class Stage:
    """A step: ``run`` fills the search and returns what it decided and the numbers of the decision.

    One that is not ``connected`` waits for somebody else, and no database connection waits with it.
    """

    name: str
    run: Callable[[Search], Awaitable[tuple[str, dict[str, Any]]]]
    connected: bool = True


def search_stages() -> tuple[Stage, ...]:
    """The stages of a search. They keep what they may between searches, so that an engine makes them once."""
    ordering = Ordering()
    return (
        Stage("plan", make_plan),
        Stage("routes", run_routes),
        Stage("rank", ordering.run),
        Stage("gate", Gate(ordering).run),
        Stage("ground", ground),
    )


def query_stages(*, model: bool = False) -> tuple[Stage, ...]:
    """The stages of a question: those of a search, then the budget and the answer, where there is one by a model."""
    asking = (Stage("model", grounded.ask_model, connected=False),) if model else ()
    return (*search_stages(), Stage("budget", fit_budget), *asking, Stage("answer", grounded.answer))
