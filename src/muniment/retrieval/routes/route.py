"""What a route is."""

from dataclasses import dataclass
from typing import Protocol

from muniment.retrieval.state import Found, Search


class Finder(Protocol):
    """Finds candidates, best first, in a scope of its own; may raise MunimentError."""

    async def __call__(self, search: Search) -> list[Found]: ...


@dataclass(frozen=True, slots=True)
class Route:
    """A route by its name in results. Routes of one ``wave`` run side by side; a later wave sees what earlier found."""

    name: str
    find: Finder
    wave: int = 0
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
