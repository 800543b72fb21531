"""ChatGPT: ``conversations.json``, whose conversations are trees of messages."""

import re
from collections.abc import Mapping
from typing import Any

from muniment.sources.conversations.branches import newest_leaf, path_to
from muniment.sources.conversations.json_export import (
    head_of,
    list_of,
    load_json,
    name_of,
    not_this,
    object_of,
    pointed,
    pointer_to,
    text_of,
)
from muniment.sources.conversations.turns import Found, Talk, Turn, conversations, from_epoch, piece_of, storable
from muniment.sources.parsed import Origin, Parsed

_SAID = frozenset({"text", "multimodal_text", "code", "execution_output", "tether_quote"})
_ROLES = frozenset({"user", "assistant", "tool"})
_HEAD = re.compile(rb'(?:\[\s*)?\{\s*"(?:id|title|conversation_id|create_time|mapping)"\s*:')


def looks_like_chatgpt(data: bytes) -> bool:
    """Whether the bytes begin as a conversation with a mapping of its messages."""
    head = head_of(data)
    return _HEAD.match(head) is not None and b'"mapping"' in head and b'"message"' in head


def read_chatgpt(data: bytes, origin: Origin) -> Parsed:
    """The current branch of each conversation, a turn a message; how much other branches say is noted.

    Raises ``source.format_unsupported`` for other JSON, ``input.json_invalid`` and ``input.empty_text``.
    """
    export = load_json(data)
    single = isinstance(export, dict)
    found = Found()
    elsewhere = 0
    for number, each in enumerate([export] if single else list_of(export)):
        conversation = object_of(each)
        mapping = object_of(conversation.get("mapping"))
        if not mapping:
            continue
        base: tuple[str | int, ...] = () if single else (number,)
        title = name_of(conversation.get("title"))
        key = name_of(conversation.get("conversation_id")) or name_of(conversation.get("id"))
        talk = Talk(f"chatgpt:{key or title or number}", title)
        branch = _branch(conversation, mapping)
        for node in branch:
            turn = _turn(object_of(object_of(mapping[node]).get("message")), node, base)
            if turn is not None:
                talk.turns.append(turn)
        elsewhere += sum(_speaks(mapping[node]) for node in mapping.keys() - set(branch))
        found.talks.append(talk)
    if not found.talks:
        raise not_this("ChatGPT")
    if elsewhere:
        found.notes.append(f"{elsewhere} messages stand in branches that are not the current one, and are left out.")
    return conversations(found, origin)


def locate_chatgpt(data: bytes, locator: Mapping[str, Any]) -> str:
    """The text of the message that a locator points at."""
    return piece_of(_text(object_of(pointed(data, locator))), locator)


def _branch(conversation: Mapping[str, Any], mapping: Mapping[str, Any]) -> list[str]:
    parents = {node: name_of(object_of(each).get("parent")) for node, each in mapping.items()}
    current = name_of(conversation.get("current_node"))
    return path_to(current if current in parents else newest_leaf(list(mapping), parents), parents)


def _turn(message: Mapping[str, Any], node: str, base: tuple[str | int, ...]) -> Turn | None:
    author = object_of(message.get("author"))
    role = name_of(author.get("role"))
    text = _text(message)
    about = object_of(message.get("metadata"))
    if role not in _ROLES or not text.strip() or about.get("is_visually_hidden_from_conversation") is True:
        return None
    metadata: dict[str, str | int | float | bool] = {}
    if model := name_of(about.get("model_slug")):
        metadata["model"] = model
    files = [name for each in list_of(about.get("attachments")) if (name := name_of(object_of(each).get("name")))]
    if files:
        metadata["attachments"] = ", ".join(files)
    return Turn(
        text,
        {"pointer": pointer_to(*base, "mapping", node, "message")},
        speaker=name_of(author.get("name")),
        role=role,
        at=from_epoch(message.get("create_time")),
        id=name_of(message.get("id")) or node,
        metadata=metadata,
        cut=True,
    )


def _speaks(node: Any) -> bool:
    message = object_of(object_of(node).get("message"))
    return object_of(message.get("author")).get("role") in _ROLES and bool(_text(message).strip())


def _text(message: Mapping[str, Any]) -> str:
    content = object_of(message.get("content"))
    if content.get("content_type") not in _SAID:
        return ""
    parts = [
        each if isinstance(each, str) else text_of(object_of(each).get("text"))
        for each in list_of(content.get("parts"))
    ]
    return storable("\n\n".join(part for part in [*parts, text_of(content.get("text"))] if part.strip()))
