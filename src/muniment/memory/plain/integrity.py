"""The whole log, in the plain form."""

from __future__ import annotations

from pathlib import Path

from muniment.memory.interface.integrity import Progress
from muniment.memory.plain.waiting import Waiting
from muniment.model.archive import ArchiveSummary
from muniment.model.result import ValidationReport


class PlainIntegrity(Waiting):
    """As ``Integrity``, waiting."""

    def checkpoint(self) -> str:
        """A signed note over the log as it stands."""
        return self._loop.call(self._memory.checkpoint())

    def export(self, path: str | Path) -> ArchiveSummary:
        """Writes the whole tenant with its proofs to a new file."""
        return self._loop.call(self._memory.export(path))

    def validate(self, *, checkpoint: str | None = None) -> ValidationReport:
        """Checks the log and every index against each other."""
        return self._loop.call(self._memory.validate(checkpoint=checkpoint))

    def rebuild(self, *, progress: Progress | None = None) -> dict[str, int]:
        """Drops every index and computes it again; ``progress`` is called on another thread."""
        return self._loop.call(self._memory.rebuild(progress=progress))
