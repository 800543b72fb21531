"""Ingestion over REST: files are read here and sent along."""

from __future__ import annotations

import asyncio
import base64

from pydantic import BaseModel

from muniment.errors import MunimentError
from muniment.memory.interface.writing import Wait, Writing
from muniment.memory.over_rest.connected import Connected
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
        self, namespace: Namespace, sources: list[SourceInput], wait: Wait, idempotency_key: str | None, run: str | None
    ) -> IngestionRun:
        transport = self._open()
        body = await asyncio.to_thread(_sources_body, namespace, sources, wait, run)
        answer = await transport.post("sources/ingest", body, idempotency_key=key_or_new(idempotency_key))
        return read_answer(IngestionRun, answer)

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


def _sources_body(namespace: Namespace, sources: list[SourceInput], wait: Wait, run: str | None) -> bytes:
    return dump(
        {
            "namespace": as_json(namespace),
            "sources": [as_json(_carried(index, source)) for index, source in enumerate(sources)],
            "wait": wait,
            **({} if run is None else {"run": run}),
        }
    )


def _carried(index: int, source: SourceInput) -> SourceInput:
    """The source with its file's bytes in place of its path, which means nothing to the server."""
    if source.path is None:
        return source
    try:
        data = source.path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a valid path"
        raise MunimentError("source.unreadable", f"the file cannot be read: {reason}", index=index) from None
    content = base64.b64encode(data).decode()
    name = source.filename or source.path.name
    return source.model_copy(update={"path": None, "content_base64": content, "filename": name})
