"""Ingestion by the writer of this process."""

from __future__ import annotations

from muniment.log.runs import get_run, list_runs
from muniment.memory.in_process.opened import Opened
from muniment.memory.interface.writing import Wait, Writing
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.source import IngestionRun, SourceInput


class LocalWriting(Opened, Writing):
    """Writing into the store."""

    async def runs(self, *, limit: int = 50) -> list[IngestionRun]:
        runtime = await self._open()
        found, _ = await list_runs(runtime.database, runtime.tenant.number, limit=limit, cursor=None)
        return list(found)

    async def run(self, run_id: str) -> IngestionRun:
        runtime = await self._open()
        return await get_run(runtime.database, runtime.tenant.number, run_id)

    async def retry(self, run_id: str) -> IngestionRun:
        runtime = await self._open()
        self._left_work = True
        return await runtime.writer.retry(runtime.tenant.number, run_id)

    async def _ingest_sources(
        self, namespace: Namespace, sources: list[SourceInput], wait: Wait, idempotency_key: str | None,
        run: str | None, more: bool,
    ) -> IngestionRun:  # fmt: skip
        runtime = await self._open()
        self._left_work = True
        return await runtime.writer.ingest_sources(
            runtime.tenant.number,
            namespace,
            sources,
            idempotency_key=idempotency_key,
            wait=wait,
            run=run,
            more=more,
        )

    async def _ingest_messages(
        self, namespace: Namespace, messages: list[Message], group_id: str, wait: Wait, idempotency_key: str | None
    ) -> IngestionRun:
        runtime = await self._open()
        self._left_work = True
        return await runtime.writer.ingest_messages(
            runtime.tenant.number, namespace, messages, group_id=group_id, idempotency_key=idempotency_key, wait=wait
        )
