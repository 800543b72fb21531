"""Ingestion over REST: files are read here and sent along."""

from __future__ import annotations

from pydantic import BaseModel

from muniment.memory.interface.writing import Wait, Writing
from muniment.memory.over_rest.connected import Connected
from muniment.memory.over_rest.sending import send_sources
from muniment.memory.wire import LARGEST_PAGE, as_json, dump, key_or_new, path_part, read_answer
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.source import IngestionRun, SourceInput


class _RunPage(BaseModel):
    runs: list[IngestionRun]
    next: str | None = None


class RemoteWriting(Connected, Writing):
    """Writing to a server."""

    async def runs(self, *, limit: int = 50) -> list[IngestionRun]:
        found: list[IngestionRun] = []
        cursor: str | None = None
        while len(found) < limit:
            asked = {"limit": min(limit - len(found), LARGEST_PAGE), "cursor": cursor}
            page = read_answer(_RunPage, await self._open().get("ingestion-runs", asked))
            found += page.runs
            cursor = page.next
            if cursor is None:
                break
        return found

    async def run(self, run_id: str) -> IngestionRun:
        return read_answer(IngestionRun, await self._open().get(f"ingestion-runs/{path_part(run_id, 'run')}"))

    async def retry(self, run_id: str) -> IngestionRun:
        return read_answer(IngestionRun, await self._open().post(f"ingestion-runs/{path_part(run_id, 'run')}/retry"))

    async def _ingest_sources(
        self, namespace: Namespace, sources: list[SourceInput], wait: Wait, idempotency_key: str | None,
        run: str | None, more: bool,
    ) -> IngestionRun:  # fmt: skip
        return await send_sources(self._open(), namespace, sources, wait, idempotency_key, run, more)

    async def _ingest_messages(
        self, namespace: Namespace, messages: list[Message], group_id: str, wait: Wait, idempotency_key: str | None
    ) -> IngestionRun:
        body = dump(
            {
                "namespace": as_json(namespace),
                "group_id": group_id,
                "messages": [as_json(message) for message in messages],
                "wait": wait,
            }
        )
        answer = await self._open().post("messages", body, idempotency_key=key_or_new(idempotency_key))
        return read_answer(IngestionRun, answer)
