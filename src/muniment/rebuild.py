"""Rebuilding: every projection of a tenant, computed from its log again, to the same content.

Each step replaces what it rebuilds transaction by transaction, so that searches go on and see no gap larger than a
batch, and writers go on too. Cut short, it is started again from the beginning.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Final, TypeVar

from muniment.audit.chain import record_act
from muniment.database.pool import Scope
from muniment.database.vector_index import ensure_index
from muniment.database.vectors import PendingText, store_pending_vectors
from muniment.derivation.compiling import recompile_all
from muniment.derivation.profiles.compiling import compile_profiles
from muniment.jobs.embedding import BATCH
from muniment.jobs.rederiving import set_derived
from muniment.jobs.summarizing import compiler_of, summarize_anew
from muniment.log.drafts import entities_of
from muniment.log.subjects import Titled, subject_columns
from muniment.log.times import Telling, time_columns
from muniment.runtime import Runtime

_NAMES_BATCH: Final = 1000
_LINK_BATCH: Final = 32

_Row = TypeVar("_Row", PendingText, Telling, Titled)
_Read = Callable[[Scope, int, int], Awaitable[list[_Row]]]
Progress = Callable[[str, int, int], None]
"""Called with the name of a projection, how much of it is done, and how much there is."""


async def rebuild(runtime: Runtime, tenant: int, *, progress: Progress | None = None) -> dict[str, int]:
    """Makes every projection anew: indexes, vectors, claims, summaries and what is read from texts; the rows of each.

    A tenant that has outgrown the exact scan of its vectors gets their index. Without an embedding model vectors and
    similarity are left as they are. Raises ``store.*`` and ``provider.*``.
    """
    async with runtime.database.scope(tenant) as scope:
        await record_act(scope, "rebuild")
    rebuilding = _Rebuild(runtime, tenant, progress or _silent)
    await rebuilding.liveness()
    await rebuilding.lexical()
    await rebuilding.entities()
    await rebuilding.times()
    await rebuilding.subjects()
    await rebuilding.embeddings()
    await rebuilding.vector_index()
    await rebuilding.similarity()
    await rebuilding.claims()
    await rebuilding.summaries()
    return await rebuilding.sizes()


def _silent(_projection: str, _done: int, _total: int) -> None:
    return None


class _Rebuild:
    def __init__(self, runtime: Runtime, tenant: int, progress: Progress) -> None:
        self._runtime = runtime
        self._database = runtime.database
        self._tenant = tenant
        self._progress = progress
        self._seconds = runtime.settings.write_timeout

    async def liveness(self) -> None:
        self._progress("liveness", 0, 1)
        async with self._database.scope(self._tenant, seconds=self._seconds) as scope:
            await scope.execute("rebuild.liveness")
        self._progress("liveness", 1, 1)

    async def lexical(self) -> None:
        async with self._database.scope(self._tenant) as scope:
            spaces = [row["space_id"] for row in await scope.rows("rebuild.spaces")]
        for done, space in enumerate(spaces):
            self._progress("lexical", done, len(spaces))
            async with self._database.scope(self._tenant, seconds=self._seconds) as scope:
                await scope.execute("rebuild.lexical", space=space)
        self._progress("lexical", len(spaces), len(spaces))

    async def entities(self) -> None:
        async for batch in self._batches("entities", _NAMES_BATCH, _texts):
            named = await asyncio.to_thread(_named, batch)
            async with self._database.scope(self._tenant, seconds=self._seconds) as scope:
                await scope.execute("graph.delete_entities", records=[row.record_no for row in batch])
                await scope.execute(
                    "graph.insert_entities",
                    entities=[name for name, _ in named],
                    spaces=[row.space for _, row in named],
                    records=[row.record_no for _, row in named],
                )

    async def times(self) -> None:
        async for batch in self._batches("times", _NAMES_BATCH, _tellings):
            columns = await asyncio.to_thread(time_columns, batch)
            async with self._database.scope(self._tenant, seconds=self._seconds) as scope:
                await scope.execute("temporal.delete", records=[telling.record_no for telling in batch])
                if columns:
                    await scope.execute("temporal.insert", **columns)

    async def subjects(self) -> None:
        async for batch in self._batches("subjects", _NAMES_BATCH, _titled):
            columns = await asyncio.to_thread(subject_columns, batch)
            async with self._database.scope(self._tenant, seconds=self._seconds) as scope:
                await scope.execute("subjects.delete", records=[record.record_no for record in batch])
                if columns:
                    await scope.execute("subjects.insert", **columns)

    async def embeddings(self) -> None:
        embedder, model_no = self._runtime.embedder, self._runtime.model_no
        if embedder is None or model_no is None:
            return
        async for batch in self._batches("embeddings", BATCH, _embedded_texts):
            vectors = await embedder.embed([row.text for row in batch], background=True)
            async with self._database.scope(self._tenant, seconds=self._seconds) as scope:
                await scope.execute("rebuild.delete_vectors", model=model_no, records=[row.record_no for row in batch])
                await store_pending_vectors(scope, model_no, batch, vectors)

    async def vector_index(self) -> None:
        model_no = self._runtime.model_no
        if model_no is not None:
            await ensure_index(self._database, self._runtime.prepared.admin_url, self._tenant, model_no)

    async def similarity(self) -> None:
        model_no = self._runtime.model_no
        if model_no is None:
            return
        async for batch in self._batches("similarity", _LINK_BATCH, _texts):
            records = [row.record_no for row in batch]
            async with self._database.scope(self._tenant, seconds=self._seconds) as scope:
                await scope.execute("graph.delete_similarity", records=records)
                await scope.execute("graph.link", model=model_no, records=records)

    async def claims(self) -> None:
        await recompile_all(self._database, self._tenant, progress=self._progress)
        await set_derived(self._database, self._tenant, "claims")

    async def summaries(self) -> None:
        if self._runtime.settings.summaries == "off":
            return
        await summarize_anew(self._runtime, self._tenant, self._progress)
        await set_derived(self._database, self._tenant, "summaries")
        async with self._database.scope(self._tenant, seconds=self._seconds) as scope:
            await scope.execute("entity_profiles.due_all")
        await compile_profiles(compiler_of(self._runtime), self._tenant)

    async def sizes(self) -> dict[str, int]:
        async with self._database.scope(self._tenant, seconds=self._seconds) as scope:
            row = await scope.row("rebuild.sizes", model=self._runtime.model_no)
        return dict(row or {})

    async def _batches(self, projection: str, size: int, read: "_Read[_Row]") -> AsyncIterator[list[_Row]]:
        """All records with content, in order, ``size`` at a time as ``read`` gives them; tells of the progress."""
        async with self._database.scope(self._tenant, seconds=self._seconds) as scope:
            total: int = await scope.value("rebuild.contents")
        after, done = 0, 0
        self._progress(projection, 0, total)
        while batch := await self._read(read, after, size):
            yield batch
            after = batch[-1].record_no
            done += len(batch)
            self._progress(projection, done, max(done, total))

    async def _read(self, read: "_Read[_Row]", after: int, size: int) -> list[_Row]:
        async with self._database.scope(self._tenant) as scope:
            return await read(scope, after, size)


async def _texts(scope: Scope, after: int, size: int) -> list[PendingText]:
    return await _pending(scope, after, size, fields=False)


async def _embedded_texts(scope: Scope, after: int, size: int) -> list[PendingText]:
    return await _pending(scope, after, size, fields=True)


async def _pending(scope: Scope, after: int, size: int, *, fields: bool) -> list[PendingText]:
    rows = await scope.rows("rebuild.texts", after=after, limit=size, fields=fields)
    return [PendingText(row["space_id"], row["record_no"], row["text"]) for row in rows]


async def _tellings(scope: Scope, after: int, size: int) -> list[Telling]:
    rows = await scope.rows("temporal.texts", after=after, limit=size)
    return [Telling(**row) for row in rows]


async def _titled(scope: Scope, after: int, size: int) -> list[Titled]:
    rows = await scope.rows("subjects.contents", after=after, limit=size)
    return [Titled(**row) for row in rows]


def _named(batch: Sequence[PendingText]) -> list[tuple[str, PendingText]]:
    return [(name, row) for row in batch for name in sorted(entities_of(row.text))]
