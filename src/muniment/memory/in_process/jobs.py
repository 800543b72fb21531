"""Jobs of the store, whichever process runs them."""

from __future__ import annotations

from muniment.jobs.administration import cancel_job, get_job, list_jobs, requeue_job
from muniment.memory.in_process.opened import Opened
from muniment.memory.interface.jobs import Jobs
from muniment.model.job import Job, JobPage


class LocalJobs(Opened, Jobs):
    """The store's queue."""

    async def jobs(
        self, *, state: str | None = None, kind: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> JobPage:
        runtime = await self._open()
        return await list_jobs(
            runtime.database, runtime.tenant.number, state=state, kind=kind, limit=limit, cursor=cursor
        )

    async def job(self, job_id: str) -> Job:
        runtime = await self._open()
        return await get_job(runtime.database, runtime.tenant.number, job_id)

    async def cancel_job(self, job_id: str) -> Job:
        runtime = await self._open()
        return await cancel_job(runtime.database, runtime.tenant.number, job_id)

    async def requeue_job(self, job_id: str) -> Job:
        runtime = await self._open()
        return await requeue_job(runtime.database, runtime.tenant.number, job_id)
