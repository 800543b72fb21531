"""Searches and questions by the retriever of this process."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from muniment.memory.in_process.opened import Opened
from muniment.memory.interface.asking import Asking
from muniment.model.context import Context, ContextRequest
from muniment.model.events import QueryEvent
from muniment.model.profile import RetrievalProfile
from muniment.model.request import QueryRequest, SearchRequest
from muniment.model.result import QueryResult, SearchResult
from muniment.retrieval.context import gather_context
from muniment.retrieval.stored_profiles import get_profile, list_profiles, put_profile


class LocalAsking(Opened, Asking):
    """Asking the store."""

    async def profiles(self) -> list[RetrievalProfile]:
        runtime = await self._open()
        return await list_profiles(runtime.database, runtime.tenant.number)

    async def profile(self, name: str) -> RetrievalProfile:
        runtime = await self._open()
        return await get_profile(runtime.database, runtime.tenant.number, name)

    async def put_profile(self, name: str, changes: Mapping[str, Any], *, base: str | None = None) -> RetrievalProfile:
        runtime = await self._open()
        return await put_profile(runtime.database, runtime.tenant.number, name, base, changes)

    async def _context(self, request: ContextRequest) -> Context:
        runtime = await self._open()
        return await gather_context(runtime.retriever, runtime.database, runtime.tenant.number, request)

    async def _search(self, request: SearchRequest) -> SearchResult:
        runtime = await self._open()
        return await runtime.retriever.search(runtime.tenant.number, request)

    async def _query(self, request: QueryRequest) -> QueryResult:
        runtime = await self._open()
        return await runtime.retriever.query(runtime.tenant.number, request)

    async def _query_stream(self, request: QueryRequest) -> AsyncGenerator[QueryEvent, None]:
        runtime = await self._open()
        async with aclosing(runtime.retriever.query_events(runtime.tenant.number, request)) as events:
            async for event in events:
                yield event
