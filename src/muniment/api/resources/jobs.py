"""Jobs: what the tenant's background work does, did and failed to do."""

from typing import Annotated, Any

from litestar import Controller, Request, get, post
from litestar.datastructures import State
from litestar.params import FromPath, QueryParameter
from litestar.response import ServerSentEvent

from muniment.api.authentication import needs
from muniment.api.job_stream import job_stream
from muniment.api.parameters import Cursor, Limit
from muniment.api.problems import documented
from muniment.jobs.administration import cancel_job, get_job, list_jobs, requeue_job
from muniment.model.job import Job, JobPage, JobState
from muniment.tenancy.principal import Principal

_State = Annotated[JobState | None, QueryParameter(name="state", description="Only those in this state")]
_Kind = Annotated[str | None, QueryParameter(max_length=64, description="Only those of this kind")]


class JobsController(Controller):
    """The tenant's jobs."""

    path = "/api/v1/jobs"
    tags = ["jobs"]  # noqa: RUF012 - Litestar's own form

    @get("/", operation_id="listJobs", guards=[needs("memory:read")], responses=documented(400, 401, 403, 503))
    async def list_jobs(
        self,
        request: Request[Principal, Any, Any],
        state: State,
        in_state: _State = None,
        kind: _Kind = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> JobPage:
        """Jobs, the latest first."""
        return await list_jobs(
            state.runtime.database, request.user.tenant, state=in_state, kind=kind, limit=limit, cursor=cursor
        )

    @get(
        "/{job_id:str}", operation_id="getJob", guards=[needs("memory:read")],
        responses=documented(400, 401, 403, 404, 503),
    )  # fmt: skip
    async def get_job(self, job_id: FromPath[str], request: Request[Principal, Any, Any], state: State) -> Job:
        """One job as it stands."""
        return await get_job(state.runtime.database, request.user.tenant, job_id)

    @get(
        "/{job_id:str}/events", operation_id="watchJob", guards=[needs("memory:read")],
        responses=documented(400, 401, 403, 404, 503),
    )  # fmt: skip
    async def watch_job(
        self, job_id: FromPath[str], request: Request[Principal, Any, Any], state: State
    ) -> ServerSentEvent:
        """The job as Server-Sent Events: `progress` as it is and at each change, and `ended` last."""
        return await job_stream(request, state.runtime.watch.watch(request.user.tenant, job_id))

    @post(
        "/{job_id:str}/cancel", operation_id="cancelJob", guards=[needs("tenant:admin")], status_code=200,
        responses=documented(400, 401, 403, 404, 409, 503),
    )  # fmt: skip
    async def cancel_job(self, job_id: FromPath[str], request: Request[Principal, Any, Any], state: State) -> Job:
        """Takes the job out of the queue; one that runs is ended within seconds. What it has done stays done."""
        return await cancel_job(state.runtime.database, request.user.tenant, job_id)

    @post(
        "/{job_id:str}/requeue", operation_id="requeueJob", guards=[needs("tenant:admin")], status_code=200,
        responses=documented(400, 401, 403, 404, 409, 503),
    )  # fmt: skip
    async def requeue_job(self, job_id: FromPath[str], request: Request[Principal, Any, Any], state: State) -> Job:
        """Puts a dead job back into the queue, with all its attempts before it."""
        return await requeue_job(state.runtime.database, request.user.tenant, job_id)
