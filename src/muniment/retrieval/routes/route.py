"""What a route is."""

from dataclasses import dataclass
from typing import Protocol

from muniment.retrieval.state import Found, Search


class Finder(Protocol):
    """Finds candidates, best first, in the search's scope; may raise MunimentError."""

    async def __call__(self, search: Search) -> list[Found]: ...


@dataclass(frozen=True, slots=True)
class Route:
    """A route by its name in results. Routes run in the order of the registry; each sees what those before it found."""

    name: str
    find: Finder
    needs_vector: bool = False

    def idle_because(self, search: Search) -> str | None:
        """Why this route has nothing to do here, None where it has."""
        plan = search.planned
        if not plan.spaces:
            return "nothing is visible"
        if plan.within is not None and not plan.within:
            return "the group or session has no records"
        if self.needs_vector and plan.vector is None:
            return "there is no vector of the question"
        return None
