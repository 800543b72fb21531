"""Corrections, retractions and erasures in the store."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.log.erasure import erase, get_erasure, list_erasures
from muniment.log.history import history
from muniment.log.lifecycle import forget, retract, undo
from muniment.memory.in_process.opened import Opened
from muniment.memory.interface.lifecycle import Lifecycle
from muniment.model.lifecycle import Erasure, LifecycleEvent, RecordHistory


class LocalLifecycle(Opened, Lifecycle):
    """Changing what counts in the store."""

    async def correct(self, record_id: str, text: str, *, reason: str) -> LifecycleEvent:
        runtime = await self._open()
        self._left_work = True
        return await runtime.writer.correct(runtime.tenant.number, record_id, text, reason=reason)

    async def forget(self, record_ids: Sequence[str], *, reason: str) -> LifecycleEvent:
        runtime = await self._open()
        return await forget(runtime.database, runtime.tenant.number, record_ids, reason)

    async def retract(self, source_id: str, *, reason: str) -> LifecycleEvent:
        runtime = await self._open()
        return await retract(runtime.database, runtime.tenant.number, source_id, reason)

    async def undo(self, commit: int, *, reason: str) -> LifecycleEvent:
        runtime = await self._open()
        return await undo(runtime.database, runtime.tenant.number, commit, reason)

    async def erase(
        self, *, records: Sequence[str] = (), sources: Sequence[str] = (), runs: Sequence[str] = (), reason: str
    ) -> Erasure:
        runtime = await self._open()
        self._left_work = True
        return await erase(
            runtime.database, runtime.tenant.number, records=records, sources=sources, runs=runs, reason=reason
        )

    async def erasure(self, erasure_id: str) -> Erasure:
        runtime = await self._open()
        return await get_erasure(runtime.database, runtime.tenant.number, erasure_id)

    async def erasures(self) -> list[Erasure]:
        runtime = await self._open()
        return await list_erasures(runtime.database, runtime.tenant.number)

    async def history(self, record_id: str) -> RecordHistory:
        runtime = await self._open()
        return await history(runtime.database, runtime.tenant.number, record_id)
