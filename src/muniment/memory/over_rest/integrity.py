"""A server's log and indexes as a whole."""

from __future__ import annotations

import asyncio
from pathlib import Path

from pydantic import BaseModel

from muniment.archive.file import write_archive
from muniment.archive.format import read_through
from muniment.memory.interface.integrity import Integrity, Progress
from muniment.memory.over_rest.connected import Connected
from muniment.memory.wire import dump, read_answer
from muniment.model.archive import ArchiveSummary
from muniment.model.result import ValidationReport


class _Note(BaseModel):
    note: str


class _Rebuilt(BaseModel):
    projections: dict[str, int]


class RemoteIntegrity(Connected, Integrity):
    """The server's log as a whole."""

    async def checkpoint(self) -> str:
        return read_answer(_Note, await self._open().post("checkpoints", repeatable=True)).note

    async def export(self, path: str | Path) -> ArchiveSummary:
        await write_archive(Path(path), self._open().download("archive"))
        return (await asyncio.to_thread(read_through, Path(path)))[1]

    async def validate(self, *, checkpoint: str | None = None) -> ValidationReport:
        body = dump({"checkpoint": checkpoint})
        return read_answer(ValidationReport, await self._open().post("validate", body, repeatable=True))

    async def rebuild(self, *, progress: Progress | None = None) -> dict[str, int]:
        return read_answer(_Rebuilt, await self._open().post("rebuild")).projections
