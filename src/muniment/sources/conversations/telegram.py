"""Telegram: ``result.json``, of one chat or of an account."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

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
from muniment.sources.conversations.turns import (
    Found,
    Talk,
    Turn,
    conversations,
    from_epoch,
    from_iso,
    piece_of,
    storable,
)
from muniment.sources.parsed import Origin, Parsed

_CHAT = re.compile(
    rb'\{\s*"name"\s*:[^{}\[\]]{0,2000}"type"\s*:[^{}\[\]]{0,200}"id"\s*:\s*-?\d+\s*,\s*"messages"\s*:\s*\['
)
_FILES = ("file_name", "file", "photo")
_MAX_OFFSET = timedelta(hours=15)


def looks_like_telegram(data: bytes) -> bool:
    """Whether the bytes begin as a chat does, or say that they are an account's chats."""
    head = head_of(data)
    if _CHAT.match(head):
        return True
    return head.startswith(b"{") and b'"chats"' in data and b'"list"' in data and b'"date_unixtime"' in data


def read_telegram(data: bytes, origin: Origin) -> Parsed:
    """A turn each message; what the service says (calls, members that come and go) has the role system.

    A message's zone is told by its local time beside its Unix time. Raises ``source.format_unsupported`` for other
    JSON, ``input.json_invalid`` and ``input.empty_text``.
    """
    export = object_of(load_json(data))
    found = Found()
    silent = 0
    for path, chat in _chats(export):
        identity = name_of(chat.get("id"))
        title = name_of(chat.get("name")) or name_of(chat.get("type"))
        talk = Talk(f"telegram:{identity or title or origin.source_key}", title)
        for number, each in enumerate(list_of(chat.get("messages"))):
            message = object_of(each)
            text = _text(message)
            if text.strip():
                talk.turns.append(_turn(message, text, pointer_to(*path, "messages", number)))
            else:
                silent += 1
        found.talks.append(talk)
    if not found.talks:
        raise not_this("Telegram")
    if silent:
        found.notes.append(f"{silent} messages without text are left out.")
    return conversations(found, origin)


def locate_telegram(data: bytes, locator: Mapping[str, Any]) -> str:
    """The text of the message that a locator points at."""
    return piece_of(_text(object_of(pointed(data, locator))), locator)


def _chats(export: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], dict[str, Any]]]:
    if isinstance(export.get("messages"), list):
        yield (), dict(export)
    for name in ("chats", "left_chats"):
        for number, chat in enumerate(list_of(object_of(export.get(name)).get("list"))):
            yield (name, "list", number), object_of(chat)


def _turn(message: Mapping[str, Any], text: str, pointer: str) -> Turn:
    service = message.get("type") == "service"
    at, local = _times(message.get("date"), message.get("date_unixtime"))
    metadata: dict[str, str | int | float | bool] = {}
    if edited := from_epoch(message.get("edited_unixtime")):
        metadata["edited_at"] = edited.isoformat()
    if parent := name_of(message.get("reply_to_message_id")):
        metadata["reply_to"] = parent
    if source := name_of(message.get("forwarded_from")):
        metadata["forwarded_from"] = source
    if files := [name for each in _FILES if (name := name_of(message.get(each)))]:
        metadata["attachments"] = files[0]
    return Turn(
        text,
        {"pointer": pointer},
        speaker=name_of(message.get("from")) or name_of(message.get("actor")) or name_of(message.get("from_id")),
        role="system" if service else "user",
        at=at,
        local_time=local,
        id=name_of(message.get("id")),
        metadata=metadata,
    )


def _times(date: Any, unix: Any) -> tuple[datetime | None, datetime | None]:
    local, instant = from_iso(date), from_epoch(unix)
    if instant is None or unix is None:
        return (local, None) if local is not None and local.tzinfo else (None, local)
    if local is None or local.tzinfo is not None:
        return instant, None
    offset = local - instant.replace(tzinfo=None)
    if abs(offset) > _MAX_OFFSET:
        return instant, None
    zone = timezone(timedelta(minutes=round(offset.total_seconds() / 60))) if offset else UTC
    return instant.astimezone(zone), None


def _text(message: Mapping[str, Any]) -> str:
    """The words of a message, whose links, mentions and quotes stand in pieces of their own; of a service message what
    happened."""
    said = message.get("text")
    if isinstance(said, list):
        said = "".join(each if isinstance(each, str) else text_of(object_of(each).get("text")) for each in said)
    text = text_of(said)
    if not text.strip() and message.get("type") == "service":
        told = [name_of(message.get(name)) for name in ("action", "title")]
        members = [name for each in list_of(message.get("members")) if (name := name_of(each))]
        text = " ".join(part.replace("_", " ") for part in told if part)
        text += f": {', '.join(members)}" if members else ""
    return storable(text)
