"""Jobs of a server."""

from __future__ import annotations

from muniment.memory.interface.jobs import Jobs
from muniment.memory.over_rest.connected import Connected
from muniment.memory.wire import path_part, read_answer
from muniment.model.job import Job, JobPage


class RemoteJobs(Connected, Jobs):
    """The server's queue, as far as it is the tenant's."""

    async def jobs(
        self, *, state: str | None = None, kind: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> JobPage:
        asked = {"state": state, "kind": kind, "limit": limit, "cursor": cursor}
        return read_answer(JobPage, await self._open().get("jobs", asked))

    async def job(self, job_id: str) -> Job:
        return read_answer(Job, await self._open().get(f"jobs/{path_part(job_id, 'job')}"))

    async def cancel_job(self, job_id: str) -> Job:
        return read_answer(Job, await self._open().post(f"jobs/{path_part(job_id, 'job')}/cancel"))

    async def requeue_job(self, job_id: str) -> Job:
        return read_answer(Job, await self._open().post(f"jobs/{path_part(job_id, 'job')}/requeue"))
