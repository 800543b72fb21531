"""What memory is asked: searches, contexts, questions, and the profiles that they rank by."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Unpack

from muniment.memory.inputs import context_request, query_request, search_request
from muniment.memory.interface.part import Part
from muniment.model.context import Context, ContextRequest, Unit
from muniment.model.events import QueryEvent
from muniment.model.namespace import Namespace
from muniment.model.profile import RetrievalProfile
from muniment.model.request import QueryRequest, RetrievalOptions, SearchRequest
from muniment.model.result import QueryResult, SearchResult


class Asking(Part):
    """Asking, in plain words and with filters, as of a time or a commit."""

    async def search(
        self, query: str, *, namespace: Namespace | None = None, **options: Unpack[RetrievalOptions]
    ) -> SearchResult:
        """Records that bear on the query, best first, at most ``top_k`` (10).

        ``group_id`` keeps to one conversation, ``filters`` to what they say, ``known_at`` to the log as it was after
        that commit, ``as_of`` to what had happened or been said by then. ``asked_at`` is the question's own time,
        ``profile`` a retrieval profile, ``language`` the question's, ``without`` names routes and stages to leave out,
        ``timeout`` is in seconds.
        """
        return await self._search(search_request(query, namespace or self.namespace, options))

    async def context(
        self,
        question: str,
        *,
        units: Sequence[Unit] = ("raw", "fact", "profile"),
        tokens: int = 1200,
        namespace: Namespace | None = None,
        **options: Unpack[RetrievalOptions],
    ) -> Context:
        """What bears on a question, for a model to read: records, facts, episodes and profiles as ``units`` says.

        All together have at most ``tokens`` (estimated). Only records are evidence; the others name theirs. Other
        parameters as of ``search``.
        """
        return await self._context(context_request(question, namespace or self.namespace, units, tokens, options))

    async def query(
        self, question: str, *, namespace: Namespace | None = None, **options: Unpack[RetrievalOptions]
    ) -> QueryResult:
        """An answer with its citations, or an abstention. Parameters as of ``search``.

        It is made of the log's own words, unless a language model is configured where the store is.
        """
        return await self._query(query_request(question, namespace or self.namespace, options))

    async def query_stream(
        self, question: str, *, namespace: Namespace | None = None, **options: Unpack[RetrievalOptions]
    ) -> AsyncGenerator[QueryEvent, None]:
        """What happens while a question is answered: stages, evidence, the answer piece by piece, the result last.

        Pieces of the answer are provisional: only the result has been checked. Parameters as of ``search``; close the
        iterator, or end it, to let go of the question.
        """
        request = query_request(question, namespace or self.namespace, options)
        async with aclosing(self._query_stream(request)) as events:
            async for event in events:
                yield event

    @abstractmethod
    async def profiles(self) -> list[RetrievalProfile]:
        """The retrieval profiles that searches may name, built in or the tenant's own, by name."""

    @abstractmethod
    async def profile(self, name: str) -> RetrievalProfile:
        """The one in force under the name; raises ``profile.not_found``."""

    @abstractmethod
    async def put_profile(self, name: str, changes: Mapping[str, Any], *, base: str | None = None) -> RetrievalProfile:
        """Makes the tenant's profile of this name the built-in ``base`` with ``changes``, in a new version.

        ``changes`` are nested as ``RetrievalProfile.parameters`` are: ``{"lexical": {"k1": 1.4}}``. A built-in name,
        such as ``default``, is taken over. Raises ``input.invalid`` for a parameter that is not there or out of range.
        """

    @abstractmethod
    async def _context(self, request: ContextRequest) -> Context: ...

    @abstractmethod
    async def _search(self, request: SearchRequest) -> SearchResult: ...

    @abstractmethod
    async def _query(self, request: QueryRequest) -> QueryResult: ...

    @abstractmethod
    def _query_stream(self, request: QueryRequest) -> AsyncGenerator[QueryEvent, None]: ...
