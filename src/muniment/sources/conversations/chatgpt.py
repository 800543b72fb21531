"""ChatGPT: ``conversations.json``, whose conversations are trees of messages. Their current branch is read."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from muniment.sources.conversations.branches import newest_leaf, path_to
from muniment.sources.conversations.json_export import (
    JsonExport,
    Path,
    Told,
    about,
    head_of,
    list_of,
    name_of,
    names_in,
    numbered,
    object_of,
    text_of,
)
from muniment.sources.conversations.turns import Turn, from_epoch, storable
from muniment.sources.parsed import Origin

_KINDS = {
    "thoughts": "thoughts",
    "reasoning_recap": "thoughts",
    "tether_browsing_display": "tool",
    "tether_quote": "tool",
    "execution_output": "tool",
    "system_error": "error",
    "code": "code",
}
"""What is said in messages of other kinds than text, as their metadata ``content`` has it."""
_TEXTS = ("text", "result", "summary", "content", "title", "name")
_ROLES = frozenset({"user", "assistant", "tool"})
_HEAD = re.compile(rb'(?:\[\s*)?\{\s*"(?:id|title|conversation_id|create_time|mapping)"\s*:')


def looks_like_chatgpt(data: bytes) -> bool:
    """Whether the bytes begin as a conversation with a mapping of its messages."""
    head = head_of(data)
    return _HEAD.match(head) is not None and b'"mapping"' in head and b'"message"' in head


def _told(export: Any, origin: Origin) -> Iterator[Told]:
    alone: list[tuple[Path, dict[str, Any]]] = [((), object_of(export))]
    for path, conversation in alone if isinstance(export, dict) else numbered(export, ()):
        mapping = object_of(conversation.get("mapping"))
        if not mapping:
            continue
        title = name_of(conversation.get("title"))
        key = name_of(conversation.get("conversation_id")) or name_of(conversation.get("id"))
        spoken = {node: message for node, each in mapping.items() if _speaks(message := _message(each))}
        path_of = _branch(conversation, mapping)
        branch = [node for node in path_of if node in spoken]
        messages = [((*path, "mapping", node, "message"), spoken[node]) for node in branch]
        left_out = Counter(kind for node in path_of for kind in _left_out(_message(mapping.get(node)), node in spoken))
        elsewhere = len(spoken) - len(branch)
        yield Told(key or title or str(path[0] if path else 0), title, messages, elsewhere, left_out)


def _message(node: Any) -> dict[str, Any]:
    return object_of(object_of(node).get("message"))


def _speaks(message: Mapping[str, Any]) -> bool:
    """Whether somebody says something in it that people see."""
    hidden = object_of(message.get("metadata")).get("is_visually_hidden_from_conversation") is True
    role = name_of(object_of(message.get("author")).get("role"))
    return role in _ROLES and not hidden and bool(_text(message).strip())


def _branch(conversation: Mapping[str, Any], mapping: Mapping[str, Any]) -> list[str]:
    parents = {node: name_of(object_of(each).get("parent")) for node, each in mapping.items()}
    current = name_of(conversation.get("current_node"))
    return path_to(current if current in parents else newest_leaf(list(mapping), parents), parents)


def _turn(message: Mapping[str, Any], text: str, place: dict[str, Any]) -> Turn:
    author, known = object_of(message.get("author")), object_of(message.get("metadata"))
    return Turn(
        text,
        place,
        speaker=name_of(author.get("name")),
        role=name_of(author.get("role")),
        at=from_epoch(message.get("create_time")),
        id=name_of(message.get("id")) or place["pointer"].split("/")[-2],
        metadata=about(
            model=name_of(known.get("model_slug")),
            content=_KINDS.get(text_of(object_of(message.get("content")).get("content_type"))),
            attachments=", ".join(names_in(known.get("attachments"), "name")),
        ),
        cut=True,
    )


def _left_out(message: Mapping[str, Any], spoken: bool) -> Iterator[str]:
    """What of a message of the branch is no text."""
    content = object_of(message.get("content"))
    for each in list_of(content.get("parts")):
        if object_of(each).get("asset_pointer") or object_of(each).get("audio_asset_pointer"):
            yield "images and recordings of messages, which the export does not hold,"
    if not spoken and (_text(message).strip() or set(content) - {"content_type", "parts", "text"}):
        yield f"messages that people are not shown ({name_of(content.get('content_type')) or 'unknown'})"


def _text(message: Mapping[str, Any]) -> str:
    """What a message says in whatever its content has: parts, thoughts, what a tool gave."""
    content = object_of(message.get("content"))
    said = [_words(each) for each in list_of(content.get("parts"))]
    for each in map(object_of, list_of(content.get("thoughts"))):
        said += [text_of(each.get("summary")), text_of(each.get("content"))]
    said += [text_of(content.get(name)) for name in _TEXTS if name not in ("title", "name")]
    if not any(part.strip() for part in said):
        said = [text_of(content.get(name)) for name in _TEXTS]
    return storable("\n\n".join(part for part in dict.fromkeys(said) if part.strip()))


def _words(part: Any) -> str:
    return part if isinstance(part, str) else text_of(object_of(part).get("text"))


CHATGPT = JsonExport("ChatGPT", _told, _text, _turn)
