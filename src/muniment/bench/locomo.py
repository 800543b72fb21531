"""LoCoMo (Maharana et al. 2024): find the turns that hold the answer, in long chats between two people.

Each conversation goes into a space of its own, each of its sessions is a group, each turn a message. Questions of
category 5 are adversarial: as asked, the conversation does not answer them.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from muniment.bench.dataset import Advance, Depths, Question, count_tokens, digest_of
from muniment.bench.reading import reading, taken_question, unusable
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.result import Hit
from muniment.runtime import Runtime

KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_TIME = "%I:%M %p on %d %B, %Y"
_SESSION = re.compile(r"session_(\d+)")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class Session:
    """One session: its turns in order, all said at ``at`` (the data give one time a session, taken as UTC).

    ``day`` is its date as the data write it.
    """

    name: str
    at: datetime
    day: str
    turns: list[dict[str, Any]]

    def messages(self) -> list[Message]:
        """The turns as messages; a shared photo is told by its caption."""
        return [
            Message(content=turn_text(turn), speaker=turn["speaker"], at=self.at, id=turn["dia_id"])
            for turn in self.turns
        ]

    def costs(self) -> dict[str, int]:
        """The tokens of each turn as it would stand in a context: with its date and its speaker."""
        return {
            turn["dia_id"]: count_tokens(f"[{self.day}] {turn['speaker']}: {turn_text(turn)}") for turn in self.turns
        }


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation of the data, with its questions; their ids are sample id # index."""

    name: str
    sessions: list[Session]
    questions: list[Question]


def turn_text(turn: dict[str, Any]) -> str:
    """What a turn says, with the caption of the photo it shares."""
    caption = turn.get("blip_caption")
    return f"{turn['text']} [shared a photo: {caption}]" if caption else str(turn["text"])


class LoCoMo:
    """The benchmark on one data file."""

    name = "locomo"
    unit = "turns"
    depths = Depths()

    def __init__(self, conversations: list[Conversation], digest: str) -> None:
        self.conversations = conversations
        self.digest = digest
        sessions = [session for conversation in conversations for session in conversation.sessions]
        self.batches = len(sessions)
        self.size = sum(len(session.turns) for session in sessions)
        self.questions = [question for conversation in conversations for question in conversation.questions]

    @classmethod
    def read(cls, path: Path) -> "LoCoMo":
        """The benchmark on this file; raises ``bench.data_invalid`` for one that is none."""
        return cls(read_conversations(path), digest_of(path))

    async def write(self, runtime: Runtime, advance: Advance) -> int:
        """A batch a session; one that the store has is known by its idempotency key."""
        fresh = 0
        for conversation in self.conversations:
            space = Namespace(project_id=conversation.name)
            for session in conversation.sessions:
                started = datetime.now(UTC)
                run = await runtime.writer.ingest_messages(
                    runtime.tenant.number,
                    space,
                    session.messages(),
                    group_id=session.name,
                    idempotency_key=f"bench:{self.digest[:16]}:{conversation.name}:{session.name}",
                )
                fresh += run.created_at >= started
                advance()
        return fresh

    def identify(self, hit: Hit) -> str:
        """The turn's id."""
        return str(hit.locator["message_id"])


def read_conversations(path: Path) -> list[Conversation]:
    """The conversations of a LoCoMo file; raises ``bench.data_invalid`` for one that is none."""
    with reading(path.name):
        listed = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(listed, list):
        raise unusable(path.name, "it is not a LoCoMo file: a list of conversations")
    found = []
    for number, item in enumerate(listed, 1):
        place = f"{path.name}, conversation {number}"
        with reading(place):
            found.append(_conversation(place, item))
    if not any(conversation.questions for conversation in found):
        raise unusable(path.name, "there is no question in it")
    return found


def _conversation(place: str, item: dict[str, Any]) -> Conversation:
    name, sessions = item["sample_id"], list(_sessions(item["conversation"]))
    costs: dict[str, int] = {}
    for session in sessions:
        costs |= session.costs()
    questions = []
    for index, asked in enumerate(item["qa"]):
        named = (f"D{int(s)}:{int(t)}" for raw in asked["evidence"] for s, t in _EVIDENCE.findall(raw))
        evidence = frozenset(turn for turn in named if turn in costs)
        questions.append(
            Question(
                qid=f"{name}#{index}",
                text=taken_question(f"{place}, question {index + 1}", asked),
                kind=KINDS.get(asked["category"], "other"),
                namespace=Namespace(project_id=name),
                evidence=evidence,
                costs=costs,
                answerable=asked["category"] != 5 if evidence else None,
            )
        )
    return Conversation(name, sessions, questions)


def _sessions(talk: dict[str, Any]) -> Iterator[Session]:
    numbers = sorted(int(match.group(1)) for key in talk if (match := _SESSION.fullmatch(key)))
    for number in numbers:
        written = talk[f"session_{number}_date_time"]
        at = datetime.strptime(written, _TIME).replace(tzinfo=UTC)
        yield Session(f"session_{number}", at, written.split(" on ", 1)[-1], talk[f"session_{number}"])
