"""Corrections, retractions and erasures over REST."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.memory.interface.lifecycle import Lifecycle
from muniment.memory.over_rest.connected import Connected
from muniment.memory.wire import dump, path_part, read_answer
from muniment.model.lifecycle import Erasure, ErasureList, LifecycleEvent, RecordHistory


class RemoteLifecycle(Connected, Lifecycle):
    """Changing what counts at a server."""

    async def correct(self, record_id: str, text: str, *, reason: str) -> LifecycleEvent:
        body = dump({"text": text, "reason": reason})
        path = f"records/{path_part(record_id, 'record')}/correct"
        return read_answer(LifecycleEvent, await self._open().post(path, body, repeatable=True))

    async def forget(self, record_ids: Sequence[str], *, reason: str) -> LifecycleEvent:
        body = dump({"records": list(record_ids), "reason": reason})
        return read_answer(LifecycleEvent, await self._open().post("records/forget", body, repeatable=True))

    async def retract(self, source_id: str, *, reason: str) -> LifecycleEvent:
        body = dump({"reason": reason})
        path = f"sources/{path_part(source_id, 'source')}/retract"
        return read_answer(LifecycleEvent, await self._open().post(path, body, repeatable=True))

    async def undo(self, commit: int, *, reason: str) -> LifecycleEvent:
        body = dump({"reason": reason})
        return read_answer(LifecycleEvent, await self._open().post(f"commits/{commit:d}/undo", body, repeatable=True))

    async def erase(
        self, *, records: Sequence[str] = (), sources: Sequence[str] = (), runs: Sequence[str] = (), reason: str
    ) -> Erasure:
        body = dump({"records": list(records), "sources": list(sources), "runs": list(runs), "reason": reason})
        return read_answer(Erasure, await self._open().post("erasures", body, repeatable=True))

    async def erasure(self, erasure_id: str) -> Erasure:
        return read_answer(Erasure, await self._open().get(f"erasures/{path_part(erasure_id, 'erasure')}"))

    async def erasures(self) -> list[Erasure]:
        return read_answer(ErasureList, await self._open().get("erasures")).erasures

    async def history(self, record_id: str) -> RecordHistory:
        return read_answer(RecordHistory, await self._open().get(f"records/{path_part(record_id, 'record')}/history"))
