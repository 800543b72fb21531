"""What a route is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from muniment.retrieval.state import Found, Search
from muniment.retrieval.supporting import Support


class Finder(Protocol):
    """Finds candidates, best first, in the search's scope; may raise MunimentError."""

    async def __call__(self, search: Search) -> list[Found]: ...


@dataclass(frozen=True, slots=True)
class Route:
    """A route by its name in results. Routes run in the order of the registry; each sees what those before it found.

    ``idle`` adds reasons of the route's own for having nothing to do. A route that finds no log records but documents
    that lead to them is a routing route: by its ``support`` they are replaced before anything else sees them.
    """

    name: str
    find: Finder
    needs_vector: bool = False
    idle: Callable[[Search], str | None] | None = None
    support: Support | None = None

    def idle_because(self, search: Search) -> str | None:
        """Why this route has nothing to do here, None where it has."""
        plan = search.planned
        if not plan.spaces:
            return "nothing is visible"
        if plan.within is not None and not plan.within:
            return "the group or session has no records"
        if self.needs_vector and plan.vector is None:
            return "there is no vector of the question"
        return None if self.idle is None else self.idle(search)
