"""Searches at a rate that does not wait for them, while one client writes: what users feel of a busy server.

Searches come at random moments, as independent users' do (a Poisson process), and a latency counts from the moment at
which its search was due: a server that falls behind is not asked less because of it.
"""

import asyncio
import random
import time
from collections.abc import Sequence
from typing import Any

from muniment.bench.scale_corpus import batches, vocabulary
from muniment.bench.scale_measure import DEFAULT, Asked, ScaleOptions, quantiles
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.retrieval.engine import Retriever

_BATCH = 100  # messages of one write
_DISTINCT = 2000  # made-up messages, which are written again and again
_SEED = 11
_AT_ONCE = 4  # searches under way while the capacity is measured; more only wait for the cores


async def under_load(
    retriever: Retriever, writer: Writer, asked: Sequence[Asked], quiet: float, options: ScaleOptions = DEFAULT
) -> dict[str, Any]:
    """Capacity, and searches at half of it with and without a client that writes; ``quiet`` is their p95 alone, in ms.

    The client writes batches of 100 turns of about 60 words into the memory of the first question, one after the
    other, without vectors. ``ratio`` is the p95 while it writes over ``quiet``.
    """
    capacity = await _capacity(retriever, asked, options)
    alone = await _open_loop(retriever, asked, capacity / 2, options)
    stop = asyncio.Event()
    writing = asyncio.create_task(_write(writer, asked[0], stop))
    try:
        beside = await _open_loop(retriever, asked, capacity / 2, options)
    finally:
        stop.set()
        written = await writing
    return {
        "capacity_per_second": round(capacity, 1),
        "searches_per_second": round(capacity / 2, 1),
        "alone": alone,
        "while_writing": beside,
        "written_per_second": round(written, 1),
        "ratio": round(beside["p95_ms"] / quiet, 2),
    }


async def _search(retriever: Retriever, each: Asked, options: ScaleOptions) -> bool:
    """Whether the search was whole."""
    result = await retriever.search(each.tenant, options.request(each))
    return not result.notes


async def _capacity(retriever: Retriever, asked: Sequence[Asked], options: ScaleOptions) -> float:
    """Searches a second with ``_AT_ONCE`` always under way."""
    waiting = iter(asked)

    async def serve() -> None:
        for each in waiting:
            await _search(retriever, each, options)

    start = time.perf_counter()
    await asyncio.gather(*(serve() for _ in range(_AT_ONCE)))
    return len(asked) / (time.perf_counter() - start)


async def _open_loop(
    retriever: Retriever, asked: Sequence[Asked], rate: float, options: ScaleOptions
) -> dict[str, float]:
    """Milliseconds from the moment at which each search was due, and how many searches were not whole."""
    rng = random.Random(_SEED)
    times: list[float] = []
    partial = 0

    async def one(each: Asked, due: float) -> None:
        nonlocal partial
        partial += not await _search(retriever, each, options)
        times.append((time.perf_counter() - due) * 1000)

    due = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for each in asked:
            due += rng.expovariate(rate)
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            group.create_task(one(each, due))
    return quantiles(times) | {"partial": partial}


async def _write(writer: Writer, whose: Asked, stop: asyncio.Event) -> float:
    """Records written a second, until it is told to stop."""
    made = next(batches(vocabulary(), _DISTINCT, _SEED))
    start, written = time.perf_counter(), 0
    while not stop.is_set():
        first = written % (_DISTINCT - _BATCH)
        messages = [
            Message(speaker=speaker, content=text)
            for speaker, text in zip(
                made.speakers[first : first + _BATCH], made.texts[first : first + _BATCH], strict=True
            )
        ]
        group = f"open-loop-{written // 1000}"
        await writer.ingest_messages(whose.tenant, whose.namespace, messages, group_id=group, wait="lexical")
        written += _BATCH
    return written / (time.perf_counter() - start)
