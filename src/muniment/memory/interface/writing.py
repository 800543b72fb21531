"""What goes into memory: sources and messages, in ingestion runs."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from muniment.errors import MunimentError
from muniment.memory.inputs import messages_from, sources_from
from muniment.memory.interface.part import Part
from muniment.model.message import Message, in_language
from muniment.model.namespace import Namespace
from muniment.model.source import IngestionRun, SourceInput
from muniment.sources.trees import open_tree

Wait = Literal["default", "lexical", "indexed"]


class Writing(Part):
    """Writing: each source of a run succeeds or fails alone, messages go in together or not at all."""

    async def ingest(
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
        """Ingests a source, or several, each of which succeeds or fails alone: the run tells the state of each.

        A source is a ``SourceInput``, or a mapping of its fields, which raises ``input.*`` where it is none.
        A single source that failed raises its error, unless ``raise_on_failure`` is False; with True the first
        failure among several is raised too, after all were tried. ``wait="indexed"`` also waits for the vectors
        of large input, ``"lexical"`` makes no vectors before it returns. With ``run`` they are added to that run, which
        is given back with their items only; with ``more`` others follow, and the run is ``running`` until a call that
        adds the last of them without it. The same call with the same ``idempotency_key`` is done once.
        """
        alone = isinstance(sources, SourceInput | Mapping)
        several = sources_from(sources)
        done = await self._ingest_sources(namespace or self.namespace, several, wait, idempotency_key, run, more)
        if alone if raise_on_failure is None else raise_on_failure:
            _raise_first_failure(done)
        return done

    async def ingest_tree(
        self,
        place: str | Path,
        *,
        source_key: str | None = None,
        namespace: Namespace | None = None,
        wait: Wait = "default",
    ) -> IngestionRun:
        """Ingests a directory, or a git repository by its path or its https address, as one run: each file, and at last
        the list of all contents, under the name of the directory with ``/`` behind it.

        Ingested again, what changed is touched and what vanished is ``archived``. With a ``source_key`` that is the key
        of the list, and the files have keys that begin with it. Raises ``source.unreadable`` where nothing is there.
        """
        tree = await asyncio.to_thread(open_tree, place, self._limits(), source_key)
        run: str | None = None
        batches = tree.batches()
        batch = await asyncio.to_thread(next, batches, None)
        while batch:
            following = await asyncio.to_thread(next, batches, None)
            done = await self.ingest(
                batch, namespace=namespace, wait=wait, raise_on_failure=False, run=run, more=following is not None
            )
            run, batch = run or done.id, following
        assert run is not None  # the list of contents is always there
        return await self.run(run)

    async def ingest_messages(
        self,
        messages: Sequence[Message | Mapping[str, Any]],
        *,
        group_id: str,
        namespace: Namespace | None = None,
        wait: Wait = "default",
        idempotency_key: str | None = None,
        language: str | None = None,
    ) -> IngestionRun:
        """Appends messages to the conversation ``group_id``: all of them, or it raises and none is stored.

        A message is a ``Message``, or a mapping of its fields, as in ``{"role": "Maya", "content": "Hello"}``.
        ``language`` is that of those that name none themselves; else their words tell it.
        """
        checked = in_language(messages_from(messages), language)
        run = await self._ingest_messages(namespace or self.namespace, checked, group_id, wait, idempotency_key)
        _raise_first_failure(run)
        return run

    @abstractmethod
    async def runs(self, *, limit: int = 50) -> list[IngestionRun]:
        """The newest ingestion runs of the tenant, at most ``limit``."""

    @abstractmethod
    async def run(self, run_id: str) -> IngestionRun:
        """One ingestion run; raises ``run.not_found``."""

    @abstractmethod
    async def retry(self, run_id: str) -> IngestionRun:
        """Tries the failed sources of a run again; raises ``run.not_found`` or ``source.retry_impossible``."""

    @abstractmethod
    async def _ingest_sources(
        self, namespace: Namespace, sources: list[SourceInput], wait: Wait, idempotency_key: str | None,
        run: str | None, more: bool,
    ) -> IngestionRun: ...  # fmt: skip

    @abstractmethod
    async def _ingest_messages(
        self, namespace: Namespace, messages: list[Message], group_id: str, wait: Wait, idempotency_key: str | None
    ) -> IngestionRun: ...


def _raise_first_failure(run: IngestionRun) -> None:
    for item in run.items:
        if item.error is not None:
            error = MunimentError(item.error.code, item.error.detail)
            error.facts = item.error.facts | {"run": run.id, "index": item.index}
            raise error
