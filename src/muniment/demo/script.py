"""What the demonstration ingests and asks, and what it must get back."""

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from muniment.memory import AsyncMuniment
from muniment.model.namespace import Namespace
from muniment.model.result import QueryResult
from muniment.model.source import IngestionRun, SourceInput
from muniment.sources.message_list import parse_message_list

NAMESPACE = Namespace(project_id="harbour-ferries")
CHAT = "chat:gate-team"
PLAN = "migration-plan.md"
HANDBOOK = "gate-handbook.md"


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and where the answer must come from: ``source`` at ``version``, with ``words`` in the excerpt.

    A question without a source must be answered by an abstention.
    """

    text: str
    source: str | None = None
    version: int = 1
    words: str = ""


QUESTIONS = (
    Question("In which night does the migration run?", PLAN, 2, "19 May 2026"),
    Question("What does error GATE-417 mean?", HANDBOOK, 1, "older than six hours"),
    Question("Where is the spare key of the south turnstile?", CHAT, 1, "behind the coffee machine"),
    Question("How much budget did the harbour office approve for the new modems?", CHAT, 1, "18,400 euros"),
    Question("Who decides whether a pier returns to the old service?", PLAN, 2, "Amara Osei"),
    Question("What is the melting point of tungsten?"),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question with what came back, and whether that is right."""

    question: Question
    result: QueryResult
    right: bool


def _corpus(name: str) -> Path:
    return Path(str(files("muniment.demo") / "corpus" / name))


async def ingest_corpus(memory: AsyncMuniment) -> list[IngestionRun]:
    """The chat, both documents, and later the new version of one of them."""
    handbook = SourceInput(kind="file", path=_corpus(HANDBOOK), source_key=HANDBOOK)
    plan = SourceInput(kind="file", path=_corpus(PLAN), source_key=PLAN)
    later = SourceInput(kind="file", path=_corpus("migration-plan.later.md"), source_key=PLAN)
    chat = parse_message_list(_corpus("chat.json").read_bytes())
    return [
        await memory.ingest_messages(messages=chat, group_id=CHAT),
        await memory.ingest([handbook, plan]),
        await memory.ingest(later),
    ]


async def ask(memory: AsyncMuniment, question: Question) -> Outcome:
    """Asks one question and judges the answer by its citations alone."""
    result = await memory.query(question.text)
    if question.source is None:
        return Outcome(question, result, result.abstain and not result.citations)
    cited = [(c.source_key, c.source_version, c.excerpt) for c in result.citations]
    right = any(
        key == question.source and version == question.version and question.words in " ".join(excerpt.split())
        for key, version, excerpt in cited
    )
    stale = any(key == PLAN and version == 1 for key, version, _ in cited)
    return Outcome(question, result, right and not stale and not result.abstain)
