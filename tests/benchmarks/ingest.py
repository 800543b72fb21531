"""Ingest throughput: until records are sealed and lexically searchable, and until they are embedded too.

    python tests/benchmarks/ingest.py --data LOCOMO.json [--batch 100]

The turns of the file go in as message batches: once by one writer without and with embedding, ten times over by one
writer (each copy into a space of its own), and by eight writers into one tenant at once. Each measurement has a store
of its own; figures are records a second.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

from muniment.bench.locomo_data import read_conversations
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.runtime import Runtime, open_runtime
from muniment.settings import Settings

Batch = tuple[str, str, list[Message]]


def batches_of(data: Path, size: int) -> list[Batch]:
    """(conversation, group, messages) of at most ``size`` turns; the turns' ids are left out, so that all append."""
    made: list[Batch] = []
    for conversation in read_conversations(data):
        turns = [
            message.model_copy(update={"id": None}) for session in conversation.sessions for message in session.turns
        ]
        for start in range(0, len(turns), size):
            made.append((conversation.name, f"batch-{start}", turns[start : start + size]))
    return made


@asynccontextmanager
async def fresh_store(pool: int) -> AsyncIterator[Runtime]:
    """A new store, in which jobs run only when they are drained."""
    with tempfile.TemporaryDirectory(prefix="muniment-bench-") as directory:
        async with open_runtime(Settings(data_dir=Path(directory), pool_size=pool), run_jobs=False) as runtime:
            yield runtime


async def write(
    runtime: Runtime, batches: list[Batch], copy: int = 0, wait: Literal["lexical", "default"] = "lexical"
) -> None:
    """Writes all batches, one after the other."""
    for conversation, group, messages in batches:
        namespace = Namespace(project_id=conversation, user_id=f"copy-{copy}")
        await runtime.writer.ingest_messages(runtime.tenant.number, namespace, messages, group_id=group, wait=wait)


def say(what: str, records: int, seconds: float) -> None:
    """One line of the result."""
    sys.stdout.write(f"{what:<58} {records:>7} records {seconds:>8.2f} s {records / seconds:>9.0f} records/s\n")
    sys.stdout.flush()


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--batch", type=int, default=100)
    arguments = parser.parse_args()
    batches = batches_of(arguments.data, arguments.batch)
    records = sum(len(messages) for _, _, messages in batches)
    async with fresh_store(1) as runtime:
        start = time.perf_counter()
        await write(runtime, batches)
        say("one writer, sealed and lexically searchable", records, time.perf_counter() - start)
        start = time.perf_counter()
        await runtime.runner.drain()
        say("  jobs after it: vectors, similar records, merges", records, time.perf_counter() - start)
    async with fresh_store(1) as runtime:
        start = time.perf_counter()
        await write(runtime, batches, copy=0)
        for copy in range(1, 10):
            await write(runtime, batches, copy=copy)
        say("one writer, ten times the data", 10 * records, time.perf_counter() - start)
    async with fresh_store(8) as runtime:
        start = time.perf_counter()
        await asyncio.gather(*(write(runtime, batches, copy=copy) for copy in range(8)))
        say("eight writers, one tenant", 8 * records, time.perf_counter() - start)
    async with fresh_store(1) as runtime:
        small = [
            (conversation, f"{group}-{start}", messages[start : start + runtime.settings.embed_inline_limit])
            for conversation, group, messages in batches
            for start in range(0, len(messages), runtime.settings.embed_inline_limit)
        ]
        if runtime.embedder is not None:
            await runtime.embedder.embed(["loads the model, which is not what is measured"])
        start = time.perf_counter()
        await write(runtime, small, wait="default")
        say("one writer, embedded when ingest returns", records, time.perf_counter() - start)


if __name__ == "__main__":
    asyncio.run(main())
