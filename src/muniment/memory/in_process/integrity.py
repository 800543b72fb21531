"""The store's log and indexes as a whole."""

from __future__ import annotations

from pathlib import Path

from muniment.archive.exporting import export_to_file
from muniment.memory.in_process.opened import Opened
from muniment.memory.interface.integrity import Integrity, Progress
from muniment.model.archive import ArchiveSummary
from muniment.model.result import ValidationReport
from muniment.rebuild import rebuild


class LocalIntegrity(Opened, Integrity):
    """The store's log as a whole."""

    async def checkpoint(self) -> str:
        runtime = await self._open()
        return await runtime.checkpoint(runtime.tenant.number)

    async def export(self, path: str | Path) -> ArchiveSummary:
        runtime = await self._open()
        return await export_to_file(runtime.database, runtime.tenant.number, Path(path))

    async def validate(self, *, checkpoint: str | None = None) -> ValidationReport:
        runtime = await self._open()
        return await runtime.validate(runtime.tenant.number, checkpoint=checkpoint)

    async def rebuild(self, *, progress: Progress | None = None) -> dict[str, int]:
        runtime = await self._open()
        return await rebuild(runtime, runtime.tenant.number, progress=progress)
