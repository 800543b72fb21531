"""Jobs, in the plain form."""

from __future__ import annotations

from muniment.memory.plain.waiting import Waiting
from muniment.model.job import Job, JobPage


class PlainJobs(Waiting):
    """As ``Jobs``, waiting."""

    def jobs(
        self, *, state: str | None = None, kind: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> JobPage:
        """The tenant's background jobs, the latest first; see ``AsyncMuniment.jobs``."""
        return self._loop.call(self._memory.jobs(state=state, kind=kind, limit=limit, cursor=cursor))

    def job(self, job_id: str) -> Job:
        """One job as it stands."""
        return self._loop.call(self._memory.job(job_id))

    def cancel_job(self, job_id: str) -> Job:
        """Takes a job out of the queue, or ends it within seconds."""
        return self._loop.call(self._memory.cancel_job(job_id))

    def requeue_job(self, job_id: str) -> Job:
        """Puts a dead job back into the queue."""
        return self._loop.call(self._memory.requeue_job(job_id))
