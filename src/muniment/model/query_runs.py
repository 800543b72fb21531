"""Query runs as they are shown: what was asked, what each step did, why a record was returned or not, and a replay."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field

from muniment.model.result import RouteScore


class TracedCandidate(BaseModel):
    """A record in the list of a step. ``contribution`` is weight / (60 + rank), what its rank adds in the fusion.

    ``hit`` is its rank in the result; where it has none, ``dropped_because`` says why, as far as the run tells.
    """

    record_id: str
    rank: int
    score: float
    weight: float | None = None
    contribution: float | None = None
    hit: int | None = None
    dropped_because: str | None = None


class QueryStage(BaseModel):
    """One step of a query run: what it decided, and how long it took.

    ``listed`` says how many records it found or ranked, as far as kept. ``detail`` and ``candidates`` are left out
    where runs are shown whole.
    """

    number: int
    name: str
    decision: str | None
    duration_ms: float
    listed: int
    detail: dict[str, Any] | None = None
    candidates: list[TracedCandidate] | None = None


class QueryHit(BaseModel):
    """A hit as it was given. ``text`` is the record's content now, None where it was erased since."""

    rank: int
    score: float
    record_id: str
    routes: dict[str, RouteScore]
    cited: bool
    text: str | None


class QueryRunSummary(BaseModel):
    """A query run in a list. ``partial`` says whether the deadline left something out, ``error`` the code of what made
    a run fail: that one has no hits."""

    id: str
    mode: Literal["search", "query"]
    question: str
    abstain: bool | None
    score: float | None
    started_at: datetime
    duration_ms: float
    profile: str
    partial: bool
    state: Literal["succeeded", "partial", "failed"] = "succeeded"
    error: str | None = None


class QueryRun(QueryRunSummary):
    """A query run whole: its parameters, the statistics it ranked by, its steps and its hits.

    ``known_at`` is the commit as of which it searched, None where it failed before that was settled.
    """

    parameters: dict[str, Any]
    known_at: int | None
    statistics: dict[str, Any]
    answer: str | None
    notes: list[str]
    stages: list[QueryStage]
    hits: list[QueryHit]


class QueryRunPage(BaseModel):
    """Query runs, the latest first; ``next`` is the cursor of the page that follows, None at the end."""

    runs: list[QueryRunSummary]
    next: str | None = None


class RouteShare(BaseModel):
    """What a route said of a record.

    ``contribution`` is weight / (60 + rank). Where the route did not list the record, ``because`` says why,
    ``score`` is what it would have got, ``cutoff`` the score of the last record of a full list, and ``short_by`` how
    much was missing.
    """

    route: str
    rank: int | None = None
    score: float | None = None
    weight: float
    contribution: float = 0.0
    cutoff: float | None = None
    short_by: float | None = None
    because: str | None = None


class TermShare(BaseModel):
    """What a term of the question adds to a record.

    ``term`` begins with ``~`` where it is a stem. ``count`` is how often the record holds it, ``bm25`` what that adds
    to the lexical score. ``with_neighbours`` is the count with what stands next to the record and its date, and
    ``coverage`` what that adds to the share of the question that is covered; both None where the ranking has none.
    """

    term: str
    weight: float
    documents: int
    idf: float
    count: int
    bm25: float
    with_neighbours: float | None = None
    in_date: bool = False
    coverage: float | None = None


class ScorePart(BaseModel):
    """A part of the score; all parts of a record add up to it."""

    name: str
    contribution: float


Fall = Literal[
    "not_visible", "not_sealed_yet", "closed", "filtered_out", "not_found", "not_ranked", "below_the_cut", "duplicate",
    "over_budget", "routing", "withheld", "erased", "unread", "run_failed", "unknown",
]  # fmt: skip


class Explanation(BaseModel):
    """Why a record was returned, or why not.

    A record that was not returned fell at ``stage``, for the reason ``fell``; ``detail`` says it in words, and
    ``numbers`` by how much. ``score`` is the record's, ``parts`` add up to it. ``erased`` says that its content was
    erased since, ``notes`` what could not be told as it was.
    """

    query_id: str
    record_id: str
    question: str
    returned: bool
    rank: int | None = None
    stage: str | None = None
    fell: Fall | None = None
    detail: str
    numbers: dict[str, float] = Field(default_factory=dict)
    score: float | None = None
    routes: list[RouteShare] = Field(default_factory=list)
    terms: list[TermShare] = Field(default_factory=list)
    parts: list[ScorePart] = Field(default_factory=list)
    duplicate_of: str | None = None
    erased: bool = False
    text: str | None = None
    notes: list[str] = Field(default_factory=list)


class RunExplanation(BaseModel):
    """Why each hit of a run was returned, best first; or, where it was asked for, what became of one ``record``."""

    query_id: str
    mode: Literal["search", "query"]
    question: str
    hits: list[Explanation]
    record: Explanation | None = None
    notes: list[str] = Field(default_factory=list)


class ReplayedHit(BaseModel):
    """A hit of the run, of its replay, or of both."""

    record_id: str
    rank: int | None
    score: float | None
    replayed_rank: int | None
    replayed_score: float | None


class ReplayDifference(BaseModel):
    """Why a replay may differ, or does. ``record_id`` where it is about one record."""

    reason: Literal[
        "erased", "statistics", "vectors", "embedding_model", "profile", "approximate_index", "edges", "derived",
        "policy", "partial", "program", "unexplained",
    ]  # fmt: skip
    detail: str
    record_id: str | None = None


class Replay(BaseModel):
    """A run made again against the log as it was: ``identical`` where the same records come in the same order.

    ``partial`` marks the replay of a run that its deadline had cut short: the replay had more time, and may find more.
    """

    query_id: str
    known_at: int
    identical: bool
    partial: bool = False
    hits: list[ReplayedHit]
    differences: list[ReplayDifference]
    notes: list[str] = Field(default_factory=list)
    duration_ms: float


class RunEvent(BaseModel):
    """Something that happened in a query run.

    ``started`` has its question, ``stage`` the step that ended, ``finished`` how it ended, ``failed`` the code of the
    error. ``gap`` says that this many events were lost, since they were not read fast enough.
    """

    type: Literal["started", "stage", "finished", "failed", "gap"]
    id: str | None = None
    mode: Literal["search", "query"] | None = None
    question: str | None = None
    number: int | None = None
    name: str | None = None
    decision: str | None = None
    duration_ms: float | None = None
    hits: int | None = None
    abstain: bool | None = None
    score: float | None = None
    error: str | None = None
    lost: int | None = None
