"""What a search knows while it runs: the plan, what each route found, the candidates, the evidence, and its trace."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol
from uuid import UUID

from muniment.database.pool import Scope
from muniment.database.vectors import vector_text
from muniment.extraction.time.questions import asks_only_of_time, named_time
from muniment.extraction.time.spans import TimeSpan
from muniment.model.filters import Modality
from muniment.model.namespace import Namespace
from muniment.model.policy import Policy
from muniment.model.request import RetrievalRequest
from muniment.model.result import Citation
from muniment.providers.chat import ChatModel
from muniment.providers.embedding import Embedder
from muniment.retrieval.deadline import Deadline
from muniment.retrieval.participants import name_parts
from muniment.retrieval.planning.outlook import Outlook
from muniment.retrieval.profile import Profile
from muniment.settings import Settings


@dataclass(frozen=True, slots=True)
class Tools:
    """What the stages work with. ``model_no`` is the registry number of the embedder's model.

    ``chat`` writes answers; without it they are quoted.
    """

    embedder: Embedder | None
    model_no: int | None
    settings: Settings
    chat: ChatModel | None = None


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

    ``searched`` is the text that is searched for: the question, which a refinement extends. ``outlook`` is what the
    planner says of it, ``policy`` the one in force. ``speakers`` are those whom the question names, also where the
    profile ranks without them. ``times`` are the time expressions of the question. ``within`` are the records that the
    filters leave to search, None where nothing narrows it.
    """

    head: int
    known_at: int
    spaces: list[int]
    pending: int
    searched: str
    outlook: Outlook
    policy: Policy = field(default_factory=Policy)
    speakers: list[str] = field(default_factory=list)
    times: list[TimeSpan] = field(default_factory=list)
    terms: list[Term] = field(default_factory=list)
    documents: int = 0
    total_length: int = 0
    embedded_text: str = ""
    only_stop_words: bool = False
    hops: int | None = None
    vector: list[float] | None = None
    within: list[int] | None = None
    _written: tuple[list[float], str] | None = None

    @property
    def vector_text(self) -> str | None:
        """The vector as the database reads it, written once; None without one."""
        if self.vector is None:
            return None
        if self._written is None or self._written[0] is not self.vector:
            self._written = (self.vector, vector_text(self.vector))
        return self._written[1]

    @property
    def named(self) -> Mapping[str, str]:
        """The speakers that the question names, with the names as they stand there."""
        return self.outlook.named

    @property
    def first_person(self) -> bool:
        """Whether the question says I, my, we or our."""
        return self.outlook.first_person

    @property
    def time(self) -> TimeSpan | None:
        """The time that the question names, None where it names none."""
        return named_time(self.times)

    @property
    def only_time(self) -> bool:
        """Whether a time is all that the question asks about: what happened then, or what somebody did then."""
        beside = name_parts(self.named.values())
        return self.time is not None and asks_only_of_time(self.searched, self.times, beside)

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
    """A record on its way to a hit. ``score`` orders the list, ``hit_score`` is what the caller sees, and
    ``confidence`` what the gate looks at."""

    record_no: int
    group_no: int
    score: float
    hit_score: float
    confidence: float = 0.0


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


@dataclass(slots=True)
class StageRecord:
    """One step as it is stored: its name, what it decided in a few words, the numbers, and how long it took.

    ``listed`` is what it found or ranked, best first, where it did.
    """

    name: str
    decision: str | None
    detail: dict[str, Any]
    duration_ms: float
    listed: "Sequence[Found | Candidate] | None" = None


@dataclass(frozen=True, slots=True)
class Pinned:
    """What a search that is made again must not look up anew: it was kept with the query run.

    ``terms`` holds how many visible documents held each term; where ``whole``, each term that was counted then.
    ``speakers`` are those whom the question named, ``held`` the modalities that the visible store had. ``vectors`` are
    by the text that was embedded. ``lacking`` are ranges of records (the end excluded) that had no vector, None where
    too many lacked one to keep which.
    """

    head: int
    documents: int
    total_length: int
    pending: int
    terms: Mapping[str, int]
    whole: bool
    speakers: list[str]
    held: list[Modality]
    vectors: Mapping[str, list[float]]
    lacking: Sequence[tuple[int, int]] | None
    exact: bool
    language: str | None = None

    def lacked_vector(self, record_no: int) -> bool:
        """Whether the record is known to have had no vector."""
        return any(first <= record_no < end for first, end in self.lacking or ())


@dataclass(slots=True)
class Search:
    """One search or question from start to end. Stages read and fill it in their order, all in one transaction.

    ``held`` are the modalities that the visible store has, ``counted`` the terms that were counted, ``vectors`` what
    was embedded, by the text, and ``listing`` what the running stage has ranked: all for the query run. A search that
    is made again is ``pinned``. ``by_modality`` is what the modality routes find, computed once for a plan, and
    ``routed`` are the derived records among the routing hits, which are never read as evidence. ``holding``
    are the records that tell what holds at the time that the question is about, ``telling`` those of them that answer
    it for sure, ``outdated`` those that tell only of what does not hold then, each with the characters that tell it;
    ``told_terms`` are the question's terms that what holds answers, and ``inside`` the records whose times, or where
    they tell of none, the time at which they were said, lie in the window that the question names; those of ``partly``
    are longer or reach into it, those of ``around`` so long that they say next to nothing of it. ``language`` is the
    one that the question is read in once it is planned, or several with commas, the likeliest first.
    ``reason`` is the code of an abstention, ``guarded_scope`` the scope that can go on where a part runs out of time.
    """

    tools: Tools
    tenant: int
    profile: Profile
    mode: Literal["search", "query"]
    question: str
    namespace: Namespace
    top_k: int
    query_id: UUID
    started_at: datetime
    asked_at: datetime
    request: RetrievalRequest
    deadline: Deadline
    fixed_profile: bool = False
    scope: Scope = field(init=False)
    guarded_scope: Scope | None = None
    plan: Plan | None = None
    embedding: asyncio.Task[list[list[float]]] | None = None
    found: dict[str, list[Found]] = field(default_factory=dict)
    candidates: list[Candidate] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    best_cosine: float | None = None
    answerability: float | None = None
    speaker_gap: float | None = None
    answer: str | None = None
    abstain: bool | None = None
    reason: str | None = None
    citations: list[Citation] = field(default_factory=list)
    partial: bool = False
    notes: list[str] = field(default_factory=list)
    trace: list[StageRecord] = field(default_factory=list)
    held: list[Modality] = field(default_factory=list)
    counted: dict[str, int] = field(default_factory=dict)
    vectors: dict[str, list[float]] = field(default_factory=dict)
    listing: "Sequence[Candidate] | None" = None
    by_modality: tuple[Plan, dict[str, list[Found]]] | None = None
    routed: set[int] = field(default_factory=set)
    telling: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    outdated: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    holding: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    told_terms: frozenset[str] = frozenset()
    inside: set[int] = field(default_factory=set)
    partly: set[int] = field(default_factory=set)
    around: set[int] = field(default_factory=set)
    pinned: Pinned | None = None
    language: str = "english"
    observer: "Observer | None" = None
    listener: "Listener | None" = None

    @property
    def planned(self) -> Plan:
        """The plan; there is one from the first stage on."""
        if self.plan is None:
            raise RuntimeError("the search has not been planned")
        return self.plan

    def trace_stage(self, stage: StageRecord) -> None:
        """Keeps the step for the query run with what it ranked, and tells whoever watches the search."""
        if stage.listed is None:
            stage.listed, self.listing = self.listing, None
        self.trace.append(stage)
        if self.observer is not None:
            self.observer(self, stage)

    def note(self, text: str) -> None:
        """Says in the result why it is less than the whole answer; the same thing once."""
        if text not in self.notes:
            self.notes.append(text)

    def cut_short(self, text: str) -> None:
        """Says that the deadline left something out."""
        self.partial = True
        self.note(text)

    def runs(self, name: str) -> bool:
        """Whether the request leaves this route or stage switched on."""
        return name not in self.request.without

    def elapsed_ms(self) -> float:
        """Milliseconds since the search began."""
        return (time.perf_counter() - self.deadline.start) * 1000


Observer = Callable[[Search, StageRecord], None]
"""Told of each step as it ends; must not block."""


class Listener(Protocol):
    """Hears an answer while a model writes it; must not block."""

    def written(self, text: str) -> None:
        """A piece more of the answer, which may still be dropped."""
        ...

    def withdrawn(self, because: str) -> None:
        """All that was written so far no longer counts."""
        ...


def ranking(found: Sequence[Found]) -> list[int]:
    """The record numbers of what a route found, best first."""
    return [item.record_no for item in found]
