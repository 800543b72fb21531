"""What a search and a question give back."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field

from muniment.model.namespace import Namespace


class RouteScore(BaseModel):
    """What one route said of a hit: its rank there (from 1) and its own score."""

    rank: int
    score: float


class Hit(BaseModel):
    """A record that was found. ``score`` is the hit score of the retrieval profile, higher is better."""

    record_id: str
    rank: int
    score: float
    text: str
    locator: dict[str, Any]
    source_id: str
    source_key: str
    source_version: int
    group_id: str
    position: int
    speaker: str | None = None
    role: str | None = None
    at: datetime | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)
    routes: dict[str, RouteScore] = Field(default_factory=dict)


class Coverage(BaseModel):
    """How much of the visible set each index held when the search ran."""

    visible: int
    embedded: int


class SearchResult(BaseModel):
    """Hits, best first. ``score`` says how answerable the question looks, higher is more."""

    query_id: str
    query: str
    hits: list[Hit]
    score: float
    coverage: Coverage
    partial: bool = Field(False, description="whether a deadline left something out; the notes say what")
    notes: list[str] = Field(default_factory=list, description="anything that made this less than the whole answer")
    duration_ms: float


class Citation(BaseModel):
    """Where an answer comes from: a record of the log, its place in its source, and the words."""

    record_id: str
    locator: dict[str, Any]
    excerpt: str
    source_id: str
    source_key: str
    source_version: int


class QueryResult(BaseModel):
    """An answer with its citations, or an abstention with none."""

    query_id: str
    question: str
    answer: str
    abstain: bool
    reason: str | None = Field(None, description="the code of why nothing is answered")
    citations: list[Citation]
    score: float
    partial: bool = Field(False, description="whether a deadline left something out; the notes say what")
    notes: list[str] = Field(default_factory=list)
    duration_ms: float


class Record(BaseModel):
    """A record of the log as it stands there. ``text`` is None where it was erased."""

    id: str
    kind: str
    modality: str
    namespace: Namespace
    source_id: str
    source_key: str
    source_version: int
    group_id: str
    position: int
    speaker: str | None
    role: str | None
    said_at: datetime | None
    locator: dict[str, Any]
    text: str | None
    fields: dict[str, Any] = Field(default_factory=dict)
    metadata: dict[str, Any] = Field(default_factory=dict)
    commit: int
    committed_at: datetime
    live: bool
    closed_by_commit: int | None = None
    rests_on: list[str] = Field(default_factory=list)


class RecordPage(BaseModel):
    """Records in the order of the log; ``next`` is the cursor of the page that follows, None at the end."""

    records: list[Record]
    next: str | None = None


class Finding(BaseModel):
    """Something that validation found wrong."""

    check: str
    detail: str
    facts: dict[str, Any] = Field(default_factory=dict)


class ValidationReport(BaseModel):
    """The end of a validation: what was checked, and all that is wrong."""

    valid: bool
    commits: int
    entries: int
    records: int
    root: str
    checkpoint: Literal["matches", "none"] | None
    checks: dict[str, int] = Field(description="how many things each check looked at")
    findings: list[Finding]
    notes: list[str] = Field(
        default_factory=list, description="what is not wrong, but of an earlier version, and the command that renews it"
    )
