"""The retriever: searches and questions from request to result, each stored as a query run."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from typing import Literal, TypeVar

from muniment.database.pool import Database
from muniment.database.replica import Replica
from muniment.database.traffic import NoTurn
from muniment.errors import MunimentError
from muniment.model.events import QueryEvent
from muniment.model.identifiers import QUERY, new_id, public_id
from muniment.model.request import QueryRequest, SearchRequest
from muniment.model.result import QueryResult, SearchResult
from muniment.providers.chat import ChatModel
from muniment.providers.embedding import Embedder
from muniment.retrieval.deadline import Deadline
from muniment.retrieval.feed import RunFeed
from muniment.retrieval.profile import DEFAULT, Profile
from muniment.retrieval.question import admit_question, admit_top_k
from muniment.retrieval.result import query_result, search_result
from muniment.retrieval.screening import QuestionScreen
from muniment.retrieval.stages import Stage, query_stages, search_stages
from muniment.retrieval.state import Listener, Observer, Search, StageRecord, Tools
from muniment.retrieval.storing import QueryNumbers, refuse_erased, store_failure, store_run
from muniment.retrieval.switches import admit_switches
from muniment.retrieval.watching import watched
from muniment.settings import Settings
from muniment.telemetry.context import note
from muniment.telemetry.metrics import count_read
from muniment.telemetry.tracing import traced

Result = TypeVar("Result", SearchResult, QueryResult)
_REFUSED = ("input.", "profile.")
_FAILURE_SECONDS = 1.0  # for what can only be noted: the caller waits for the error
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
        *,
        chat: ChatModel | None = None,
        replica: Replica | None = None,
    ) -> None:
        """``model_no`` is the embedder's number in the registry; without both, words alone are searched.

        Without ``chat`` answers are quoted from the records. A ``replica`` is read from while it is near enough.
        """
        self._replica = replica
        self._database = database
        self.tools = Tools(embedder, model_no, settings, chat)
        self.profile = profile
        self.feed = RunFeed()
        self._numbers = QueryNumbers(database)
        self._questions = QuestionScreen(database)
        self._search_stages = search_stages()
        self._query_stages = query_stages(model=chat is not None)

    async def search(self, tenant: int, request: SearchRequest, *, observer: Observer | None = None) -> SearchResult:
        """The records that fit best. Raises ``input.*`` for a request that cannot be, ``store.*`` for the database.

        ``observer`` is told of each step as it ends.
        """
        admit_switches(request.without)
        question = await self._questions.masked(tenant, request.query)
        search = self._begin(tenant, "search", question, request, observer)
        return await self._run(search, self._search_stages, search_result)

    async def query(
        self,
        tenant: int,
        request: QueryRequest,
        *,
        observer: Observer | None = None,
        listener: Listener | None = None,
    ) -> QueryResult:
        """An answer that cites the log, or an abstention. Raises like ``search``.

        ``listener`` hears the answer while a model writes it.
        """
        admit_switches(request.without)
        question = await self._questions.masked(tenant, request.question)
        search = self._begin(tenant, "query", question, request, observer)
        search.listener = listener
        if self.tools.chat is not None:
            await self._database.quotas.require_model_tokens(tenant)
        return await self._run(search, self._query_stages, query_result)

    def query_events(self, tenant: int, request: QueryRequest) -> AsyncGenerator[QueryEvent, None]:
        """The question's stages, evidence and answer as they come, the result last. Raises like ``search``."""
        return watched(lambda watcher: self.query(tenant, request, observer=watcher.observe, listener=watcher))

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
            observer=self.feed.observing(observer),
        )

    async def _run(self, search: Search, stages: tuple[Stage, ...], assemble: Callable[[Search], Result]) -> Result:
        note("query_run", public_id(QUERY, search.query_id))
        async with self._database.searches.search(search.tenant):
            query_no = await self._numbers.next(search.tenant)
            try:
                with self.feed.running(search):
                    await self._carry_out(search, stages, query_no)
            finally:
                self._count_tokens(search)
        return assemble(search)

    def _count_tokens(self, search: Search) -> None:
        """What the answer's model took counts for the tenant, whatever came of it."""
        for stage in search.trace:
            prompt, completion = stage.detail.get("prompt_tokens"), stage.detail.get("completion_tokens")
            if prompt or completion:
                self._database.usage.count(search.tenant, prompt_tokens=prompt or 0, completion_tokens=completion or 0)

    async def _carry_out(self, search: Search, stages: tuple[Stage, ...], query_no: int) -> None:
        *parts, last = _parts(search, stages)
        replica = self._replica if self._replica is not None and self._replica.usable else None
        count_read(replica is not None)
        answered = False
        try:
            for part in parts:
                async with self._connected(search, replica) if part[0].connected else nullcontext():
                    await _go_through(search, part)
            answered = search.abstain is not None  # a model's answer needs the database only to be stored
            async with self._connected(search, replica):
                await _go_through(search, last)
                if replica is None:
                    answered = True
                    await store_run(search, query_no)
            if replica is not None:
                search.note(f"searched on a replica, at most {1000 * replica.lag:.0f} ms behind")
                async with self._database.scope(search.tenant) as search.scope:
                    await refuse_erased(search)
                    answered = True
                    await store_run(search, query_no)
        except MunimentError as error:
            if replica is not None and not answered and error.code.startswith("store."):
                replica.leave_out()
            if not answered:
                if not isinstance(error, NoTurn):  # a flood would take the connections of those who have turns
                    await self._keep_failure(search, query_no, error.code)
                raise
            _log.warning("a query run was not stored: %s", error.code)
            search.note(f"this query run could not be stored ({error.code}): it cannot be looked up")
        except Exception:
            if not answered:
                await self._keep_failure(search, query_no, "internal")
            raise
        finally:
            if search.embedding is not None:
                search.embedding.cancel()

    async def _keep_failure(self, search: Search, query_no: int, code: str) -> None:
        """Stores the run that failed, where the database lets it be; a request that cannot be is no run."""
        if code.startswith(_REFUSED):
            return
        _log.warning("a query run failed: %s", code)
        try:
            async with (
                asyncio.timeout(2 * _FAILURE_SECONDS),
                self._database.scope(search.tenant, seconds=_FAILURE_SECONDS) as scope,
            ):
                await store_failure(scope, search, query_no, code)
        except (MunimentError, TimeoutError) as error:
            _log.warning("a query run that failed was not stored: %s", getattr(error, "code", "store.busy"))

    @asynccontextmanager
    async def _connected(self, search: Search, replica: Replica | None = None) -> AsyncIterator[None]:
        database = self._database if replica is None else replica.database
        async with (
            self._database.traffic.search(search.tenant, search.deadline.seconds),
            database.scope(search.tenant, seconds=search.deadline.opening()) as scope,
        ):
            search.scope = scope
            yield


def _parts(search: Search, stages: tuple[Stage, ...]) -> list[tuple[Stage, ...]]:
    """The stages that the request leaves on, cut where a connection is let go or needed again."""
    left = [stage for stage in stages if search.runs(stage.name)]
    return [tuple(part) for _, part in groupby(left, key=attrgetter("connected"))]


async def _go_through(search: Search, stages: tuple[Stage, ...]) -> None:
    for stage in stages:
        start = time.perf_counter()
        with traced(f"search {stage.name}"):
            decision, detail = await stage.run(search)
        search.trace_stage(StageRecord(stage.name, decision, detail, (time.perf_counter() - start) * 1000))
