"""One tenant floods the server, another asks and writes now and then: how much longer does the other wait?

Both loops are open: what the steady tenant asks comes at random moments (a Poisson process) that do not wait for
answers, and a latency counts from the moment at which it was due; the flood comes at twice what the server can do.
"""

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from muniment.bench.scale_corpus import batches, questions, vocabulary
from muniment.bench.scale_measure import quantiles
from muniment.errors import MunimentError
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.request import SearchRequest
from muniment.runtime import Runtime, open_runtime
from muniment.settings import Settings
from muniment.tenancy.tenants import create_tenant

_SEED: Final = 5
_QUESTIONS: Final = 500
_AT_ONCE: Final = 4  # searches under way while the capacity is measured
_FLOOD: Final = 2.0  # times the capacity
_STEADY: Final = 0.2  # of the capacity
_WRITES_A_SECOND: Final = 2.0
_SMALL: Final = 5  # messages of one write of the steady tenant
_LARGE: Final = 100  # of one of the flood's
_WRITERS: Final = 16
_HOME: Final = Namespace(project_id="home")

Work = Callable[[], Awaitable[None]]


@dataclass(slots=True)
class _Counted:
    """What became of a flood: how much was done, and how much was turned away."""

    done: int = 0
    refused: int = 0


class Fairness:
    """Two tenants of one store with so many made-up records each, and what they do."""

    def __init__(self, runtime: Runtime, flooding: int, steady: int, records: int) -> None:
        self._runtime = runtime
        self.flooding, self.steady = flooding, steady
        made = next(batches(vocabulary(), records, _SEED))
        self._messages = [
            Message(speaker=speaker, content=text)
            for speaker, text in zip(made.speakers, made.texts, strict=True)
        ]  # fmt: skip
        self._questions = questions(vocabulary(), _QUESTIONS, _SEED)
        self._rng = random.Random(_SEED)
        self._written = 0

    async def fill(self) -> None:
        """Stores the records of both tenants, with their vectors."""
        for tenant in (self.flooding, self.steady):
            for start in range(0, len(self._messages), _LARGE):
                await self._ingest(tenant, self._messages[start : start + _LARGE], f"filled-{start}")
        await self._runtime.runner.drain()

    def search(self, tenant: int) -> Work:
        """A search of the tenant, for one of the questions."""

        async def work() -> None:
            asked = SearchRequest(query=self._rng.choice(self._questions), namespace=_HOME)
            await self._runtime.retriever.search(tenant, asked)

        return work

    def write(self, tenant: int, size: int) -> Work:
        """A write of the tenant: so many messages, into a conversation of their own."""

        async def work() -> None:
            self._written += 1
            first = self._rng.randrange(max(1, len(self._messages) - size))
            await self._ingest(tenant, self._messages[first : first + size], f"written-{self._written}")

        return work

    async def _ingest(self, tenant: int, messages: list[Message], group: str) -> None:
        await self._runtime.writer.ingest_messages(tenant, _HOME, messages, group_id=group, wait="lexical")


async def run_fairness(settings: Settings, records: int, asked: int, written: int, out: Path) -> dict[str, Any]:
    """Fills a new store and measures; the report is also written to ``out`` as JSON."""
    async with open_runtime(settings, run_jobs=False) as runtime:
        flooding, steady = [(await create_tenant(runtime.database, name)).number for name in ("flooding", "steady")]
        tenants = Fairness(runtime, flooding, steady, records)
        await tenants.fill()
        report = await measure(tenants, asked, written)
    report = {"records": records, "asked": asked, "written": written, **report}
    await asyncio.to_thread(out.write_text, json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return report


async def measure(tenants: Fairness, asked: int, written: int) -> dict[str, Any]:
    """The steady tenant's latencies alone and beside each flood; ``ratio`` is p95 beside it over p95 alone."""
    search, write = tenants.search(tenants.steady), tenants.write(tenants.steady, _SMALL)
    capacity = await _capacity(search)
    rate = _STEADY * capacity

    def searches() -> Awaitable[dict[str, float]]:
        return _open_loop(search, rate, asked)

    def writes() -> Awaitable[dict[str, float]]:
        return _open_loop(write, _WRITES_A_SECOND, written)

    report: dict[str, Any] = {"capacity_per_second": round(capacity, 1), "searches_per_second": round(rate, 1)}
    alone = {"searches": await searches(), "writes": await writes()}
    report["alone"] = alone
    floods: dict[str, Callable[[_Counted], Awaitable[None]]] = {
        "beside_searches": lambda told: _pour(tenants.search(tenants.flooding), _FLOOD * capacity, told),
        "beside_writes": lambda told: _press(tenants.write(tenants.flooding, _LARGE), told),
    }
    for name, flood in floods.items():
        found: dict[str, Any] = {}
        for what, steady in (("searches", searches), ("writes", writes)):
            told = _Counted()
            start = time.perf_counter()
            async with _flooded(flood(told)):
                found[what] = await steady()
            found[what]["flood_per_second"] = round(told.done / (time.perf_counter() - start), 1)
            found[what]["ratio"] = round(found[what]["p95_ms"] / alone[what]["p95_ms"], 2)
        report[name] = found
    return report


async def _capacity(search: Work) -> float:
    """Searches a second with a few always under way."""

    async def serve() -> None:
        for _ in range(_QUESTIONS // _AT_ONCE):
            await search()

    start = time.perf_counter()
    await asyncio.gather(*(serve() for _ in range(_AT_ONCE)))
    return _QUESTIONS / (time.perf_counter() - start)


async def _open_loop(work: Work, rate: float, count: int) -> dict[str, float]:
    """Milliseconds from the moment at which each piece of work was due."""
    rng = random.Random(_SEED)
    times: list[float] = []
    refused = 0

    async def one(due: float) -> None:
        nonlocal refused
        try:
            await work()
        except MunimentError:
            refused += 1
        times.append((time.perf_counter() - due) * 1000)

    due = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(count):
            due += rng.expovariate(rate)
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            group.create_task(one(due))
    return quantiles(times) | {"refused": refused}


@asynccontextmanager
async def _flooded(flood: Awaitable[None]) -> AsyncIterator[None]:
    """While the block runs, the flood does too; it has a second before, in which a queue grows."""
    flooding = asyncio.ensure_future(flood)
    try:
        await asyncio.sleep(1)
        yield
    finally:
        flooding.cancel()
        with suppress(asyncio.CancelledError):
            await flooding


async def _pour(work: Work, rate: float, told: _Counted) -> None:
    """Begins work at a rate, whatever becomes of it."""
    due = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        while True:
            due += 1 / rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            group.create_task(_tried(work, told))


async def _press(work: Work, told: _Counted) -> None:
    """Keeps a number of clients at work, each beginning anew as soon as it has ended."""

    async def client() -> None:
        while True:
            await _tried(work, told)

    await asyncio.gather(*(client() for _ in range(_WRITERS)))


async def _tried(work: Work, told: _Counted) -> None:
    try:
        await work()
        told.done += 1
    except MunimentError:
        told.refused += 1
