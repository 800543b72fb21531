"""What a model is asked about an image: the rules, and the image, whose writing is data."""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from muniment.providers.chat import ChatMessage, ChatModel, Picture

PROMPT: Final = "image.v1.txt"
_ASKED: Final = "Write down what this image shows in the JSON that was described."

_TEXT: Final[dict[str, Any]] = {"type": "string"}


def _items(**members: Any) -> dict[str, Any]:
    shape = {"type": "object", "properties": members, "required": list(members), "additionalProperties": False}
    return {"type": "array", "items": shape}


_SHAPE: Final[dict[str, Any]] = {
    "visible_text": _TEXT,
    "description": _TEXT,
    "tables": _items(title=_TEXT, rows={"type": "array", "items": {"type": "array", "items": _TEXT}}),
    "charts": _items(title=_TEXT, kind=_TEXT, says=_TEXT),
    "relations": _items(subject=_TEXT, relation=_TEXT, object=_TEXT),
}
SCHEMA: Final[Mapping[str, Any]] = MappingProxyType(
    {"type": "object", "properties": _SHAPE, "required": list(_SHAPE), "additionalProperties": False}
)


@cache
def prompt_text() -> str:
    """The prompt as its file has it."""
    return files("muniment.extraction.prompts").joinpath(PROMPT).read_text("utf-8")


@cache
def prompt_hash() -> str:
    """The first 12 hexadecimal digits of the SHA-256 of the prompt."""
    return sha256(prompt_text().encode()).hexdigest()[:12]


def describer_of(chat: ChatModel) -> str:
    """What descriptions say of where they are from: the model and the hash of the prompt."""
    return f"vision:{chat.name}:{prompt_hash()}"


def messages_for(picture: Picture) -> list[ChatMessage]:
    """The rules and the image."""
    return [ChatMessage("system", prompt_text()), ChatMessage("user", _ASKED, (picture,))]


def repair_messages(asked: list[ChatMessage], reply: str, why: str) -> list[ChatMessage]:
    """The same question once more, with what was wrong about the first reply."""
    told = f"That reply cannot be used: {why}. Reply with the one JSON object that was described and nothing else."
    return [*asked, ChatMessage("assistant", reply[:8000] or "(nothing)"), ChatMessage("user", told)]
