"""What a request may switch off: each route, and the stages and parts of stages that ranking can do without."""

from collections.abc import Sequence
from typing import Final

from muniment.errors import MunimentError
from muniment.retrieval.routes.registry import ROUTES

PARTS: Final = {
    "gate": "the check of the first list, with all that it may cause",
    "refine": "searching again with words of the first hits",
    "deep_recall": "the wider search that follows where the list is still not good enough",
    "neighbours": "what is said next to a record, counted for it",
    "names": "the persons that the question names",
    "dates": "words of the date on which a record was said",
    "budget": "the limits of what an answer may rest on",
    "model": "the language model that writes the answer, where one is configured",
}


def switches() -> list[str]:
    """All names that ``without`` may hold."""
    return sorted({*PARTS, *(route.name for route in ROUTES)})


def admit_switches(without: Sequence[str]) -> None:
    """Raises ``input.invalid`` for a route or stage that there is not."""
    known = switches()
    for name in without:
        if name not in known:
            raise MunimentError(
                "input.invalid",
                f"without: there is no route or stage {name[:64]!r} to leave out; there are {', '.join(known)}",
                field="without",
                known=known,
            )
