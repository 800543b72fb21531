"""What a search knows while it runs: the plan, what each route found, the candidates, the evidence, and its trace."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from muniment.database.pool import Scope
from muniment.model.namespace import Namespace
from muniment.model.result import Citation
from muniment.providers.embedding import Embedder
from muniment.retrieval.profile import Profile
from muniment.settings import Settings


@dataclass(frozen=True, slots=True)
class Tools:
    """What the stages work with. ``model_no`` is the registry number of the embedder's model."""

    embedder: Embedder | None
    model_no: int | None
    settings: Settings


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the question: its weight there, and how many visible documents hold it."""

    term: str
    weight: float
    documents: int
    idf: float


@dataclass(slots=True)
class Plan:
    """What a question comes to before anything is searched for.

    ``named`` are the speakers that it names, with the names as they stand there. ``within`` are the records that a
    group or session leaves to search, None where nothing narrows the search.
    """

    head: int
    known_at: int
    spaces: list[int]
    pending: int
    named: dict[str, str]
    first_person: bool
    terms: list[Term] = field(default_factory=list)
    documents: int = 0
    total_length: int = 0
    embedded_text: str = ""
    vector: list[float] | None = None
    within: list[int] | None = None

    @property
    def mean_length(self) -> float:
        """The mean length of the visible documents in tokens, at least 1."""
        return max(self.total_length, 1) / max(self.documents, 1)

    @property
    def held(self) -> list[Term]:
        """The question's terms that the visible spaces hold."""
        return [term for term in self.terms if term.documents > 0]


@dataclass(frozen=True, slots=True)
class Found:
    """A record that a route found, with the route's own score."""

    record_no: int
    score: float


@dataclass(slots=True)
class Candidate:
    """A record on its way to a hit. ``score`` orders the list, ``hit_score`` is what the caller sees."""

    record_no: int
    group_no: int
    score: float
    hit_score: float


@dataclass(slots=True)
class Evidence:
    """A candidate grounded in its log record: the record itself, live at the commit the question is about."""

    candidate: Candidate
    record_id: UUID
    text: str
    locator: dict[str, Any]
    source_id: UUID
    source_key: str
    source_version: int
    group_key: str
    position: int
    speaker: str | None
    role: str | None
    at: datetime | None
    metadata: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StageRecord:
    """One step as it is stored: its name, what it decided in a few words, the numbers, and how long it took."""

    name: str
    decision: str | None
    detail: dict[str, Any]
    duration_ms: float


@dataclass(slots=True)
class Search:
    """One search or question from start to end. Stages read and fill it in their order, all in one transaction."""

    tools: Tools
    scope: Scope
    tenant: int
    profile: Profile
    mode: Literal["search", "query"]
    question: str
    namespace: Namespace
    top_k: int
    group_id: str | None
    requested_known_at: int | None
    query_id: UUID
    started_at: datetime
    clock: float = field(default_factory=time.perf_counter)
    plan: Plan | None = None
    embedding: asyncio.Task[list[list[float]]] | None = None
    found: dict[str, list[Found]] = field(default_factory=dict)
    candidates: list[Candidate] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    best_cosine: float | None = None
    answerability: float | None = None
    speaker_gap: float = 0.0
    answer: str | None = None
    abstain: bool | None = None
    citations: list[Citation] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    trace: list[StageRecord] = field(default_factory=list)

    @property
    def planned(self) -> Plan:
        """The plan; there is one from the first stage on."""
        if self.plan is None:
            raise RuntimeError("the search has not been planned")
        return self.plan

    def note(self, text: str) -> None:
        """Says in the result why it is less than the whole answer; the same thing once."""
        if text not in self.notes:
            self.notes.append(text)

    def elapsed_ms(self) -> float:
        """Milliseconds since the search began."""
        return (time.perf_counter() - self.clock) * 1000


def ranking(found: Sequence[Found]) -> list[int]:
    """The record numbers of what a route found, best first."""
    return [item.record_no for item in found]
