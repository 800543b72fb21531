"""Retrieval: searching for records, and asking for a cited answer."""

from typing import Annotated, Any

from litestar import Controller, Request, post
from litestar.datastructures import State
from litestar.params import Body, QueryParameter
from litestar.response import ServerSentEvent

from muniment.api.authentication import needs
from muniment.api.event_stream import StreamingOperation, event_stream, wants_events
from muniment.api.problems import documented
from muniment.model.context import Context, ContextRequest
from muniment.model.request import QueryRequest, SearchRequest
from muniment.model.result import QueryResult, SearchResult
from muniment.retrieval.context import gather_context
from muniment.tenancy.principal import Principal

Stream = Annotated[
    bool | None,
    QueryParameter(description="Whether to answer with Server-Sent Events; default: where the Accept header asks so"),
]


class RetrievalController(Controller):
    """What comes out."""

    path = "/api/v1"
    tags = ["retrieval"]  # noqa: RUF012 - Litestar's own form

    @post(
        "/search", operation_id="search", status_code=200, guards=[needs("query:read")],
        responses=documented(400, 401, 403, 409, 413, 422, 503),
    )  # fmt: skip
    async def search(
        self, data: Annotated[SearchRequest, Body()], request: Request[Principal, Any, Any], state: State
    ) -> SearchResult:
        """Records that bear on the query, best first, each with what every route said of it."""
        result: SearchResult = await state.runtime.retriever.search(request.user.tenant, data)
        return result

    @post(
        "/context", operation_id="gatherContext", status_code=200, guards=[needs("query:read")],
        responses=documented(400, 401, 403, 409, 413, 422, 503),
    )  # fmt: skip
    async def context(
        self, data: Annotated[ContextRequest, Body()], request: Request[Principal, Any, Any], state: State
    ) -> Context:
        """What bears on a question in the units asked for: records, facts, episodes, profiles, within some tokens."""
        runtime = state.runtime
        return await gather_context(runtime.retriever, runtime.database, request.user.tenant, data)

    @post(
        "/query", operation_id="query", status_code=200, guards=[needs("query:read")],
        responses=documented(400, 401, 403, 409, 413, 422, 503), operation_class=StreamingOperation,
    )  # fmt: skip
    async def query(
        self,
        data: Annotated[QueryRequest, Body()],
        request: Request[Principal, Any, Any],
        state: State,
        stream: Stream = None,
    ) -> QueryResult | ServerSentEvent:
        """An answer that cites the log, or an abstention; or, where asked for, events while it comes about."""
        retriever = state.runtime.retriever
        if wants_events(request, stream):
            return await event_stream(request, retriever.query_events(request.user.tenant, data))
        result: QueryResult = await retriever.query(request.user.tenant, data)
        return result
