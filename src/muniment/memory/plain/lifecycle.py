"""Corrections and erasures, in the plain form."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.memory.plain.waiting import Waiting
from muniment.model.lifecycle import Erasure, LifecycleEvent, RecordHistory


class PlainLifecycle(Waiting):
    """As ``Lifecycle``, waiting."""

    def correct(self, record_id: str, text: str, *, reason: str) -> LifecycleEvent:
        """Puts a correction in the place of a record; see ``AsyncMuniment.correct``."""
        return self._loop.call(self._memory.correct(record_id, text, reason=reason))

    def forget(self, record_ids: Sequence[str], *, reason: str) -> LifecycleEvent:
        """Lets records no longer count; see ``AsyncMuniment.forget``."""
        return self._loop.call(self._memory.forget(record_ids, reason=reason))

    def retract(self, source_id: str, *, reason: str) -> LifecycleEvent:
        """Lets nothing of a source count any more."""
        return self._loop.call(self._memory.retract(source_id, reason=reason))

    def undo(self, commit: int, *, reason: str) -> LifecycleEvent:
        """Lets count again what the commit closed."""
        return self._loop.call(self._memory.undo(commit, reason=reason))

    def erase(
        self, *, records: Sequence[str] = (), sources: Sequence[str] = (), runs: Sequence[str] = (), reason: str
    ) -> Erasure:
        """Erases records and sources with all that quotes them; see ``AsyncMuniment.erase``."""
        return self._loop.call(self._memory.erase(records=records, sources=sources, runs=runs, reason=reason))

    def erasure(self, erasure_id: str) -> Erasure:
        """How far an erasure is."""
        return self._loop.call(self._memory.erasure(erasure_id))

    def erasures(self) -> list[Erasure]:
        """The receipts, the latest first."""
        return self._loop.call(self._memory.erasures())

    def history(self, record_id: str) -> RecordHistory:
        """All that befell a record, and what stood in its place."""
        return self._loop.call(self._memory.history(record_id))
