"""Query runs: what was asked, how it was answered, why a record came or did not, and the same again."""

from typing import Annotated, Any

from litestar import Controller, Request, get, post
from litestar.datastructures import State
from litestar.params import FromPath, QueryParameter
from litestar.response import ServerSentEvent

from muniment.api.authentication import needs
from muniment.api.parameters import Cursor, Limit
from muniment.api.problems import documented
from muniment.api.run_stream import live_runs, running_run, stored_run
from muniment.model.query_runs import QueryRun, QueryRunPage, QueryStage, Replay, RunExplanation
from muniment.retrieval.explain.explaining import explain
from muniment.retrieval.replay import replay_run
from muniment.retrieval.runs import get_query_run, get_query_stage, list_query_runs
from muniment.tenancy.principal import Principal

_Record = Annotated[
    str | None,
    QueryParameter(max_length=128, description="A record of the log: why this one was returned, or was not"),
]


class QueryRunsController(Controller):
    """What became of searches and questions."""

    path = "/api/v1/query-runs"
    tags = ["query runs"]  # noqa: RUF012 - Litestar's own form

    @get("/", operation_id="listQueryRuns", guards=[needs("query:read")], responses=documented(400, 401, 403, 503))
    async def list_query_runs(
        self, request: Request[Principal, Any, Any], state: State, limit: Limit = 50, cursor: Cursor = None
    ) -> QueryRunPage:
        """Query runs, the latest first, without their steps."""
        return await list_query_runs(state.runtime.database, request.user.tenant, limit=limit, cursor=cursor)

    @get(
        "/events", operation_id="watchQueryRuns", guards=[needs("query:read", whole=True)],
        responses=documented(400, 401, 403, 503),
    )  # fmt: skip
    async def watch_query_runs(self, request: Request[Principal, Any, Any], state: State) -> ServerSentEvent:
        """The runs of this server process as they go, as Server-Sent Events, for as long as the credential is good."""
        return live_runs(request, state.runtime.retriever.feed)

    @get(
        "/{query_id:str}", operation_id="getQueryRun", guards=[needs("query:read")],
        responses=documented(400, 401, 403, 404, 503),
    )  # fmt: skip
    async def get_query_run(
        self, query_id: FromPath[str], request: Request[Principal, Any, Any], state: State
    ) -> QueryRun:
        """One run with its hits and its steps, without the numbers of the steps."""
        return await get_query_run(state.runtime.database, request.user.tenant, query_id, details=False)

    @get(
        "/{query_id:str}/stages/{number:int}", operation_id="getQueryRunStage", guards=[needs("query:read")],
        responses=documented(400, 401, 403, 404, 503),
    )  # fmt: skip
    async def get_query_stage(
        self, query_id: FromPath[str], number: FromPath[int], request: Request[Principal, Any, Any], state: State
    ) -> QueryStage:
        """One step of a run, from 1, with its numbers and its candidates."""
        return await get_query_stage(state.runtime.database, request.user.tenant, query_id, number)

    @get(
        "/{query_id:str}/explain", operation_id="explainQueryRun", guards=[needs("query:read")],
        responses=documented(400, 401, 403, 404, 410, 503),
    )  # fmt: skip
    async def explain(
        self,
        query_id: FromPath[str],
        request: Request[Principal, Any, Any],
        state: State,
        record: _Record = None,
    ) -> RunExplanation:
        """Why each hit was returned, or at which step the given record fell and by how much."""
        runtime = state.runtime
        return await explain(runtime.database, runtime.retriever.tools, request.user.tenant, query_id, record)

    @post(
        "/{query_id:str}/replay", operation_id="replayQueryRun", guards=[needs("query:read")], status_code=200,
        responses=documented(400, 401, 403, 404, 409, 410, 503),
    )  # fmt: skip
    async def replay(self, query_id: FromPath[str], request: Request[Principal, Any, Any], state: State) -> Replay:
        """The run made again against the log as it was, and why the two differ where they do."""
        runtime = state.runtime
        return await replay_run(runtime.database, runtime.retriever.tools, request.user.tenant, query_id)

    @get(
        "/{query_id:str}/events", operation_id="followQueryRun", guards=[needs("query:read")],
        responses=documented(400, 401, 403, 404, 503),
    )  # fmt: skip
    async def follow_query_run(
        self, query_id: FromPath[str], request: Request[Principal, Any, Any], state: State
    ) -> ServerSentEvent:
        """The steps of a run as Server-Sent Events: of one that has ended at once, of one under way as they come."""
        feed, tenant = state.runtime.retriever.feed, request.user.tenant
        # a run under way is in no space yet: a pinned credential sees it when it is stored, where it may
        if request.user.pin is None and feed.runs(tenant, query_id):
            return running_run(request, feed, query_id)
        return stored_run(await get_query_run(state.runtime.database, tenant, query_id, details=False))
