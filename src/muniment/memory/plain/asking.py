"""Asking, in the plain form."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from typing import Any, Unpack

from muniment.memory.plain.waiting import Waiting
from muniment.model.context import Context, Unit
from muniment.model.events import QueryEvent
from muniment.model.namespace import Namespace
from muniment.model.profile import RetrievalProfile
from muniment.model.request import RetrievalOptions
from muniment.model.result import QueryResult, SearchResult


class PlainAsking(Waiting):
    """As ``Asking``, waiting."""

    def search(
        self, query: str, *, namespace: Namespace | None = None, **options: Unpack[RetrievalOptions]
    ) -> SearchResult:
        """Records that bear on the query; see ``AsyncMuniment.search``."""
        return self._loop.call(self._memory.search(query, namespace=namespace, **options))

    def context(
        self,
        question: str,
        *,
        units: Sequence[Unit] = ("raw", "fact", "profile"),
        tokens: int = 1200,
        namespace: Namespace | None = None,
        **options: Unpack[RetrievalOptions],
    ) -> Context:
        """What bears on a question, for a model to read; see ``AsyncMuniment.context``."""
        return self._loop.call(
            self._memory.context(question, units=units, tokens=tokens, namespace=namespace, **options)
        )

    def query(
        self, question: str, *, namespace: Namespace | None = None, **options: Unpack[RetrievalOptions]
    ) -> QueryResult:
        """A cited answer, or an abstention; see ``AsyncMuniment.query``."""
        return self._loop.call(self._memory.query(question, namespace=namespace, **options))

    def query_stream(
        self, question: str, *, namespace: Namespace | None = None, **options: Unpack[RetrievalOptions]
    ) -> Generator[QueryEvent, None, None]:
        """What happens while a question is answered, the result last; see ``AsyncMuniment.query_stream``."""
        events = self._memory.query_stream(question, namespace=namespace, **options)
        try:
            while (event := self._loop.call(_next(events))) is not None:
                yield event
        finally:
            self._loop.call(events.aclose())

    def profiles(self) -> list[RetrievalProfile]:
        """The retrieval profiles that searches may name."""
        return self._loop.call(self._memory.profiles())

    def profile(self, name: str) -> RetrievalProfile:
        """The retrieval profile in force under the name."""
        return self._loop.call(self._memory.profile(name))

    def put_profile(self, name: str, changes: Mapping[str, Any], *, base: str | None = None) -> RetrievalProfile:
        """Changes the tenant's profile of this name; see ``AsyncMuniment.put_profile``."""
        return self._loop.call(self._memory.put_profile(name, changes, base=base))


async def _next(events: AsyncGenerator[QueryEvent, None]) -> QueryEvent | None:
    return await anext(events, None)
