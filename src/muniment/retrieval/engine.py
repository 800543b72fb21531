"""The retriever: searches and questions from request to result, each stored as a query run."""

import logging
import time
from datetime import UTC, datetime
from typing import Literal

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.model.identifiers import new_id
from muniment.model.namespace import Namespace
from muniment.model.result import QueryRequest, QueryResult, SearchRequest, SearchResult
from muniment.providers.embedding import Embedder
from muniment.retrieval.profile import DEFAULT, Profile
from muniment.retrieval.question import admit_question, admit_top_k
from muniment.retrieval.result import query_result, search_result
from muniment.retrieval.runs import QueryNumbers, store_run
from muniment.retrieval.stages import Stage, query_stages, search_stages
from muniment.retrieval.state import Search, StageRecord, Tools
from muniment.settings import Settings

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
        self._tools = Tools(database, embedder, model_no, settings)
        self._profile = profile
        self._numbers = QueryNumbers(database)
        self._search_stages = search_stages()
        self._query_stages = query_stages()

    async def search(self, tenant: int, request: SearchRequest) -> SearchResult:
        """The records that fit best. Raises ``input.*`` for a request that cannot be, ``store.*`` for the database."""
        state = self._begin(
            tenant, "search", request.query, request.namespace, request.top_k, request.group_id, request.known_at
        )
        await self._run(state, self._search_stages)
        return search_result(state)

    async def query(self, tenant: int, request: QueryRequest) -> QueryResult:
        """An answer quoted from the log with its citations, or an abstention. Raises like ``search``."""
        state = self._begin(
            tenant, "query", request.question, request.namespace, request.top_k, request.group_id, request.known_at
        )
        await self._run(state, self._query_stages)
        return query_result(state)

    def _begin(
        self,
        tenant: int,
        mode: Literal["search", "query"],
        question: str,
        namespace: Namespace,
        top_k: int,
        group_id: str | None,
        known_at: int | None,
    ) -> Search:
        settings = self._tools.settings
        return Search(
            tools=self._tools,
            tenant=tenant,
            profile=self._profile,
            mode=mode,
            question=admit_question(question, settings),
            namespace=namespace,
            top_k=admit_top_k(top_k, settings),
            group_id=group_id,
            requested_known_at=known_at,
            query_id=new_id(),
            started_at=datetime.now(UTC),
        )

    async def _run(self, search: Search, stages: tuple[Stage, ...]) -> None:
        for stage in stages:
            start = time.perf_counter()
            decision, detail = await stage.run(search)
            search.trace.append(StageRecord(stage.name, decision, detail, (time.perf_counter() - start) * 1000))
        try:
            await store_run(search, await self._numbers.next(search.tenant))
        except MunimentError as error:
            _log.warning("a query run was not stored: %s", error.code)
            search.note(f"this query run could not be stored ({error.code}): it cannot be looked up")
