"""What befalls a record after it came: corrected, forgotten, retracted, erased, and that undone."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from muniment.memory.interface.part import Part
from muniment.model.lifecycle import Erasure, LifecycleEvent, RecordHistory


class Lifecycle(Part):
    """Changing one's mind: all but an erasure stays in the log and can be undone."""

    @abstractmethod
    async def correct(self, record_id: str, text: str, *, reason: str) -> LifecycleEvent:
        """Puts a correction in the place of a record, which stays in the log; raises ``record.not_found``, ``_live``.

        The log keeps each ``reason`` for good.
        """

    @abstractmethod
    async def forget(self, record_ids: Sequence[str], *, reason: str) -> LifecycleEvent:
        """Lets records no longer count, nor what is derived from them alone; raises ``record.not_found``, ``_live``."""

    @abstractmethod
    async def retract(self, source_id: str, *, reason: str) -> LifecycleEvent:
        """Lets nothing of a source count any more; raises ``source.not_found``."""

    @abstractmethod
    async def undo(self, commit: int, *, reason: str) -> LifecycleEvent:
        """Lets count again what the commit closed; raises ``commit.not_found``, ``commit.not_undoable``."""

    @abstractmethod
    async def erase(
        self, *, records: Sequence[str] = (), sources: Sequence[str] = (), runs: Sequence[str] = (), reason: str
    ) -> Erasure:
        """Erases records, sources, and what ingestion runs brought or keep of what failed, with all that quotes them.

        There is no way back. Gives the receipt.

        When it returns nothing of the content is in the database's rows; a job then rewrites its files. Raises
        ``record.not_found``, ``source.not_found`` and ``run.not_found``.
        """

    @abstractmethod
    async def erasure(self, erasure_id: str) -> Erasure:
        """How far an erasure is; raises ``erasure.not_found``."""

    @abstractmethod
    async def erasures(self) -> list[Erasure]:
        """The receipts, the latest first, at most 500."""

    @abstractmethod
    async def history(self, record_id: str) -> RecordHistory:
        """All that befell a record, and what stood in its place; raises ``record.not_found``."""
