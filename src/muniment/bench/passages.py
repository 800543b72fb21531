"""Passage retrieval: a corpus of documents and questions about them (HotpotQA and its like).

The corpus has one ``{"id", "title", "text"}`` a line, the questions one ``{"qid", "question", "evidence"}`` a line with
the ids of the passages that hold the answer, and maybe a ``type``; both may be gzipped.
"""

import hashlib
from datetime import UTC, datetime
from pathlib import Path

from muniment.bench.dataset import Advance, Depths, Question, count_tokens, digest_of
from muniment.bench.reading import (
    Unique,
    fitting,
    read_lines,
    stored,
    taken,
    taken_ids,
    taken_qid,
    taken_question,
    unusable,
)
from muniment.model.namespace import Namespace
from muniment.model.result import Hit
from muniment.model.source import SourceInput
from muniment.runtime import Runtime

_BATCH = 50
_SPACE = Namespace(project_id="passages")


def _source(place: str, key: str, text: str) -> SourceInput:
    return fitting(place, lambda: SourceInput(kind="text", text=text, source_key=key))


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
        """The benchmark on these files; raises ``bench.data_invalid`` for others.

        An id stands for one passage, and a qid for one question; evidence names passages of the corpus.
        """
        ids, qids = Unique("id"), Unique("qid")
        sources, texts = [], {}
        for place, item in read_lines(corpus):
            key = ids.take(place, taken(place, item, "id", str))
            text = f"{taken(place, item, 'title', str)}\n{taken(place, item, 'text', str)}"
            if not text.strip():
                raise unusable(place, '"title" and "text" are empty')
            sources.append(_source(place, key, text))
            texts[key] = text
        costs = {key: count_tokens(text) for key, text in texts.items()}
        made = [
            Question(
                qid=qids.take(place, taken_qid(place, item)),
                text=taken_question(place, item),
                kind=taken(place, {"type": "question"} | item, "type", str),
                namespace=_SPACE,
                evidence=taken_ids(place, item, "evidence", texts),
                costs=costs,
            )
            for place, item in read_lines(questions)
        ]
        if not made:
            raise unusable(questions.name, "there is no question in it")
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
            stored("the passage", run, [str(source.source_key) for source in batch])
            fresh += run.created_at >= started
            advance()
        return fresh

    def identify(self, hit: Hit) -> str:
        """The passage's id."""
        return hit.source_key
