"""What a planner says of a question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from muniment.model.filters import Modality

Intent = Literal["multi_hop", "inference", "temporal", "list", "fact"]


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a question asks for.

    ``modalities`` are those that it names and that the visible store holds. ``balance`` is the name of a set of route
    weights, ``why`` the words that decided the intent (None for the default). ``named`` are the speakers that it names,
    with the names as they stand there.
    """

    intent: Intent
    modalities: tuple[Modality, ...]
    balance: str
    why: str | None
    named: Mapping[str, str]
    first_person: bool


class Planner(Protocol):
    """Looks at a question: rules, a classifier, or a model. Pure but for what it was made with."""

    async def __call__(
        self, question: str, *, asked_at: datetime, speakers: Sequence[str], held: Sequence[Modality]
    ) -> Outlook:
        """``speakers`` take part in what is visible; ``held`` are the modalities there. May raise MunimentError."""
        ...
