"""Claude: ``conversations.json`` of an account."""

import re
from collections.abc import Mapping
from typing import Any

from muniment.sources.conversations.branches import path_to
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
from muniment.sources.conversations.turns import Found, Talk, Turn, conversations, from_iso, piece_of, storable
from muniment.sources.parsed import Origin, Parsed, Part

_ROLES = {"human": "user", "user": "user", "assistant": "assistant"}
_HEAD = re.compile(rb'(?:\[\s*)?\{\s*"uuid"\s*:\s*"')


def looks_like_claude(data: bytes) -> bool:
    """Whether the bytes begin as a conversation with a uuid and chat messages."""
    head = head_of(data)
    return _HEAD.match(head) is not None and b'"chat_messages"' in head


def read_claude(data: bytes, origin: Origin) -> Parsed:
    """A turn each message of each conversation, of a tree the branch of the newest; texts attached are parts.

    Raises ``source.format_unsupported`` for other JSON, ``input.json_invalid`` and ``input.empty_text``.
    """
    export = load_json(data)
    single = isinstance(export, dict)
    found = Found()
    elsewhere = 0
    for number, each in enumerate([export] if single else list_of(export)):
        conversation = object_of(each)
        if not isinstance(conversation.get("chat_messages"), list):
            continue
        base: tuple[str | int, ...] = () if single else (number,)
        title = name_of(conversation.get("name"))
        talk = Talk(f"claude:{name_of(conversation.get('uuid')) or title or number}", title)
        messages = [object_of(message) for message in conversation["chat_messages"]]
        branch = _branch(messages)
        elsewhere += sum(bool(_text(message).strip()) for message in messages) - sum(
            bool(_text(messages[index]).strip()) for index in branch
        )
        for index in branch:
            _add(found, talk, messages[index], pointer_to(*base, "chat_messages", index))
        found.talks.append(talk)
    if not found.talks:
        raise not_this("Claude")
    if elsewhere:
        found.notes.append(f"{elsewhere} messages stand in branches that are not the newest, and are left out.")
    return conversations(found, origin)


def locate_claude(data: bytes, locator: Mapping[str, Any]) -> str:
    """The text of the message that a locator points at."""
    return piece_of(_text(object_of(pointed(data, locator))), locator)


def _branch(messages: list[dict[str, Any]]) -> list[int]:
    """The numbers of the messages that lead to the last; all where not every message but the first has a parent."""
    numbers = {uuid: number for number, message in enumerate(messages) if (uuid := name_of(message.get("uuid")))}
    parents = {uuid: name_of(messages[number].get("parent_message_uuid")) for uuid, number in numbers.items()}
    rooted = sum(parent in numbers for parent in parents.values())
    if len(numbers) < len(messages) or rooted < len(messages) - 1:
        return list(range(len(messages)))
    return [numbers[uuid] for uuid in path_to(name_of(messages[-1].get("uuid")), parents)] if messages else []


def _add(found: Found, talk: Talk, message: Mapping[str, Any], pointer: str) -> None:
    text = _text(message)
    metadata: dict[str, str | int | float | bool] = {}
    names = []
    for number, each in enumerate([*list_of(message.get("attachments")), *list_of(message.get("files"))]):
        attached = object_of(each)
        name = name_of(attached.get("file_name")) or f"attachment {number + 1}"
        names.append(name)
        said = storable(text_of(attached.get("extracted_content")))
        if said.strip():
            key = f"{name_of(message.get('uuid')) or pointer.strip('/')}/{number + 1}/{name}"
            found.parts.append(Part(key, name, "text/plain", said.encode(), from_iso(message.get("created_at"))))
    if names:
        metadata["attachments"] = ", ".join(names)
    if not text.strip():
        return
    said_at = from_iso(message.get("created_at"))
    zoned = said_at is not None and said_at.tzinfo is not None
    talk.turns.append(
        Turn(
            text,
            {"pointer": pointer},
            role=_ROLES.get(text_of(message.get("sender")), "assistant"),
            at=said_at if zoned else None,
            local_time=None if zoned else said_at,
            id=name_of(message.get("uuid")),
            metadata=metadata,
            cut=True,
        )
    )


def _text(message: Mapping[str, Any]) -> str:
    """The text blocks of the content, or the plain text where there are none; not what tools were sent and gave."""
    blocks = [object_of(each) for each in list_of(message.get("content"))]
    texts = [text_of(block.get("text")) for block in blocks if block.get("type") == "text"]
    said = [text for text in texts if text.strip()]
    return storable("\n\n".join(said) if said else text_of(message.get("text")))
