"""The jobs that read records, by how they read: of these some wait until a budget lets a model work."""

from typing import Final, Literal
from uuid import UUID

from muniment.database.pool import Scope
from muniment.model.source import Method
from muniment.queue import hasten

KINDS: Final[dict[Method, str]] = {"rules": "extract", "model": "extract_by_model", "vision": "describe"}
"""The kind of the job of each method."""


async def resume_postponed(scope: Scope) -> None:
    """Has models look at once at what waits until a budget or a quota lets them: one of these may have been raised."""
    await hasten(scope, [KINDS["model"], KINDS["vision"]])


async def abandon(scope: Scope, job: UUID, kind: str, reason: Literal["job.cancelled", "job.dead"]) -> None:
    """Counts as failed what a job of the kind was still to read, since nobody reads it any more."""
    await _count(scope, job, kind, state="failed", reason=reason, was="pending", because=None)


async def take_up(scope: Scope, job: UUID, kind: str) -> None:
    """Has what a job that died was to read wait again."""
    await _count(scope, job, kind, state="pending", reason=None, was="failed", because="job.dead")


async def _count(scope: Scope, job: UUID, kind: str, **how: str | None) -> None:
    for method in [method for method, each in KINDS.items() if each == kind]:
        await scope.execute("extraction.count_for_job", job=job, method=method, **how)
