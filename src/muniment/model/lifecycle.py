"""What was done to records after they were written, as it is asked for and as it is told."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field

from muniment.model.result import Record

ErasureState = Literal["hidden", "purged", "vacuumed", "backups expired"]
"""``hidden``: no longer counts; ``purged``: in no row of the database; ``vacuumed``: in no file of it either; ``backups
expired``: older than any backup that is kept."""


class LifecycleEvent(BaseModel):
    """A correction, forgetting, retraction or undoing in the log.

    ``closed`` and ``reopened`` are the records that ceased to count, or count again, with it; also those derived from
    what was named and from nothing else. ``correction`` is the record that takes the place of the one corrected.
    ``changed`` is False where the log said so already, and nothing was added.
    """

    event: Literal["correct", "forget", "retract", "undo"]
    commit: int
    at: datetime
    reason: str
    changed: bool = True
    source_id: str | None = None
    correction: str | None = None
    undone: int | None = Field(None, description="the commit that was undone")
    closed: list[str] = Field(default_factory=list)
    reopened: list[str] = Field(default_factory=list)


class HistoryEntry(BaseModel):
    """An entry of the log that concerns a record. ``detail`` is what its leaf holds beside."""

    commit: int
    at: datetime
    event: str
    record_id: str | None
    detail: dict[str, Any] = Field(default_factory=dict)


class RecordHistory(BaseModel):
    """All that befell a record and what stood in its place before and after it.

    ``versions`` are the records of that place, the first first: replaced messages, the record itself, corrections.
    """

    record_id: str
    versions: list[Record]
    entries: list[HistoryEntry]


class Erasure(BaseModel):
    """The receipt of an erasure: what it took, and how far it is. It holds nothing of the content."""

    id: str
    state: ErasureState
    reason: str
    commit: int
    records: int
    requested_at: datetime
    purged_at: datetime | None = None
    vacuumed_at: datetime | None = None
    backups_expire_at: datetime | None = None
    notes: list[str] = Field(default_factory=list)


class ErasureList(BaseModel):
    """Erasures, the latest first."""

    erasures: list[Erasure]
