"""Claude: ``conversations.json`` of an account. Texts that are attached to a message are sources of their own."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from muniment.sources.conversations.branches import path_to
from muniment.sources.conversations.claude_blocks import artifacts, block_text, blocks_beside, left_out
from muniment.sources.conversations.json_export import (
    JsonExport,
    Path,
    Told,
    about,
    head_of,
    list_of,
    name_of,
    numbered,
    object_of,
    text_of,
)
from muniment.sources.conversations.turns import Turn, from_iso, stable_name, storable, zoned
from muniment.sources.parsed import Origin, Part

_ROLES = {"human": "user", "user": "user", "assistant": "assistant", "tool": "tool"}
_HEAD = re.compile(rb'(?:\[\s*)?\{\s*"uuid"\s*:\s*"')


def looks_like_claude(data: bytes) -> bool:
    """Whether the bytes begin as a conversation with a uuid and chat messages."""
    head = head_of(data)
    return _HEAD.match(head) is not None and b'"chat_messages"' in head


def _told(export: Any, origin: Origin) -> Iterator[Told]:
    alone: list[tuple[Path, dict[str, Any]]] = [((), object_of(export))]
    for path, conversation in alone if isinstance(export, dict) else numbered(export, ()):
        if not isinstance(conversation.get("chat_messages"), list):
            continue
        title = name_of(conversation.get("name"))
        key = name_of(conversation.get("uuid")) or title or str(path[0] if path else 0)
        messages = list(numbered(conversation["chat_messages"], (*path, "chat_messages")))
        branch = [messages[number] for number in _branch([message for _, message in messages])]
        spoken = [sum(bool(_text(message).strip()) for _, message in some) for some in (messages, branch)]
        said = [message for _, message in branch]
        told = [each for at, message in branch for each in ((at, message), *blocks_beside(message, at))]
        yield Told(key, title, told, spoken[0] - spoken[1], Counter(left_out(said)), artifacts(stable_name(key), said))


def _branch(messages: list[dict[str, Any]]) -> list[int]:
    """The numbers of the messages that lead to the last; all where not every message but the first has a parent."""
    numbers = {uuid: number for number, message in enumerate(messages) if (uuid := name_of(message.get("uuid")))}
    parents = {uuid: name_of(messages[number].get("parent_message_uuid")) for uuid, number in numbers.items()}
    rooted = sum(parent in numbers for parent in parents.values())
    if len(numbers) < len(messages) or rooted < len(messages) - 1:
        return list(range(len(messages)))
    return [numbers[uuid] for uuid in path_to(name_of(messages[-1].get("uuid")), parents)] if messages else []


def _attached(message: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The name of each file, and its text where the export has it."""
    for number, each in enumerate([*list_of(message.get("attachments")), *list_of(message.get("files"))], 1):
        attached = object_of(each)
        text = storable(text_of(attached.get("extracted_content")))
        yield name_of(attached.get("file_name")) or f"attachment {number}", text


def _parts(message: Mapping[str, Any], pointer: str) -> Iterator[Part]:
    for number, (name, text) in enumerate(_attached(message), 1):
        if text.strip():
            key = f"{name_of(message.get('uuid')) or pointer.strip('/')}/{number}/{name}"
            yield Part(key, name, "text/plain", text.encode(), from_iso(message.get("created_at")))


def _turn(message: Mapping[str, Any], text: str, place: dict[str, Any]) -> Turn:
    at, local_time = zoned(from_iso(message.get("created_at")))
    return Turn(
        text,
        place,
        role=_ROLES.get(text_of(message.get("sender")), "assistant"),
        at=at,
        local_time=local_time,
        id=name_of(message.get("uuid")),
        metadata=about(
            content=name_of(message.get("said_as")), attachments=", ".join(name for name, _ in _attached(message))
        ),
        cut=True,
    )


def _text(message: Mapping[str, Any]) -> str:
    """The text blocks of the content, or the plain text where there are none; of a block beside them its own."""
    if message.get("type") in ("thinking", "tool_result"):
        return block_text(message)
    blocks = [object_of(each) for each in list_of(message.get("content"))]
    texts = [text_of(block.get("text")) for block in blocks if block.get("type") == "text"]
    said = [text for text in texts if text.strip()]
    return storable("\n\n".join(said) if said else text_of(message.get("text")))


CLAUDE = JsonExport("Claude", _told, _text, _turn, _parts)
