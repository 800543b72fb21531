"""Measures searches in a loaded store: latencies through the retriever, and how near the indexes come to exact sums."""

import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from muniment.bench.scale_corpus import DIMENSIONS
from muniment.database.pool import Database
from muniment.database.queries import query
from muniment.database.vectors import vector_text
from muniment.model.namespace import Namespace
from muniment.model.request import SearchRequest
from muniment.retrieval.engine import Retriever


class PreparedVectors:
    """An embedder at no cost: gives each question the vector that was prepared for it."""

    name = f"benchmark:scale:{DIMENSIONS}"
    dimensions = DIMENSIONS

    def __init__(self, vectors: Mapping[str, list[float]]) -> None:
        self._vectors = vectors

    async def embed(self, texts: Sequence[str], *, background: bool = False) -> list[list[float]]:
        return [self._vectors[text] for text in texts]

    async def warm(self) -> None: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, its vector, and in whose memory it is asked."""

    tenant: int
    namespace: Namespace
    spaces: list[int]
    question: str
    vector: list[float]


def quantiles(milliseconds: Sequence[float]) -> dict[str, float]:
    """Median and 95th percentile."""
    ordered = sorted(milliseconds)
    return {
        "p50_ms": round(statistics.median(ordered), 2),
        "p95_ms": round(ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 2),
    }


@dataclass(frozen=True, slots=True)
class ScaleOptions:
    """How is searched: by which profile, ``without`` which routes and stages, each question ``repeat`` times."""

    profile: str | None = None
    without: tuple[str, ...] = ()
    repeat: int = 1

    def request(self, each: Asked) -> SearchRequest:
        """The search for a question."""
        return SearchRequest(
            query=each.question, namespace=each.namespace, profile=self.profile, without=list(self.without)
        )


DEFAULT = ScaleOptions()


async def time_searches(
    retriever: Retriever, asked: Sequence[Asked], options: ScaleOptions = DEFAULT
) -> tuple[list[float], list[list[str]]]:
    """Milliseconds of each search, one after the other, and its hits; the embedder must give vectors at no cost.

    All questions are asked before any is again. What a search says to be incomplete is a failed measurement:
    RuntimeError.
    """
    times, hits = [], []
    for each in list(asked) * options.repeat:
        request = options.request(each)
        start = time.perf_counter()
        result = await retriever.search(each.tenant, request)
        times.append((time.perf_counter() - start) * 1000)
        hits.append([hit.record_id for hit in result.hits])
        if result.notes:
            raise RuntimeError(f"a search was not whole: {result.notes}")
    return times, hits


async def stage_times(admin: Database, since: datetime) -> dict[str, dict[str, float]]:
    """Median and 95th percentile of each stage of the query runs that began since a moment, whoever asked."""
    async with admin.transaction() as connection:
        rows = await connection.execute(query("scale.stage_times"), {"since": since})
        return {row.name: {"p50_ms": round(row.p50, 2), "p95_ms": round(row.p95, 2)} for row in rows}


async def lexical_overlap(database: Database, retriever: Retriever, asked: Sequence[Asked], documents: int) -> float:
    """The mean share of the ten best by the exhaustive sum of BM25 that the lexical route has among its ten best.

    ``documents`` is how many records each question sees.
    """
    parameters = retriever.profile.lexical
    shares = []
    for each in asked:
        values: dict[str, Any] = {
            "spaces": each.spaces, "question": each.question, "language": parameters.language, "known_at": None,
            "k1": parameters.k1, "b": parameters.b, "limit": parameters.limit,
        }  # fmt: skip
        async with database.scope(each.tenant, seconds=300) as scope:
            found = await scope.rows("scale.lexical", **values, cap=parameters.capped(documents))
            best = await scope.rows("scale.lexical_exhaustive", **values)
        wanted = {row["record_no"] for row in best[:10]}
        if wanted:
            shares.append(len(wanted & {row["record_no"] for row in found[:10]}) / len(wanted))
    return round(statistics.mean(shares), 4) if shares else 1.0


async def vector_recall(database: Database, retriever: Retriever, asked: Sequence[Asked], documents: int) -> float:
    """The mean share of the 100 nearest by the exact scan that the semantic route has among its 100 best.

    ``documents`` is how many records each question sees.
    """
    wanted = retriever.profile.semantic.wanted(10)
    exact_to = database.settings.vector_exact_limit
    shares = []
    for each in asked:
        values: dict[str, Any] = {
            "spaces": each.spaces, "model": retriever.tools.model_no, "vector": vector_text(each.vector),
            "known_at": None, "limit": wanted,
        }  # fmt: skip
        async with database.scope(each.tenant, seconds=300) as scope:
            found = await scope.rows("vector.search", **values, exact=documents <= exact_to)
            best = await scope.rows("vector.search", **values, exact=True)
        nearest = {row["record_no"] for row in best[:100]}
        shares.append(len(nearest & {row["record_no"] for row in found[:100]}) / max(1, len(nearest)))
    return round(statistics.mean(shares), 4)


async def disk(admin: Database, records: int) -> dict[str, Any]:
    """Bytes of the tables and indexes, in all and a record, the largest first; small ones are in ``rest``."""
    async with admin.transaction() as connection:
        rows = (await connection.execute(query("scale.sizes"))).all()
    total = sum(row.bytes for row in rows)
    large = {row.name: round(row.bytes / records, 1) for row in rows if row.bytes > 0.005 * total}
    return {
        "bytes": total,
        "bytes_per_record": round(total / records, 1),
        "of_these": large | {"rest": round(total / records - sum(large.values()), 1)},
    }
