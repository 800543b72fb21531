"""Questions about things that are told in a corpus, and as many about things that never are.

The directory has ``documents/*.md``, ``chats/*.json`` (messages as ``muniment ingest --messages`` takes them, each with
an id that no other chat has) and ``questions.jsonl``: one ``{"qid", "question", "answerable", "kind", "evidence"}`` a
line, where evidence names documents by their file names and messages by their ids. All of it goes into one space.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from muniment.bench.dataset import Advance, Depths, Question, count_tokens, digest_of
from muniment.bench.reading import Unique, read_lines, reading, taken, taken_ids, taken_qid, taken_question, unusable
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.result import Hit
from muniment.model.source import SourceInput
from muniment.runtime import Runtime
from muniment.sources.message_list import parse_message_list

_SPACE = Namespace(project_id="answerability")


class Answerability:
    """The benchmark on one directory."""

    name = "answerability"
    unit = "documents and messages"
    depths = Depths(recall=(1, 5, 10), whole=(5, 10))

    def __init__(
        self,
        documents: Sequence[SourceInput],
        chats: dict[str, list[Message]],
        questions: list[Question],
        digest: str,
    ) -> None:
        self.documents = list(documents)
        self.chats = chats
        self.questions = questions
        self.digest = digest
        self.size = len(self.documents) + sum(len(messages) for messages in chats.values())
        self.batches = len(chats) + bool(documents)

    @classmethod
    def read(cls, directory: Path) -> "Answerability":
        """The benchmark on this directory; raises ``bench.data_invalid`` for another, and for messages that cannot be
        what ``parse_message_list`` raises."""
        documents, chats = sorted(directory.glob("documents/*.md")), sorted(directory.glob("chats/*.json"))
        asked = directory / "questions.jsonl"
        talk, texts = {}, {}
        for path in chats:
            with reading(f"chats/{path.name}"):
                talk[path.stem] = parse_message_list(path.read_bytes())
        for path in documents:
            with reading(f"documents/{path.name}"):
                texts[path.name] = path.read_text(encoding="utf-8")
        costs = {name: count_tokens(text) for name, text in texts.items()}
        for messages in talk.values():
            costs |= {str(m.id): count_tokens(f"{m.speaker or m.role}: {m.content}") for m in messages}
        questions, qids = [], Unique("qid")
        for place, item in read_lines(asked):
            qid = qids.take(place, taken_qid(place, item))
            evidence = taken_ids(place, item, "evidence", costs)
            answerable = taken(place, item, "answerable", bool)
            if bool(evidence) != answerable:
                must = "an answerable question has evidence" if answerable else "one that is not answerable has none"
                raise unusable(place, must, qid=qid)
            text, kind = taken_question(place, item), taken(place, item, "kind", str)
            questions.append(Question(qid, text, kind, _SPACE, evidence, costs, answerable))
        if not questions:
            raise unusable(asked.name, "there is no question in it")
        sources = [SourceInput(kind="text", text=text, source_key=name) for name, text in texts.items()]
        return cls(sources, talk, questions, digest_of(*documents, *chats, asked))

    async def write(self, runtime: Runtime, advance: Advance) -> int:
        """The documents at once, then a batch a chat; what the store has is known by its idempotency key."""
        tenant, fresh = runtime.tenant.number, 0
        for name, messages in self.chats.items():
            started = datetime.now(UTC)
            run = await runtime.writer.ingest_messages(
                tenant, _SPACE, messages, group_id=name, idempotency_key=f"bench:{self.digest[:16]}:{name}"
            )
            fresh += run.created_at >= started
            advance()
        if self.documents:
            started = datetime.now(UTC)
            run = await runtime.writer.ingest_sources(
                tenant, _SPACE, self.documents, idempotency_key=f"bench:{self.digest[:16]}:documents"
            )
            fresh += run.created_at >= started
            advance()
        return fresh

    def identify(self, hit: Hit) -> str:
        """The document's file name, or the message's id."""
        return str(hit.locator.get("message_id") or hit.source_key)
