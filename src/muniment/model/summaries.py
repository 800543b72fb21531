"""Summaries as they are shown: cards of groups, episodes of conversations, profiles of entities."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from muniment.model.namespace import Namespace

SummaryKind = Literal["card", "episode", "profile"]


class ProfileLine(BaseModel):
    """A line of a profile with the facts it rests on; not ``explicit`` is what was inferred from them all."""

    aspect: Literal["identity", "traits", "work", "interests", "relations", "preferences", "events", "plans"]
    text: str
    explicit: bool
    facts: list[str]


class ProfileChange(BaseModel):
    """What this version of a profile changed of the one before."""

    operation: Literal["add", "update", "delete"]
    aspect: str
    text: str


class Summary(BaseModel):
    """One version of a summary: a routing aid and context, never evidence.

    ``records`` are what it quotes: of an episode all its turns, of a profile its facts. ``commit`` to ``until_commit``
    is when it counted. ``age_days`` is the time since what it tells of was last said, and ``stale`` whether that has
    changed since it was compiled: both as of the asking. ``form`` says how it was made, by rules or by which model.
    """

    id: str
    kind: SummaryKind
    namespace: Namespace
    group_id: str | None = None
    entity: str | None = None
    title: str
    text: str
    phrasings: list[str] = Field(default_factory=list)
    participants: list[str] = Field(default_factory=list)
    decisions: list[str] = Field(default_factory=list)
    outcome: str | None = None
    plans: list[str] = Field(default_factory=list, description="what is intended: never what happened")
    lines: list[ProfileLine] = Field(default_factory=list)
    changes: list[ProfileChange] = Field(default_factory=list)
    records: list[str]
    first_at: datetime | None = None
    last_at: datetime | None = None
    age_days: float | None = None
    stale: bool
    form: str
    commit: int
    until_commit: int | None = None


class SummaryPage(BaseModel):
    """Summaries in the order of their making; ``next`` is the cursor of the page that follows, None at the end."""

    summaries: list[Summary]
    known_at: int
    next: str | None = None
