"""Retrieval: searching for records, and asking for a cited answer."""

from typing import Annotated, Any

from litestar import Controller, Request, post
from litestar.datastructures import State
from litestar.params import Body

from muniment.api.authentication import needs
from muniment.api.problems import documented
from muniment.model.request import QueryRequest, SearchRequest
from muniment.model.result import QueryResult, SearchResult
from muniment.tenancy.keys import Principal


class RetrievalController(Controller):
    """What comes out."""

    path = "/api/v1"
    tags = ["retrieval"]  # noqa: RUF012 - Litestar's own form

    @post(
        "/search", operation_id="search", status_code=200, guards=[needs("memory:read")],
        responses=documented(400, 401, 403, 413, 422, 503),
    )  # fmt: skip
    async def search(
        self, data: Annotated[SearchRequest, Body()], request: Request[Principal, Any, Any], state: State
    ) -> SearchResult:
        """Records that bear on the query, best first, each with what every route said of it."""
        result: SearchResult = await state.runtime.retriever.search(request.user.tenant, data)
        return result

    @post(
        "/query", operation_id="query", status_code=200, guards=[needs("memory:read")],
        responses=documented(400, 401, 403, 413, 422, 503),
    )  # fmt: skip
    async def query(
        self, data: Annotated[QueryRequest, Body()], request: Request[Principal, Any, Any], state: State
    ) -> QueryResult:
        """An answer that cites the log, or an abstention."""
        result: QueryResult = await state.runtime.retriever.query(request.user.tenant, data)
        return result
