"""Reading the log, in the plain form."""

from __future__ import annotations

from muniment.memory.plain.waiting import Waiting
from muniment.model.filters import Kind
from muniment.model.namespace import Namespace
from muniment.model.proofs import RecordProof
from muniment.model.result import Record, RecordPage
from muniment.model.source import Preview, Source


class PlainEvidence(Waiting):
    """As ``Evidence``, waiting."""

    def records(
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
        """A page of records in the order of the log; see ``AsyncMuniment.records``."""
        return self._loop.call(
            self._memory.records(
                limit=limit,
                cursor=cursor,
                group_id=group_id,
                source_id=source_id,
                include_closed=include_closed,
                kind=kind,
                namespace=namespace,
            )
        )

    def record(self, record_id: str) -> Record:
        """One record of the log."""
        return self._loop.call(self._memory.record(record_id))

    def preview(self, record_id: str) -> Preview:
        """A record in its place in its source."""
        return self._loop.call(self._memory.preview(record_id))

    def content(self, source_id: str, *, version: int | None = None) -> bytes:
        """The original bytes of a source; see ``AsyncMuniment.content``."""
        return self._loop.call(self._memory.content(source_id, version=version))

    def proof(self, record_id: str) -> RecordProof:
        """That the log holds the record."""
        return self._loop.call(self._memory.proof(record_id))

    def sources(self, *, limit: int = 50, namespace: Namespace | None = None) -> list[Source]:
        """The newest sources that the namespace sees."""
        return self._loop.call(self._memory.sources(limit=limit, namespace=namespace))

    def source(self, source_id: str) -> Source:
        """One source with its versions."""
        return self._loop.call(self._memory.source(source_id))
