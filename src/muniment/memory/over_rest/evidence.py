"""Records, sources and proofs over REST."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from muniment.memory.interface.evidence import Evidence
from muniment.memory.over_rest.connected import Connected
from muniment.memory.wire import LARGEST_PAGE, as_query, path_part, read_answer
from muniment.model.filters import Kind
from muniment.model.namespace import Namespace
from muniment.model.proofs import RecordProof
from muniment.model.result import Record, RecordPage
from muniment.model.source import Preview, Source


class _SourcePage(BaseModel):
    sources: list[Source]
    next: str | None = None


class RemoteEvidence(Connected, Evidence):
    """Reading the log of a server."""

    async def record(self, record_id: str) -> Record:
        return read_answer(Record, await self._open().get(f"records/{path_part(record_id, 'record')}"))

    async def preview(self, record_id: str) -> Preview:
        source = (await self.record(record_id)).source_id
        return read_answer(Preview, await self._open().get(f"sources/{source}/preview", {"record": record_id}))

    async def content(self, source_id: str, *, version: int | None = None) -> bytes:
        return await self._open().get(f"sources/{path_part(source_id, 'source')}/content", {"version": version})

    async def proof(self, record_id: str) -> RecordProof:
        return read_answer(RecordProof, await self._open().get(f"records/{path_part(record_id, 'record')}/proof"))

    async def sources(self, *, limit: int = 50, namespace: Namespace | None = None) -> list[Source]:
        found: list[Source] = []
        cursor: str | None = None
        while len(found) < limit:
            asked = {"limit": min(limit - len(found), LARGEST_PAGE), "cursor": cursor}
            page = read_answer(
                _SourcePage, await self._open().get("sources", asked | as_query(namespace or self.namespace))
            )
            found += page.sources
            cursor = page.next
            if cursor is None:
                break
        return found

    async def source(self, source_id: str) -> Source:
        return read_answer(Source, await self._open().get(f"sources/{path_part(source_id, 'source')}"))

    async def _records(
        self,
        namespace: Namespace,
        limit: int,
        cursor: str | None,
        group_id: str | None,
        source_id: str | None,
        include_closed: bool,
        kind: Kind | None,
    ) -> RecordPage:
        asked: dict[str, Any] = {
            "limit": limit,
            "cursor": cursor,
            "group_id": group_id,
            "source_id": source_id,
            "include_closed": "true" if include_closed else None,
            "kind": kind,
        }
        return read_answer(RecordPage, await self._open().get("records", asked | as_query(namespace)))
