"""A LoCoMo file as it is read: conversations of sessions of turns, with questions about them.

What is wrong with one is told by conversation, session, turn and question, counted from 1. The data as they are
published have some evidence that is no turn's id ("D", "D:11:26", or a turn that is not there): what can be read of it
counts, the rest is passed over, and a question of which nothing is left counts in no measure.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from muniment.bench.dataset import Question, count_tokens
from muniment.bench.reading import Unique, fitting, reading, taken, taken_question, unusable
from muniment.model.message import Message
from muniment.model.namespace import Namespace

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
    turns: list[Message]

    def costs(self) -> dict[str, int]:
        """The tokens of each turn as it would stand in a context: with its date and its speaker."""
        return {str(turn.id): count_tokens(f"[{self.day}] {turn.speaker}: {turn.content}") for turn in self.turns}


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation of the data, with its questions; their ids are sample id # index."""

    name: str
    sessions: list[Session]
    questions: list[Question]


def read_conversations(path: Path) -> list[Conversation]:
    """The conversations of a LoCoMo file; raises ``bench.data_invalid`` for one that is none."""
    with reading(path.name):
        listed = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(listed, list):
        raise unusable(path.name, "it is not a LoCoMo file: a list of conversations")
    names, found = Unique("sample_id"), []
    for number, item in enumerate(listed, 1):
        place = f"{path.name}, conversation {number}"
        with reading(place):
            found.append(_conversation(place, _object(place, item), names))
    questions = [question for conversation in found for question in conversation.questions]
    if not questions:
        raise unusable(path.name, "there is no question in it")
    if not any(question.evidence for question in questions):
        raise unusable(path.name, "no question names a turn of its conversation as evidence")
    return found


def _conversation(place: str, item: Mapping[str, Any], names: Unique) -> Conversation:
    name = names.take(place, taken(place, item, "sample_id", str))
    namespace = fitting(place, lambda: Namespace(project_id=name))
    sessions = list(_sessions(place, taken(place, item, "conversation", dict)))
    costs: dict[str, int] = {}
    for session in sessions:
        costs |= session.costs()
    questions = []
    for index, asked in enumerate(taken(place, item, "qa", list)):
        here = f"{place}, question {index + 1}"
        asked = _object(here, asked)
        evidence, category = _evidence(here, asked, costs), taken(here, asked, "category", int)
        questions.append(
            Question(
                qid=f"{name}#{index}",
                text=taken_question(here, asked),
                kind=KINDS.get(category, "other"),
                namespace=namespace,
                evidence=evidence,
                costs=costs,
                answerable=category != 5 if evidence else None,
            )
        )
    return Conversation(name, sessions, questions)


def _evidence(place: str, asked: Mapping[str, Any], turns: Mapping[str, Any]) -> frozenset[str]:
    """The turns that are named, and are there; several may stand in one text."""
    named = taken(place, asked, "evidence", list)
    if not all(isinstance(each, str) for each in named):
        raise unusable(place, '"evidence" must be a list of ids of turns, which are texts')
    ids = (f"D{int(session)}:{int(turn)}" for each in named for session, turn in _EVIDENCE.findall(each))
    return frozenset(turn for turn in ids if turn in turns)


def _sessions(place: str, talk: Mapping[str, Any]) -> Iterator[Session]:
    ids = Unique("dia_id")
    for number in sorted(int(match.group(1)) for key in talk if (match := _SESSION.fullmatch(key))):
        name = f"session_{number}"
        here = f"{place}, {name}"
        written = taken(here, talk, f"{name}_date_time", str)
        try:
            at = datetime.strptime(written, _TIME).replace(tzinfo=UTC)
        except ValueError:
            raise unusable(here, f'"{name}_date_time" must be a time as 1:56 pm on 8 May, 2023') from None
        turns = [
            _turn(f"{here}, turn {index}", turn, at, ids) for index, turn in enumerate(taken(here, talk, name, list), 1)
        ]
        yield Session(name, at, written.split(" on ", 1)[-1], turns)


def _turn(place: str, item: Any, at: datetime, ids: Unique) -> Message:
    """A turn as a message; a shared photo is told by its caption."""
    turn = _object(place, item)
    text, caption = taken(place, turn, "text", str), turn.get("blip_caption")
    if not isinstance(caption, str | None):
        raise unusable(place, '"blip_caption" must be a text')
    said = f"{text} [shared a photo: {caption}]" if caption else text
    if not said.strip():
        raise unusable(place, '"text" is empty')
    speaker, name = taken(place, turn, "speaker", str), ids.take(place, taken(place, turn, "dia_id", str))
    return fitting(place, lambda: Message(content=said, speaker=speaker, at=at, id=name))


def _object(place: str, item: Any) -> Mapping[str, Any]:
    if not isinstance(item, dict):
        raise unusable(place, "it is no JSON object")
    return item
