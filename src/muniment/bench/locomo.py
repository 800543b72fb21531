"""LoCoMo (Maharana et al. 2024): find the turns that hold the answer, in long chats between two people.

Each conversation goes into a space of its own, each of its sessions is a group, each turn a message. The run that is
written is scored elsewhere: one line a question, ``{"qid", "ranked", "score", "ms"}``.
"""

import asyncio
import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from muniment.errors import MunimentError
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.result import SearchRequest, SearchResult
from muniment.runtime import Runtime, open_runtime
from muniment.settings import Settings

Advance = Callable[..., None]
_TIME = "%I:%M %p on %d %B, %Y"
_SESSION = re.compile(r"session_(\d+)")


@dataclass(frozen=True, slots=True)
class Session:
    """One session: its turns in order, all said at ``at`` (the data give one time a session, taken as UTC)."""

    name: str
    at: datetime
    turns: list[dict[str, Any]]

    def messages(self) -> list[Message]:
        """The turns as messages; a shared photo is told by its caption."""
        return [
            Message(content=turn_text(turn), speaker=turn["speaker"], at=self.at, id=turn["dia_id"])
            for turn in self.turns
        ]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation of the data, with its questions by id (sample id # index)."""

    name: str
    sessions: list[Session]
    questions: list[tuple[str, str]]


def turn_text(turn: dict[str, Any]) -> str:
    """What a turn says, with the caption of the photo it shares."""
    caption = turn.get("blip_caption")
    return f"{turn['text']} [shared a photo: {caption}]" if caption else str(turn["text"])


def read_conversations(path: Path) -> list[Conversation]:
    """The conversations of a LoCoMo file; raises ``source.unreadable`` for one that is none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return [
            Conversation(
                item["sample_id"],
                list(_sessions(item["conversation"])),
                [(f"{item['sample_id']}#{index}", question["question"]) for index, question in enumerate(item["qa"])],
            )
            for item in data
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise MunimentError("source.unreadable", f"{path.name} is not a LoCoMo file: {error}") from error


def _sessions(talk: dict[str, Any]) -> Iterator[Session]:
    numbers = sorted(int(match.group(1)) for key in talk if (match := _SESSION.fullmatch(key)))
    for number in numbers:
        at = datetime.strptime(talk[f"session_{number}_date_time"], _TIME).replace(tzinfo=UTC)
        yield Session(f"session_{number}", at, talk[f"session_{number}"])


async def run_locomo(settings: Settings, data: Path, out: Path, advance: Advance) -> dict[str, Any]:
    """Opens the store of the settings, runs the benchmark in it and gives its figures; see ``measure``."""
    conversations = read_conversations(data)
    async with open_runtime(settings, run_jobs=False) as runtime:
        return await measure(runtime, conversations, out, advance)


async def measure(
    runtime: Runtime, conversations: list[Conversation], out: Path, advance: Advance, top_k: int = 100
) -> dict[str, Any]:
    """Ingests the conversations, searches for each question, writes the run to ``out``.

    Gives the number of turns and questions, records ingested a second (sealed and lexically searchable, embedded as
    the settings say), and the latencies of searches in milliseconds, the question's embedding included.
    ``advance`` is told of each session and each question done.
    """
    sessions = sum(len(conversation.sessions) for conversation in conversations)
    turns = sum(len(session.turns) for conversation in conversations for session in conversation.sessions)
    questions = sum(len(conversation.questions) for conversation in conversations)
    advance(0, sessions + questions)
    start = time.perf_counter()
    for conversation in conversations:
        for session in conversation.sessions:
            await runtime.writer.ingest_messages(
                runtime.tenant.number, _space(conversation), session.messages(), group_id=session.name
            )
            advance()
    ingested = time.perf_counter() - start
    await runtime.runner.drain()
    drained = time.perf_counter() - start
    lines: list[dict[str, Any]] = []
    for conversation in conversations:
        for qid, question in conversation.questions:
            lines.append(await _ask(runtime, conversation, qid, question, top_k))
            advance()
    text = "".join(json.dumps(line) + "\n" for line in lines)
    await asyncio.to_thread(out.write_text, text, encoding="utf-8")
    latencies = sorted(line["ms"] for line in lines) or [0.0]
    return {
        "turns": turns,
        "questions": questions,
        "turns ingested a second": round(turns / ingested, 1),
        "seconds until all jobs were done": round(drained, 2),
        "search p50 ms": latencies[len(latencies) // 2],
        "search p95 ms": latencies[int(len(latencies) * 0.95)],
    }


def _space(conversation: Conversation) -> Namespace:
    return Namespace(project_id=conversation.name)


async def _ask(runtime: Runtime, conversation: Conversation, qid: str, question: str, top_k: int) -> dict[str, Any]:
    request = SearchRequest(
        query=question, namespace=_space(conversation), top_k=min(top_k, runtime.settings.max_top_k)
    )
    start = time.perf_counter()
    result: SearchResult = await runtime.retriever.search(runtime.tenant.number, request)
    spent = (time.perf_counter() - start) * 1000
    ranked = [hit.locator["message_id"] for hit in result.hits]
    return {"qid": qid, "ranked": ranked, "score": result.score, "ms": round(spent, 2)}
