"""Passage retrieval: a corpus of documents and questions about them (HotpotQA and its like).

The corpus has one ``{"id", "title", "text"}`` a line, the questions one ``{"qid", "question", "evidence"}`` a line with
the ids of the passages that hold the answer, and maybe a ``type``; both may be gzipped.
"""

import gzip
import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from muniment.bench.dataset import Advance, Depths, Question, count_tokens, digest_of
from muniment.errors import MunimentError
from muniment.model.namespace import Namespace
from muniment.model.result import Hit
from muniment.model.source import SourceInput
from muniment.runtime import Runtime

_BATCH = 50
_SPACE = Namespace(project_id="passages")


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON-lines file, gzipped or not; raises ``source.unreadable``."""
    try:
        data = path.read_bytes()
        text = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        return [json.loads(line) for line in text.decode().splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise MunimentError("source.unreadable", f"{path.name} is not a file of JSON lines: {error}") from error


class Passages:
    """The benchmark on a corpus and its questions. A passage longer than a chunk counts at its best chunk."""

    name = "passages"
    unit = "passages"
    depths = Depths(recall=(2, 5, 10), whole=(2, 5, 10))

    def __init__(self, corpus: list[SourceInput], questions: list[Question], digest: str) -> None:
        self.questions = questions
        self.digest = digest
        self.size = len(corpus)
        self._corpus = [corpus[start : start + _BATCH] for start in range(0, len(corpus), _BATCH)]
        self.batches = len(self._corpus)

    @classmethod
    def read(cls, corpus: Path, questions: Path) -> "Passages":
        """The benchmark on these files; raises ``source.unreadable`` for others."""
        passages, asked = read_lines(corpus), read_lines(questions)
        try:
            texts = {item["id"]: f"{item['title']}\n{item['text']}" for item in passages}
            costs = {key: count_tokens(text) for key, text in texts.items()}
            made = [
                Question(
                    qid=str(item["qid"]),
                    text=item["question"],
                    kind=item.get("type", "question"),
                    namespace=_SPACE,
                    evidence=frozenset(item["evidence"]),
                    costs=costs,
                )
                for item in asked
            ]
        except (KeyError, TypeError) as error:
            raise MunimentError("source.unreadable", f"a line lacks what it must have: {error!r}") from error
        sources = [SourceInput(kind="text", text=text, source_key=key) for key, text in texts.items()]
        return cls(sources, made, digest_of(corpus, questions))

    async def write(self, runtime: Runtime, advance: Advance) -> int:
        """Fifty passages at a time; a batch that the store has is known by its idempotency key."""
        fresh = 0
        for batch in self._corpus:
            content = hashlib.sha256("\0".join(f"{s.source_key}\0{s.text}" for s in batch).encode()).hexdigest()
            started = datetime.now(UTC)
            run = await runtime.writer.ingest_sources(
                runtime.tenant.number, _SPACE, batch, idempotency_key=f"bench:{content}"
            )
            fresh += run.created_at >= started
            advance()
        return fresh

    def identify(self, hit: Hit) -> str:
        """The passage's id."""
        return hit.source_key
