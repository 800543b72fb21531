"""The planner by rules: cues in the question's words, no model."""

from collections.abc import Sequence
from datetime import datetime

from muniment.model.filters import Modality
from muniment.retrieval.participants import in_first_person, speakers_named
from muniment.retrieval.planning.intent import intent_of
from muniment.retrieval.planning.modality import balance_of, modalities_named
from muniment.retrieval.planning.outlook import Outlook


async def plan(question: str, *, asked_at: datetime, speakers: Sequence[str], held: Sequence[Modality]) -> Outlook:
    """The outlook by rules. Linear in the question and the speakers; ``asked_at`` is not needed."""
    intent, why = intent_of(question)
    named = modalities_named(question, held)
    return Outlook(
        intent=intent,
        modalities=named,
        balance=balance_of(named, held),
        why=why,
        named=speakers_named(question, speakers),
        first_person=in_first_person(question),
    )
