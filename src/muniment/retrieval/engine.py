"""The retriever: searches and questions from request to result, each stored as a query run."""

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal, TypeVar

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.model.identifiers import new_id
from muniment.model.request import QueryRequest, SearchRequest
from muniment.model.result import QueryResult, SearchResult
from muniment.providers.embedding import Embedder
from muniment.retrieval.deadline import Deadline
from muniment.retrieval.profile import DEFAULT, Profile
from muniment.retrieval.question import admit_question, admit_top_k
from muniment.retrieval.result import query_result, search_result
from muniment.retrieval.runs import QueryNumbers, store_run
from muniment.retrieval.stages import Stage, query_stages, search_stages
from muniment.retrieval.state import Observer, Search, StageRecord, Tools
from muniment.retrieval.switches import admit_switches
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

    async def search(self, tenant: int, request: SearchRequest, *, observer: Observer | None = None) -> SearchResult:
        """The records that fit best. Raises ``input.*`` for a request that cannot be, ``store.*`` for the database.

        ``observer`` is told of each step as it ends.
        """
        admit_switches(request.without)
        search = self._begin(tenant, "search", request.query, request, observer)
        return await self._run(search, self._search_stages, search_result)

    async def query(self, tenant: int, request: QueryRequest, *, observer: Observer | None = None) -> QueryResult:
        """An answer quoted from the log with its citations, or an abstention. Raises like ``search``."""
        admit_switches(request.without)
        search = self._begin(tenant, "query", request.question, request, observer)
        return await self._run(search, self._query_stages, query_result)

    def _begin(
        self,
        tenant: int,
        mode: Literal["search", "query"],
        text: str,
        request: SearchRequest | QueryRequest,
        observer: Observer | None,
    ) -> Search:
        settings = self.tools.settings
        started_at = datetime.now(UTC)
        fixed = request.profile is None and self.profile is not DEFAULT
        profile = self.profile if request.profile is None else replace(DEFAULT, name=request.profile)
        return Search(
            tools=self.tools,
            tenant=tenant,
            profile=profile,
            mode=mode,
            question=admit_question(text, settings),
            namespace=request.namespace,
            top_k=admit_top_k(request.top_k, settings),
            query_id=new_id(),
            started_at=started_at,
            asked_at=request.asked_at or started_at,
            request=request,
            deadline=Deadline(min(request.timeout or profile.seconds, settings.statement_timeout)),
            fixed_profile=fixed,
            observer=observer,
        )

    async def _run(self, search: Search, stages: tuple[Stage, ...], assemble: Callable[[Search], Result]) -> Result:
        query_no = await self._numbers.next(search.tenant)
        answered = False
        try:
            async with self._database.scope(search.tenant, seconds=search.deadline.opening()) as scope:
                search.scope = scope
                await _go_through(search, stages)
                answered = True
                await store_run(search, query_no)
        except MunimentError as error:
            if not answered:
                raise
            _log.warning("a query run was not stored: %s", error.code)
            search.note(f"this query run could not be stored ({error.code}): it cannot be looked up")
        finally:
            if search.embedding is not None:
                search.embedding.cancel()
        return assemble(search)


async def _go_through(search: Search, stages: tuple[Stage, ...]) -> None:
    for stage in stages:
        if not search.runs(stage.name):
            continue
        start = time.perf_counter()
        decision, detail = await stage.run(search)
        search.trace_stage(StageRecord(stage.name, decision, detail, (time.perf_counter() - start) * 1000))
