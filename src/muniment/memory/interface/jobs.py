"""The work in the background."""

from __future__ import annotations

from abc import abstractmethod

from muniment.memory.interface.part import Part
from muniment.model.job import Job, JobPage


class Jobs(Part):
    """Jobs, listed and managed."""

    @abstractmethod
    async def jobs(
        self, *, state: str | None = None, kind: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> JobPage:
        """The tenant's background jobs, the latest first, of a state and a kind where they are named."""

    @abstractmethod
    async def job(self, job_id: str) -> Job:
        """One job as it stands; raises ``job.not_found``."""

    @abstractmethod
    async def cancel_job(self, job_id: str) -> Job:
        """Takes a job out of the queue, or ends it within seconds; raises ``job.not_found``, ``job.ended``."""

    @abstractmethod
    async def requeue_job(self, job_id: str) -> Job:
        """Puts a dead job back into the queue; raises ``job.not_found``, ``job.not_dead``."""
