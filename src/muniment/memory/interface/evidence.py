"""What the log holds: records, their sources, and the proof of it."""

from __future__ import annotations

from abc import abstractmethod

from muniment.memory.interface.part import Part
from muniment.model.filters import Kind
from muniment.model.namespace import Namespace
from muniment.model.proofs import RecordProof
from muniment.model.result import Record, RecordPage
from muniment.model.source import Preview, Source


class Evidence(Part):
    """Reading the log itself."""

    async def records(
        self,
        *,
        limit: int = 50,
        cursor: str | None = None,
        group_id: str | None = None,
        source_id: str | None = None,
        include_closed: bool = False,
        kind: Kind | None = None,
        namespace: Namespace | None = None,
    ) -> RecordPage:
        """At most ``limit`` records in the order of the log; ``next`` of a page is the ``cursor`` of the one after.

        ``include_closed`` also lists what no longer counts: archived versions, replaced messages. Without ``kind`` it
        is what was brought in, not the facts that were derived from it.
        """
        return await self._records(
            namespace or self.namespace, limit, cursor, group_id, source_id, include_closed, kind
        )

    @abstractmethod
    async def record(self, record_id: str) -> Record:
        """One record of the log; raises ``record.not_found``."""

    @abstractmethod
    async def preview(self, record_id: str) -> Preview:
        """A record in its place in its source; raises ``record.not_found``, ``source.no_original``."""

    @abstractmethod
    async def content(self, source_id: str, *, version: int | None = None) -> bytes:
        """The original bytes of a source, of its newest version where none is named.

        Raises ``source.not_found``, and ``source.no_original`` for conversations and what was erased.
        """

    @abstractmethod
    async def proof(self, record_id: str) -> RecordProof:
        """That the log holds the record: to be verified by anyone, offline. Raises ``record.not_found``."""

    @abstractmethod
    async def sources(self, *, limit: int = 50, namespace: Namespace | None = None) -> list[Source]:
        """The newest sources that the namespace sees, at most ``limit``."""

    @abstractmethod
    async def source(self, source_id: str) -> Source:
        """One source with its versions; raises ``source.not_found``."""

    @abstractmethod
    async def _records(
        self,
        namespace: Namespace,
        limit: int,
        cursor: str | None,
        group_id: str | None,
        source_id: str | None,
        include_closed: bool,
        kind: Kind | None,
    ) -> RecordPage: ...
