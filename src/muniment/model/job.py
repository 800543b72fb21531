"""Jobs as they are shown: what is to be done in the background, and what became of it."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel

JobState = Literal["queued", "running", "done", "dead", "cancelled", "superseded"]
"""``dead`` has failed for the last time and waits for somebody to requeue it; ``superseded`` left its work to the same
job, put in again."""

ENDED: tuple[JobState, ...] = ("done", "dead", "cancelled", "superseded")


class JobProgress(BaseModel):
    """How much of a job is done, and how much there is, None where that is not known."""

    done: int
    total: int | None


class Job(BaseModel):
    """A job. ``attempts`` counts those begun, as long as it has not ended; ``run_at`` is when it may run next.

    ``result`` holds numbers, and ``error`` names what failed last, in words that quote nothing stored.
    """

    id: str
    kind: str
    state: JobState
    attempts: int
    created_at: datetime
    run_at: datetime | None = None
    finished_at: datetime | None = None
    progress: JobProgress | None = None
    result: dict[str, Any] | None = None
    error: str | None = None


class JobPage(BaseModel):
    """Jobs, the latest first; ``next`` is the cursor of the page that follows, None at the end."""

    jobs: list[Job]
    next: str | None = None
