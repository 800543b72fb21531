"""Discord: a channel in JSON, as DiscordChatExporter writes it."""

import re
from collections.abc import Mapping
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
from muniment.sources.conversations.turns import Found, Talk, Turn, conversations, from_iso, piece_of, storable
from muniment.sources.parsed import Origin, Parsed

_SPOKEN = frozenset({"Default", "Reply", "ThreadStarterMessage", "ChatInputCommand", "0", "19"})
_HEAD = re.compile(rb'\{\s*"guild"\s*:\s*\{.{0,4000}?"channel"\s*:\s*\{', re.DOTALL)


def looks_like_discord(data: bytes) -> bool:
    """Whether the bytes begin with a guild and a channel."""
    return _HEAD.match(head_of(data)) is not None


def read_discord(data: bytes, origin: Origin) -> Parsed:
    """A turn each message, in the order of the file; what Discord itself says has the role system.

    Raises ``source.format_unsupported`` for other JSON, ``input.json_invalid`` and ``input.empty_text``.
    """
    export = object_of(load_json(data))
    channel = object_of(export.get("channel"))
    if not channel or not isinstance(export.get("messages"), list):
        raise not_this("a Discord channel")
    guild = name_of(object_of(export.get("guild")).get("name"))
    title = name_of(channel.get("name"))
    if guild and title and guild != "Direct Messages":
        title = f"{guild} #{title}"
    talk = Talk(f"discord:{name_of(channel.get('id')) or title or origin.source_key}", title)
    silent = 0
    for number, each in enumerate(export["messages"]):
        message = object_of(each)
        text = _text(message)
        if not text.strip():
            silent += 1
            continue
        talk.turns.append(_turn(message, text, number))
    notes = [f"{silent} messages without text are left out."] if silent else []
    return conversations(Found([talk], notes), origin)


def locate_discord(data: bytes, locator: Mapping[str, Any]) -> str:
    """The text of the message that a locator points at."""
    return piece_of(_text(object_of(pointed(data, locator))), locator)


def _turn(message: Mapping[str, Any], text: str, number: int) -> Turn:
    author = object_of(message.get("author"))
    kind = name_of(message.get("type")) or "Default"
    role = "user" if kind in _SPOKEN else "system"
    metadata: dict[str, str | int | float | bool] = {}
    if author.get("isBot") is True:
        role = "bot"
    if edited := name_of(message.get("timestampEdited")):
        metadata["edited_at"] = edited
    if parent := name_of(object_of(message.get("reference")).get("messageId")):
        metadata["reply_to"] = parent
    files = [name for each in list_of(message.get("attachments")) if (name := name_of(object_of(each).get("fileName")))]
    if files:
        metadata["attachments"] = ", ".join(files)
    said = from_iso(message.get("timestamp"))
    zoned = said is not None and said.tzinfo is not None
    return Turn(
        text,
        {"pointer": pointer_to("messages", number)},
        speaker=name_of(author.get("nickname")) or name_of(author.get("name")),
        role=role,
        at=said if zoned else None,
        local_time=None if zoned else said,
        id=name_of(message.get("id")),
        metadata=metadata,
    )


def _text(message: Mapping[str, Any]) -> str:
    """The words of a message, and those of what is embedded in it."""
    texts = [text_of(message.get("content"))]
    for each in list_of(message.get("embeds")):
        embed = object_of(each)
        texts += [text_of(embed.get("title")), text_of(embed.get("description"))]
    return storable("\n\n".join(text for text in texts if text.strip()))
