"""Writing, in the plain form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from muniment.memory.interface.writing import Wait
from muniment.memory.plain.waiting import Waiting
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.source import IngestionRun, SourceInput


class PlainWriting(Waiting):
    """As ``Writing``, waiting."""

    def ingest(
        self,
        sources: SourceInput | Mapping[str, Any] | Sequence[SourceInput | Mapping[str, Any]],
        *,
        namespace: Namespace | None = None,
        wait: Wait = "default",
        idempotency_key: str | None = None,
        raise_on_failure: bool | None = None,
        run: str | None = None,
        more: bool = False,
    ) -> IngestionRun:
        """Ingests a source, or several; see ``AsyncMuniment.ingest``."""
        return self._loop.call(
            self._memory.ingest(
                sources,
                namespace=namespace,
                wait=wait,
                idempotency_key=idempotency_key,
                raise_on_failure=raise_on_failure,
                run=run,
                more=more,
            )
        )

    def ingest_tree(
        self,
        place: str | Path,
        *,
        source_key: str | None = None,
        namespace: Namespace | None = None,
        wait: Wait = "default",
    ) -> IngestionRun:
        """Ingests a directory or a git repository as one run; see ``AsyncMuniment.ingest_tree``."""
        return self._loop.call(self._memory.ingest_tree(place, source_key=source_key, namespace=namespace, wait=wait))

    def ingest_messages(
        self,
        messages: Sequence[Message | Mapping[str, Any]],
        *,
        group_id: str,
        namespace: Namespace | None = None,
        wait: Wait = "default",
        idempotency_key: str | None = None,
        language: str | None = None,
    ) -> IngestionRun:
        """Appends messages to a conversation; see ``AsyncMuniment.ingest_messages``."""
        return self._loop.call(
            self._memory.ingest_messages(
                messages,
                group_id=group_id,
                namespace=namespace,
                wait=wait,
                idempotency_key=idempotency_key,
                language=language,
            )
        )

    def runs(self, *, limit: int = 50) -> list[IngestionRun]:
        """The newest ingestion runs."""
        return self._loop.call(self._memory.runs(limit=limit))

    def run(self, run_id: str) -> IngestionRun:
        """One ingestion run."""
        return self._loop.call(self._memory.run(run_id))

    def retry(self, run_id: str) -> IngestionRun:
        """Tries the failed sources of a run again."""
        return self._loop.call(self._memory.retry(run_id))
