"""The scale benchmark: how long searches take in a large store, and what it takes on disk.

A store is filled once and kept where a data directory is named; asked again, it is only measured. Searches go through
the retriever as anybody's do, the question's vector being given, one after the other over one process.
"""

import asyncio
import json
import os
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from muniment.bench.scale_corpus import question_vectors, questions, vocabulary
from muniment.bench.scale_load import Load, Loader
from muniment.bench.scale_measure import (
    DEFAULT,
    Asked,
    PreparedVectors,
    ScaleOptions,
    disk,
    lexical_overlap,
    quantiles,
    stage_times,
    time_searches,
    vector_recall,
)
from muniment.bench.scale_open_loop import under_load
from muniment.database.pool import Database
from muniment.database.setup import PreparedDatabase, prepare
from muniment.errors import MunimentError
from muniment.log.writer import Writer
from muniment.model.namespace import Namespace
from muniment.providers.models import register_model
from muniment.retrieval.engine import Retriever
from muniment.settings import Settings

_MANIFEST = "scale.json"
_SMALL = 1000  # records of each tenant beside the large one
_JUDGED = 25  # questions for which the exact answers are computed
_SEED = 7
Advance = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Scale:
    """The size of a store: one tenant of ``records`` in ``spaces`` users' spaces, beside ``tenants`` small ones."""

    records: int = 10_000
    spaces: int = 1
    tenants: int = 0

    @property
    def total(self) -> int:
        """Records of all tenants."""
        return self.records + self.tenants * _SMALL


@dataclass(frozen=True, slots=True)
class Loaded:
    """A filled store: what ``scale.json`` in its directory says."""

    scale: Scale
    large: int
    small: list[int]
    seconds: float


async def run_scale(
    settings: Settings, scale: Scale, count: int, out: Path | None, advance: Advance, *,
    cold: bool = True, busy: bool = False, options: ScaleOptions = DEFAULT,
) -> dict[str, Any]:  # fmt: skip
    """Fills the store of the settings unless it is filled, measures, writes the report to ``out`` and gives it.

    ``count`` questions are asked warm, a fifth of them also cold: after a restart of the embedded server, with none of
    its files in the system's cache; ``busy`` also asks them at a steady rate while a client writes, and what it wrote
    stays in the store. Raises ``store.not_permitted`` where the administrator's URL is not known.
    """
    prepared = await asyncio.to_thread(prepare, settings)
    try:
        loaded = await _loaded(settings, prepared, scale, advance)
        report = {
            "records": scale.records, "spaces": scale.spaces, "small_tenants": scale.tenants, "questions": count,
            "profile": options.profile, "without": list(options.without), "repeat": options.repeat,
            "load_seconds": loaded.seconds, "cores": os.cpu_count(),
        } | await _measured(settings, prepared, loaded, count, busy, options)  # fmt: skip
    finally:
        prepared.close()
    if cold and prepared.server is not None:
        report["cold"] = await _cold(settings, prepared, loaded, max(5, count // 5), options)
    if out is not None:
        await asyncio.to_thread(out.write_text, json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return report


async def _loaded(settings: Settings, prepared: PreparedDatabase, scale: Scale, advance: Advance) -> Loaded:
    manifest = settings.store_dir / _MANIFEST
    if manifest.exists():
        known = json.loads(manifest.read_text(encoding="utf-8"))
        if known["scale"] != asdict(scale):
            raise MunimentError("input.invalid", "the store was filled for another scale", **known["scale"])
        return Loaded(scale, known["large"], known["small"], known["seconds"])
    if prepared.admin_url is None:
        raise MunimentError("store.not_permitted", "filling a store for measuring needs the administrator's URL")
    database = Database(prepared.app_url, settings)
    try:
        model_no = await register_model(database, PreparedVectors({}))
        advance(0, scale.total)
        start = time.perf_counter()
        loader = Loader(database, prepared.admin_url, vocabulary(), model_no, advance)
        loads = [Load(scale.records, scale.spaces, _SEED)]
        loads += [Load(_SMALL, 1, _SEED + number) for number in range(1, scale.tenants + 1)]
        large, *small = await loader.load(loads)
        loaded = Loaded(scale, large, small, round(time.perf_counter() - start, 1))
    finally:
        await database.close()
    manifest.write_text(json.dumps(asdict(loaded)), encoding="utf-8")
    return loaded


def _ask(loaded: Loaded, count: int, seed: int) -> list[Asked]:
    """Questions to the large tenant; with many spaces each to one user's, with small tenants each to one of them."""
    texts = questions(vocabulary(), count, seed)
    vectors = question_vectors(_SMALL if loaded.small else loaded.scale.records, count, seed).tolist()
    rng = random.Random(seed)
    asked = []
    for text, vector in zip(texts, vectors, strict=True):
        space = rng.randint(1, loaded.scale.spaces)
        whose = Namespace(user_id=f"user-{space}") if loaded.scale.spaces > 1 else Namespace(project_id="scale")
        if loaded.small:
            asked.append(Asked(rng.choice(loaded.small), Namespace(project_id="scale"), [1], text, vector))
        else:
            asked.append(Asked(loaded.large, whose, [space], text, vector))
    return asked


async def _measured(
    settings: Settings, prepared: PreparedDatabase, loaded: Loaded, count: int, busy: bool, options: ScaleOptions
) -> dict[str, Any]:
    warming, asked = _ask(loaded, max(20, count // 2), _SEED + 1), _ask(loaded, count, _SEED)
    database = Database(prepared.app_url, settings)
    admin = Database(prepared.admin_url or prepared.app_url, settings)
    try:
        # who asks in a store of many asked before: else it is the system's file cache that is measured
        shared = not loaded.small and loaded.scale.spaces == 1
        before = [] if shared else _asked_before(loaded, asked, _SEED + 3)
        embedder = PreparedVectors({each.question: each.vector for each in warming + before + asked})
        model_no = await register_model(database, embedder)
        retriever = Retriever(database, embedder, model_no, settings)
        await time_searches(retriever, warming, replace(options, repeat=1))
        first, _ = await time_searches(retriever, before, replace(options, repeat=1))
        since = datetime.now(UTC)
        load = os.getloadavg()[0]
        times, _ = await time_searches(retriever, asked, options)
        visible = _SMALL if loaded.small else loaded.scale.records // loaded.scale.spaces
        report: dict[str, Any] = {
            "load_average": round(load, 2),
            "warm": quantiles(times),
            **({"first_of_each": quantiles(first)} if first else {}),
            "stages": await stage_times(admin, since),
            "bm25_overlap_at_10": await lexical_overlap(database, retriever, asked[:_JUDGED], visible),
            "ann_recall_at_100": await vector_recall(database, retriever, asked[:_JUDGED], visible),
            "disk": await disk(admin, loaded.scale.total),
        }
        if busy:
            writer = Writer(database, None, None, settings)
            report["busy"] = await under_load(retriever, writer, asked, report["warm"]["p95_ms"], options)
        return report
    finally:
        await database.close()
        await admin.close()


def _asked_before(loaded: Loaded, asked: Sequence[Asked], seed: int) -> list[Asked]:
    """For each question another one by the same tenant and user."""
    others = _ask(loaded, len(asked), seed)
    return [replace(each, question=o.question, vector=o.vector) for each, o in zip(asked, others, strict=True)]


async def _cold(
    settings: Settings, prepared: PreparedDatabase, loaded: Loaded, count: int, options: ScaleOptions
) -> dict[str, float]:
    server = prepared.server
    assert server is not None
    if not await asyncio.to_thread(server.wait_stopped):
        raise MunimentError("store.busy", "another process uses the store, so that it cannot be measured cold")
    await asyncio.to_thread(_drop_cached, server.data)
    prepared = await asyncio.to_thread(prepare, settings)
    database = Database(prepared.app_url, settings)
    try:
        asked = _ask(loaded, count, _SEED + 2)
        embedder = PreparedVectors({each.question: each.vector for each in asked})
        model_no = await register_model(database, embedder)
        times, _ = await time_searches(
            Retriever(database, embedder, model_no, settings), asked, replace(options, repeat=1)
        )
        return quantiles(times) | {"first_ms": round(times[0], 2), "questions": count}
    finally:
        await database.close()
        prepared.close()


def _drop_cached(directory: Path) -> None:
    """Asks the system to forget what it holds of the files, which must have been written out."""
    os.sync()
    for path in directory.rglob("*"):
        if path.is_file():
            handle = os.open(path, os.O_RDONLY)
            try:
                os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(handle)


def figures(report: dict[str, Any]) -> list[tuple[str, str]]:
    """The report in lines of a table: what, and how much."""
    warm, cold = report["warm"], report.get("cold")
    rows = [
        ("records", f"{report['records']:,}"),
        ("search, warm, p50 / p95", f"{warm['p50_ms']} / {warm['p95_ms']} ms"),
    ]
    if first := report.get("first_of_each"):
        rows.append(("  the question before by each of those who ask", f"{first['p50_ms']} / {first['p95_ms']} ms"))
    if cold:
        rows.append(("search, cold, p50 / p95 / first", f"{cold['p50_ms']} / {cold['p95_ms']} / {cold['first_ms']} ms"))
    if busy := report.get("busy"):
        rows += _busy_figures(busy)
    rows += [(f"  stage {name}", f"{t['p50_ms']} / {t['p95_ms']} ms") for name, t in report["stages"].items()]
    rows += [
        ("BM25 overlap@10 with the exhaustive sum", str(report["bm25_overlap_at_10"])),
        ("ANN recall@100 with the exact scan", str(report["ann_recall_at_100"])),
        ("disk a record", f"{report['disk']['bytes_per_record']:,} bytes"),
    ]
    return rows + [(f"  {name}", f"{size:,} bytes") for name, size in report["disk"]["of_these"].items()]


def _busy_figures(busy: dict[str, Any]) -> list[tuple[str, str]]:
    alone, beside = busy["alone"], busy["while_writing"]
    rate = f"{busy['searches_per_second']} a second, half the capacity"
    written = f"{busy['written_per_second']:,.0f} records/s written"
    return [
        (f"search, {rate}, p50 / p95", f"{alone['p50_ms']} / {alone['p95_ms']} ms"),
        (f"  with {written}, p50 / p95", f"{beside['p50_ms']} / {beside['p95_ms']} ms"),
        ("  its p95 over that of one search at a time", str(busy["ratio"])),
        ("  searches that were not whole", str(alone["partial"] + beside["partial"])),
    ]
