"""Passage retrieval: a corpus of documents and questions about them (HotpotQA and its like).

The corpus has one ``{"id", "title", "text"}`` a line, the questions one ``{"qid", "question", "evidence"}`` a line with
the ids of the passages that hold the answer; both may be gzipped.
"""

import gzip
import json
import time
from pathlib import Path
from typing import Any

from muniment.bench.locomo import Advance
from muniment.errors import MunimentError
from muniment.model.namespace import Namespace
from muniment.model.result import SearchRequest
from muniment.model.source import SourceInput
from muniment.runtime import Runtime

_BATCH = 50


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON-lines file, gzipped or not; raises ``source.unreadable``."""
    try:
        data = path.read_bytes()
        text = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        return [json.loads(line) for line in text.decode().splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise MunimentError("source.unreadable", f"{path.name} is not a file of JSON lines: {error}") from error


def recall(ranked: list[str], gold: set[str], k: int) -> float:
    """The share of ``gold`` among the first ``k``."""
    return len(gold & set(ranked[:k])) / len(gold)


async def measure(
    runtime: Runtime, corpus: list[dict[str, Any]], questions: list[dict[str, Any]], advance: Advance
) -> dict[str, Any]:
    """Ingests the passages, searches for each question, and gives recall@2, @5 and @10 and latencies in milliseconds.

    A passage longer than a chunk counts at its best chunk. The passages' space is the project ``passages``.
    """
    space = Namespace(project_id="passages")
    advance(0, len(corpus) + len(questions))
    for start in range(0, len(corpus), _BATCH):
        batch = corpus[start : start + _BATCH]
        sources = [
            SourceInput(kind="text", text=f"{item['title']}\n{item['text']}", source_key=item["id"]) for item in batch
        ]
        await runtime.writer.ingest_sources(runtime.tenant.number, space, sources)
        advance(len(batch))
    await runtime.runner.drain()
    rows: list[dict[str, float]] = []
    for item in questions:
        start_time = time.perf_counter()
        request = SearchRequest(query=item["question"], namespace=space, top_k=50)
        result = await runtime.retriever.search(runtime.tenant.number, request)
        spent = (time.perf_counter() - start_time) * 1000
        ranked = list(dict.fromkeys(hit.source_key for hit in result.hits))
        gold = set(item["evidence"])
        rows.append({f"R@{k}": 100 * recall(ranked, gold, k) for k in (2, 5, 10)} | {"ms": spent})
        advance()
    latencies = sorted(row["ms"] for row in rows) or [0.0]
    means = {f"R@{k}": round(sum(row[f"R@{k}"] for row in rows) / max(1, len(rows)), 1) for k in (2, 5, 10)}
    return means | {
        "passages": len(corpus),
        "questions": len(questions),
        "search p50 ms": round(latencies[len(latencies) // 2], 2),
        "search p95 ms": round(latencies[int(len(latencies) * 0.95)], 2),
    }
