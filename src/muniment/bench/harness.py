"""A benchmark from its data to its report: ingested into a store, its questions asked, scored, and written down."""

import asyncio
import os
import platform
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from muniment.bench.dataset import Advance, Benchmark, Ingested
from muniment.bench.plots import draw_run
from muniment.bench.report import run_report
from muniment.bench.runs import META, REPORT, RUN, SCORES, Line, open_directory, write_json, write_lines
from muniment.bench.scores import score_run
from muniment.bench.searching import Options, search_all
from muniment.database.queries import query
from muniment.runtime import Runtime, open_runtime
from muniment.settings import Settings


@contextmanager
def store_for(settings: Settings, keep: bool) -> Iterator[Settings]:
    """The settings as they are where their store is to be kept; else with a temporary one, never anybody's own."""
    if keep:
        yield settings
        return
    with tempfile.TemporaryDirectory(prefix="muniment-bench-") as directory:
        yield settings.model_copy(update={"data_dir": Path(directory) / "store", "database_url": None})


async def run_benchmark(
    settings: Settings, benchmark: Benchmark, out: Path, options: Options, advance: Advance
) -> dict[str, Any]:
    """Opens the store of the settings, runs the benchmark in it, and writes the run into the directory ``out``.

    Gives the figures as they stand in ``scores.json``. Raises ``input.invalid`` for an unknown profile, route or
    stage, and where ``out`` is a file.
    """
    open_directory(out)
    async with open_runtime(settings, run_jobs=False) as runtime:
        return await measure(runtime, benchmark, out, options, advance)


async def measure(
    runtime: Runtime, benchmark: Benchmark, out: Path, options: Options, advance: Advance
) -> dict[str, Any]:
    """The benchmark on an open store; ``advance`` is told of each batch written and each question asked."""
    asked = len(options.chosen(benchmark.questions)) * (options.repeat + options.ask)
    advance(0, benchmark.batches + asked)
    ingested = await ingest(runtime, benchmark, advance)
    lines, profile = await search_all(runtime, benchmark, options, advance)
    meta = await describe(runtime, benchmark, options, profile, ingested)
    return await asyncio.to_thread(write_run, out, meta, lines)


def write_run(out: Path, meta: dict[str, Any], lines: list[Line]) -> dict[str, Any]:
    """Writes run, scores, report and plots into the directory, and gives the scores."""
    open_directory(out)
    scores = score_run(lines)
    write_lines(out / RUN, lines)
    write_json(out / META, meta)
    write_json(out / SCORES, scores)
    plots = draw_run(out, lines)
    (out / REPORT).write_text(run_report(meta, scores, plots), encoding="utf-8")
    return scores


async def ingest(runtime: Runtime, benchmark: Benchmark, advance: Advance) -> Ingested:
    """Puts the data in and works off the jobs; what an earlier run put into the store is not sent again."""
    start = time.perf_counter()
    fresh = await benchmark.write(runtime, advance)
    written = time.perf_counter() - start
    await runtime.runner.drain()
    return Ingested(benchmark.batches, fresh, written, time.perf_counter() - start)


async def describe(
    runtime: Runtime, benchmark: Benchmark, options: Options, profile: dict[str, Any], ingested: Ingested
) -> dict[str, Any]:
    """What the run was made with and on: enough to say whether two runs can be compared. No paths, no names."""
    embedder = runtime.embedder
    rate = benchmark.size / ingested.written if ingested.fresh == ingested.batches and ingested.written else None
    return {
        "benchmark": benchmark.name,
        "data_sha256": benchmark.digest,
        "size": {benchmark.unit: benchmark.size, "questions": len(options.chosen(benchmark.questions))},
        "profile": profile,
        "parameters": {
            "without": sorted(options.without),
            "repeat": options.repeat,
            "top_k": min(options.top_k, runtime.settings.max_top_k),
            "limit_questions": options.limit,
            "context_hits": benchmark.depths.context,
        },
        "ingest": {
            "batches": ingested.batches,
            "fresh_batches": ingested.fresh,
            f"{benchmark.unit}_per_second": None if rate is None else round(rate, 1),
            "seconds_until_jobs_done": round(ingested.drained, 2),
        },
        "muniment": version("muniment"),
        "embedding_model": None if embedder is None else embedder.name,
        "machine": await machine_facts(runtime),
    }


async def machine_facts(runtime: Runtime) -> dict[str, Any]:
    """What of the machine bears on times: cores, the load when asked, and the versions that do the work."""
    async with runtime.database.transaction() as connection:
        number = (await connection.execute(query("setup.role_facts"))).mappings().one()["server_version"]
        vector = (await connection.execute(query("setup.vector_version"))).scalar()
    return {
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "load_average": round(os.getloadavg()[0], 2),
        "architecture": platform.machine(),
        "python": platform.python_version(),
        "postgresql": f"{number // 10000}.{number % 10000}",
        "pgvector": vector,
    }
