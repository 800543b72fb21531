"""Telegram: ``result.json``, of one chat or of an account."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

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
from muniment.sources.conversations.turns import Turn, from_epoch, from_iso, storable, zoned
from muniment.sources.parsed import Origin

_CHAT = re.compile(
    rb'\{\s*"name"\s*:[^{}\[\]]{0,2000}"type"\s*:[^{}\[\]]{0,200}"id"\s*:\s*-?\d+\s*,\s*"messages"\s*:\s*\['
)
_FILES = ("file_name", "file", "photo")
_UNREAD = ("contact_information", "location_information", "game_title", "giveaway_information")
_MAX_OFFSET = timedelta(hours=15)


def looks_like_telegram(data: bytes) -> bool:
    """Whether the bytes begin as a chat does, or say that they are an account's chats."""
    head = head_of(data)
    if _CHAT.match(head):
        return True
    return head.startswith(b"{") and b'"chats"' in data and b'"list"' in data and b'"date_unixtime"' in data


def _told(export: Any, origin: Origin) -> Iterator[Told]:
    top = object_of(export)
    chats: list[tuple[Path, dict[str, Any]]] = [((), top)] if isinstance(top.get("messages"), list) else []
    for name in ("chats", "left_chats"):
        chats += numbered(object_of(top.get(name)).get("list"), (name, "list"))
    for path, chat in chats:
        title = name_of(chat.get("name")) or name_of(chat.get("type"))
        key = name_of(chat.get("id")) or title or origin.source_key
        yield Told(key, title, numbered(chat.get("messages"), (*path, "messages")))


def _turn(message: Mapping[str, Any], text: str, place: dict[str, Any]) -> Turn:
    """A message; what the service says (calls, members that come and go) has the role system."""
    at, local_time = _times(message.get("date"), message.get("date_unixtime"))
    edited = from_epoch(message.get("edited_unixtime"))
    return Turn(
        text,
        place,
        speaker=name_of(message.get("from")) or name_of(message.get("actor")) or name_of(message.get("from_id")),
        role="system" if message.get("type") == "service" else "user",
        at=at,
        local_time=local_time,
        id=name_of(message.get("id")),
        metadata=about(
            edited_at=edited.isoformat() if edited else None,
            reply_to=name_of(message.get("reply_to_message_id")),
            forwarded_from=name_of(message.get("forwarded_from")),
            attachments=next((name for each in _FILES if (name := name_of(message.get(each)))), None),
        ),
    )


def _times(date: Any, unix: Any) -> tuple[datetime | None, datetime | None]:
    """The time with its zone, which the local time beside the Unix time tells; or the local one."""
    local, instant = from_iso(date), from_epoch(unix)
    if instant is None:
        return zoned(local)
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
    poll = object_of(message.get("poll"))
    asked = [
        text_of(poll.get("question")),
        *(text_of(object_of(each).get("text")) for each in list_of(poll.get("answers"))),
    ]
    return storable("\n".join(part for part in (text, *asked) if part.strip()))


def _beside(message: Mapping[str, Any]) -> Iterator[str]:
    """What stands in a message beside its words."""
    if any(name_of(message.get(each)) for each in ("file", "photo")):
        yield "files of messages, which this JSON does not hold,"
    yield from ("reactions" for _ in list_of(message.get("reactions")))
    yield from (f"messages' {kind}" for kind in _UNREAD if message.get(kind))


TELEGRAM = JsonExport("Telegram", _told, _text, _turn, beside=_beside)
