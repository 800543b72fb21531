"""Records, sources and proofs, read from the store."""

from __future__ import annotations

from muniment.log.previews import get_content, preview
from muniment.log.proofs import prove_record
from muniment.log.records import get_record, list_records
from muniment.log.sources import get_source, list_sources
from muniment.memory.in_process.opened import Opened
from muniment.memory.interface.evidence import Evidence
from muniment.model.filters import Kind
from muniment.model.namespace import Namespace
from muniment.model.proofs import RecordProof
from muniment.model.result import Record, RecordPage
from muniment.model.source import Preview, Source


class LocalEvidence(Opened, Evidence):
    """Reading the store's log."""

    async def record(self, record_id: str) -> Record:
        runtime = await self._open()
        return await get_record(runtime.database, runtime.tenant.number, record_id)

    async def preview(self, record_id: str) -> Preview:
        runtime = await self._open()
        return await preview(runtime.database, runtime.tenant.number, record_id)

    async def content(self, source_id: str, *, version: int | None = None) -> bytes:
        runtime = await self._open()
        return (await get_content(runtime.database, runtime.tenant.number, source_id, version)).data

    async def proof(self, record_id: str) -> RecordProof:
        runtime = await self._open()
        return await prove_record(runtime.database, runtime.tenant.number, record_id)

    async def sources(self, *, limit: int = 50, namespace: Namespace | None = None) -> list[Source]:
        runtime = await self._open()
        found, _ = await list_sources(
            runtime.database, runtime.tenant.number, namespace or self.namespace, limit=limit, cursor=None
        )
        return list(found)

    async def source(self, source_id: str) -> Source:
        runtime = await self._open()
        return await get_source(runtime.database, runtime.tenant.number, source_id)

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
        runtime = await self._open()
        return await list_records(
            runtime.database,
            runtime.tenant.number,
            namespace,
            limit=limit,
            cursor=cursor,
            group_id=group_id,
            source_id=source_id,
            include_closed=include_closed,
            kind=kind,
        )
