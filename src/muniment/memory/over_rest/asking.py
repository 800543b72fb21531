"""Searches and questions over REST."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from muniment.errors import MunimentError
from muniment.memory.event_stream import events_of
from muniment.memory.interface.asking import Asking
from muniment.memory.over_rest.connected import Connected
from muniment.memory.wire import as_json, dump, read_answer
from muniment.model.context import Context, ContextRequest
from muniment.model.events import QueryEvent
from muniment.model.profile import RetrievalProfile, RetrievalProfileList, admit_profile_name, can_name_profile
from muniment.model.request import QueryRequest, SearchRequest
from muniment.model.result import QueryResult, SearchResult


class RemoteAsking(Connected, Asking):
    """Asking a server."""

    async def profiles(self) -> list[RetrievalProfile]:
        return read_answer(RetrievalProfileList, await self._open().get("retrieval-profiles")).profiles

    async def profile(self, name: str) -> RetrievalProfile:
        if not can_name_profile(name):  # it must not become another path
            raise MunimentError("profile.not_found", "there is no such retrieval profile", name=name)
        return read_answer(RetrievalProfile, await self._open().get(f"retrieval-profiles/{name}"))

    async def put_profile(self, name: str, changes: Mapping[str, Any], *, base: str | None = None) -> RetrievalProfile:
        admit_profile_name(name)
        body = dump({"base": base, "changes": dict(changes)})
        return read_answer(RetrievalProfile, await self._open().put(f"retrieval-profiles/{name}", body))

    async def _context(self, request: ContextRequest) -> Context:
        body = dump(as_json(request))
        return read_answer(Context, await self._open().post("context", body, repeatable=True))

    async def _search(self, request: SearchRequest) -> SearchResult:
        body = dump(as_json(request))
        return read_answer(SearchResult, await self._open().post("search", body, repeatable=True))

    async def _query(self, request: QueryRequest) -> QueryResult:
        body = dump(as_json(request))
        return read_answer(QueryResult, await self._open().post("query", body, repeatable=True))

    async def _query_stream(self, request: QueryRequest) -> AsyncGenerator[QueryEvent, None]:
        body = dump(as_json(request))
        async with self._open().stream("query", body) as response, aclosing(events_of(response)) as events:
            async for event in events:
                yield event
