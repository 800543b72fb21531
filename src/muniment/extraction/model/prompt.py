"""What a model is asked about a window: the rules, and the turns as data that can pass for nothing else."""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from muniment.extraction.model.windows import Window
from muniment.extraction.statements import ENTITY_TYPES, STATEMENT_KINDS
from muniment.providers.chat import ChatMessage
from muniment.providers.quoting import as_data

PROMPT: Final = "facts.v1.txt"
_LONGEST_TURN: Final = 24_000

_TYPES: Final = {"type": "string", "enum": sorted(ENTITY_TYPES)}
_TEXT: Final = {"type": "string"}
_FACT: Final[dict[str, Any]] = {
    "evidence": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"turn": _TEXT, "quote": _TEXT},
            "required": ["turn", "quote"],
            "additionalProperties": False,
        },
    },
    "subject": _TEXT,
    "subject_type": _TYPES,
    "relation": _TEXT,
    "object": _TEXT,
    "object_type": _TYPES,
    "negated": {"type": "boolean"},
    "kind": {"type": "string", "enum": sorted(STATEMENT_KINDS)},
    "restatement": _TEXT,
    "time": _TEXT,
    "confidence": {"type": "number"},
}
SCHEMA: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "type": "object",
        "properties": {
            "facts": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": _FACT,
                    "required": list(_FACT),
                    "additionalProperties": False,
                },
            }
        },
        "required": ["facts"],
        "additionalProperties": False,
    }
)


@cache
def prompt_text() -> str:
    """The prompt as its file has it."""
    return files("muniment.extraction.prompts").joinpath(PROMPT).read_text("utf-8")


@cache
def prompt_hash() -> str:
    """The first 12 hexadecimal digits of the SHA-256 of the prompt: part of what a fact says of where it is from."""
    return sha256(prompt_text().encode()).hexdigest()[:12]


def label(index: int) -> str:
    """The id of a turn in its window."""
    return f"T{index + 1}"


def messages_for(window: Window) -> list[ChatMessage]:
    """The rules and the turns. Each text stands in a JSON string without angle brackets and line ends."""
    items = [_item(index, window) for index in range(len(window.turns))]
    user = "\n".join(
        ["<turns>", as_data(items), "</turns>", "", "Write down the facts in the JSON that was described."]
    )
    return [ChatMessage("system", prompt_text()), ChatMessage("user", user)]


def repair_messages(asked: list[ChatMessage], reply: str, why: str) -> list[ChatMessage]:
    """The same question once more, with what was wrong about the first reply."""
    return [
        *asked,
        ChatMessage("assistant", reply[:8000] or "(nothing)"),
        ChatMessage(
            "user",
            f"That reply cannot be used: {why}. Reply with the one JSON object that was described and nothing else.",
        ),
    ]


def _item(index: int, window: Window) -> dict[str, Any]:
    turn = window.turns[index]
    said = turn.said_local()
    item = {
        "id": label(index),
        "time": None if said is None else f"{said.isoformat(timespec='minutes')} ({said:%A})",
        "speaker": turn.speaker or turn.role,
        "text": turn.text[:_LONGEST_TURN],
    }
    return {name: value for name, value in item.items() if value is not None}
