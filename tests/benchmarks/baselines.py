"""Muniment beside BM25, dense and RRF baselines, on the same LoCoMo file, in one run.

    python tests/benchmarks/baselines.py --data LOCOMO.json --scorer SCORE.py [--out DIR] [--store DIR]

The data and the scorer (``SCORE.py LOCOMO.json RUN.jsonl --json``) are named by their paths. The baselines search
the texts "Speaker: text [shared a photo: caption]" of the same conversation: BM25 with k1 1.5 and b 0.75, the
embedding model that the settings name by inner product, and reciprocal rank fusion of both with the constant 60.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
from numpy.typing import NDArray

from muniment.bench.locomo import Conversation, measure, read_conversations, turn_text
from muniment.providers.embedding import Embedder, open_embedder
from muniment.retrieval.formulas.fusion import reciprocal_ranks
from muniment.runtime import open_runtime
from muniment.settings import Settings

DEPTH = 100
RRF_DEPTH = 500
Ranker = Callable[[str, NDArray[np.float32]], list[int]]


def bm25_ranker(texts: list[str]) -> Ranker:
    """Turn indexes by BM25, best first."""
    index = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    index.index(bm25s.tokenize(texts, stopwords="en", show_progress=False), show_progress=False)
    depth = min(RRF_DEPTH, len(texts))

    def rank(question: str, _: NDArray[np.float32]) -> list[int]:
        tokens = bm25s.tokenize([question], stopwords="en", show_progress=False)
        found, scores = index.retrieve(tokens, k=depth, show_progress=False)
        return [int(i) for i, score in zip(found[0], scores[0], strict=True) if score > 0]

    return rank


def dense_ranker(vectors: NDArray[np.float32]) -> Ranker:
    """Turn indexes by cosine, best first."""

    def rank(_: str, vector: NDArray[np.float32]) -> list[int]:
        return [int(i) for i in np.argsort(-(vectors @ vector), kind="stable")[:RRF_DEPTH]]

    return rank


def fused_ranker(rankers: dict[str, Ranker]) -> Ranker:
    """Turn indexes by reciprocal rank fusion with the constant 60."""

    def rank(question: str, vector: NDArray[np.float32]) -> list[int]:
        fused = reciprocal_ranks({name: ranker(question, vector) for name, ranker in rankers.items()}, {}, 60)
        return sorted(fused, key=lambda i: (-fused[i], i))

    return rank


async def run_baselines(conversations: list[Conversation], embedder: Embedder, out: Path) -> list[Path]:
    """Writes one run a baseline into ``out`` and gives their paths."""
    lines: dict[str, list[dict[str, Any]]] = {"bm25": [], "dense": [], "rrf60": []}
    for conversation in conversations:
        turns = [turn for session in conversation.sessions for turn in session.turns]
        texts = [f"{turn['speaker']}: {turn_text(turn)}" for turn in turns]
        vectors = np.array(await embedder.embed(texts), dtype=np.float32)
        bm25, dense = bm25_ranker(texts), dense_ranker(vectors)
        rankers = {"bm25": bm25, "dense": dense, "rrf60": fused_ranker({"bm25": bm25, "dense": dense})}
        for qid, question in conversation.questions:
            start = time.perf_counter()
            vector = np.array((await embedder.embed([question]))[0], dtype=np.float32)
            embedding = time.perf_counter() - start
            for name, ranker in rankers.items():
                start = time.perf_counter()
                ranked = [turns[i]["dia_id"] for i in ranker(question, vector)[:DEPTH]]
                spent = time.perf_counter() - start + (0 if name == "bm25" else embedding)
                lines[name].append({"qid": qid, "ranked": ranked, "ms": round(1000 * spent, 2)})
    paths = []
    for name, run in lines.items():
        paths.append(out / f"{name}.jsonl")
        paths[-1].write_text("".join(json.dumps(line) + "\n" for line in run), encoding="utf-8")
    return paths


async def run_muniment(conversations: list[Conversation], settings: Settings, out: Path) -> tuple[Path, dict[str, Any]]:
    """Writes the run of the product itself, through its writer and retriever, and gives its figures."""
    path = out / "muniment.jsonl"
    async with open_runtime(settings, run_jobs=False) as runtime:
        return path, await measure(runtime, conversations, path, lambda *_: None)


def scored(scorer: Path, data: Path, run: Path) -> dict[str, Any]:
    """The scorer's report on a run."""
    done = subprocess.run(
        [sys.executable, str(scorer), str(data), str(run), "--json"], capture_output=True, text=True, check=True
    )
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def print_table(reports: dict[str, dict[str, Any]]) -> None:
    """One row a system and kind of question."""
    columns = ["R@5", "R@10", "R@25", "all@10", "all@25", "MRR", "R@1200tok", "n"]
    print(f"{'system':10} {'questions':16}" + "".join(f"{column:>10}" for column in columns))
    kinds = [kind for kind, values in next(iter(reports.values())).items() if "n" in values and "p50" not in values]
    for kind in kinds:
        for system, report in reports.items():
            print(f"{system:10} {kind:16}" + "".join(f"{report[kind].get(column, ''):>10}" for column in columns))
    for system, report in reports.items():
        print(f"{system}: latency ms {report.get('latency ms')}, AUROC {report.get('answerability AUROC', 'none')}")


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--scorer", type=Path, required=True)
    parser.add_argument("--out", type=Path, help="where the runs are kept; a temporary directory otherwise")
    parser.add_argument("--store", type=Path, help="the store to use; a temporary one otherwise")
    parser.add_argument("--baselines-only", action="store_true")
    arguments = parser.parse_args()
    conversations = read_conversations(arguments.data)
    with tempfile.TemporaryDirectory(prefix="muniment-bench-") as scratch:
        out = arguments.out or Path(scratch)
        out.mkdir(parents=True, exist_ok=True)
        settings = Settings(data_dir=arguments.store or Path(scratch) / "store")
        embedder = open_embedder(settings)
        if embedder is None:
            parser.error("the dense baseline needs an embedding provider")
        try:
            runs = {path.stem: path for path in await run_baselines(conversations, embedder, out)}
        finally:
            await embedder.close()
        figures: dict[str, Any] = {}
        if not arguments.baselines_only:
            runs["muniment"], figures = await run_muniment(conversations, settings, out)
        print_table({name: scored(arguments.scorer, arguments.data, path) for name, path in runs.items()})
        for name, value in figures.items():
            print(f"muniment, {name}: {value}")


if __name__ == "__main__":
    asyncio.run(main())
