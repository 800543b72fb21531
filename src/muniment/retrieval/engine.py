"""The retriever: searches and questions from request to result, each stored as a query run."""

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal, TypeVar

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.model.identifiers import new_id
from muniment.model.result import QueryRequest, QueryResult, SearchRequest, SearchResult
from muniment.providers.embedding import Embedder
from muniment.retrieval.profile import DEFAULT, Profile
from muniment.retrieval.question import admit_question, admit_top_k
from muniment.retrieval.result import query_result, search_result
from muniment.retrieval.runs import QueryNumbers, store_run
from muniment.retrieval.stages import Stage, query_stages, search_stages
from muniment.retrieval.state import Search, StageRecord, Tools
from muniment.settings import Settings

Result = TypeVar("Result", SearchResult, QueryResult)
_log = logging.getLogger(__name__)


class Retriever:
    """Answers searches and questions of any tenant. One per process; holds no connection between requests."""

    def __init__(
        self,
        database: Database,
        embedder: Embedder | None,
        model_no: int | None,
        settings: Settings,
        profile: Profile = DEFAULT,
    ) -> None:
        """``model_no`` is the embedder's number in the registry; without both, words alone are searched."""
        self._database = database
        self.tools = Tools(embedder, model_no, settings)
        self.profile = profile
        self._numbers = QueryNumbers(database)
        self._search_stages = search_stages()
        self._query_stages = query_stages()

    async def search(self, tenant: int, request: SearchRequest) -> SearchResult:
        """The records that fit best. Raises ``input.*`` for a request that cannot be, ``store.*`` for the database."""
        return await self._run(tenant, "search", request.query, request, self._search_stages, search_result)

    async def query(self, tenant: int, request: QueryRequest) -> QueryResult:
        """An answer quoted from the log with its citations, or an abstention. Raises like ``search``."""
        return await self._run(tenant, "query", request.question, request, self._query_stages, query_result)

    async def _run(
        self,
        tenant: int,
        mode: Literal["search", "query"],
        text: str,
        request: SearchRequest | QueryRequest,
        stages: tuple[Stage, ...],
        assemble: Callable[[Search], Result],
    ) -> Result:
        question = admit_question(text, self.tools.settings)
        top_k = admit_top_k(request.top_k, self.tools.settings)
        started_at, clock = datetime.now(UTC), time.perf_counter()
        query_no = await self._numbers.next(tenant)
        search: Search | None = None
        answered = False
        try:
            async with self._database.scope(tenant, seconds=self._seconds()) as scope:
                search = Search(
                    tools=self.tools,
                    scope=scope,
                    tenant=tenant,
                    profile=self.profile,
                    mode=mode,
                    question=question,
                    namespace=request.namespace,
                    top_k=top_k,
                    group_id=request.group_id,
                    requested_known_at=request.known_at,
                    query_id=new_id(),
                    started_at=started_at,
                    clock=clock,
                )
                await _go_through(search, stages)
                answered = True
                await store_run(search, query_no)
        except MunimentError as error:
            if search is None or not answered:
                raise
            _log.warning("a query run was not stored: %s", error.code)
            search.note(f"this query run could not be stored ({error.code}): it cannot be looked up")
        finally:
            if search is not None and search.embedding is not None:
                search.embedding.cancel()
        return assemble(search)

    def _seconds(self) -> float:
        return min(self.profile.seconds, self.tools.settings.statement_timeout)


async def _go_through(search: Search, stages: tuple[Stage, ...]) -> None:
    for stage in stages:
        start = time.perf_counter()
        decision, detail = await stage.run(search)
        search.trace.append(StageRecord(stage.name, decision, detail, (time.perf_counter() - start) * 1000))
