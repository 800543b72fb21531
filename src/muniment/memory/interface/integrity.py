"""The whole log: signed, checked, exported, and its indexes computed anew."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from pathlib import Path

from muniment.memory.interface.part import Part
from muniment.model.archive import ArchiveSummary
from muniment.model.result import ValidationReport

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""


class Integrity(Part):
    """The log as a whole."""

    @abstractmethod
    async def checkpoint(self) -> str:
        """A signed note over the log as it stands, to be kept where the store cannot reach it."""

    @abstractmethod
    async def export(self, path: str | Path) -> ArchiveSummary:
        """Writes the whole tenant with its proofs to a new file, as ``docs/archive.md`` says; ``.gz`` is compressed.

        Raises ``archive.file_unusable``.
        """

    @abstractmethod
    async def validate(self, *, checkpoint: str | None = None) -> ValidationReport:
        """Checks the log and every index against each other, and against a ``checkpoint`` kept outside."""

    @abstractmethod
    async def rebuild(self, *, progress: Progress | None = None) -> dict[str, int]:
        """Drops every index and computes it from the log again; the rows of each. A server reports no progress."""
