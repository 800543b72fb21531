"""Discord: a channel in JSON, as DiscordChatExporter writes it."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from muniment.sources.conversations.json_export import (
    JsonExport,
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
from muniment.sources.conversations.turns import Turn, from_iso, storable, zoned
from muniment.sources.parsed import Origin

_SPOKEN = frozenset({"Default", "Reply", "ThreadStarterMessage", "ChatInputCommand", "0", "19"})
_HEAD = re.compile(rb'\{\s*"guild"\s*:\s*\{.{0,4000}?"channel"\s*:\s*\{', re.DOTALL)


def looks_like_discord(data: bytes) -> bool:
    """Whether the bytes begin with a guild and a channel."""
    return _HEAD.match(head_of(data)) is not None


def _told(export: Any, origin: Origin) -> Iterator[Told]:
    top = object_of(export)
    channel = object_of(top.get("channel"))
    if not channel or not isinstance(top.get("messages"), list):
        return
    guild = name_of(object_of(top.get("guild")).get("name"))
    title = name_of(channel.get("name"))
    if guild and title and guild != "Direct Messages":
        title = f"{guild} #{title}"
    key = name_of(channel.get("id")) or title or origin.source_key
    yield Told(key, title, numbered(top["messages"], ("messages",)))


def _turn(message: Mapping[str, Any], text: str, place: dict[str, Any]) -> Turn:
    """A message; what Discord itself says has the role system."""
    author = object_of(message.get("author"))
    kind = name_of(message.get("type")) or "Default"
    role = "user" if kind in _SPOKEN else "system"
    at, local_time = zoned(from_iso(message.get("timestamp")))
    return Turn(
        text,
        place,
        speaker=name_of(author.get("nickname")) or name_of(author.get("name")),
        role="bot" if author.get("isBot") is True else role,
        at=at,
        local_time=local_time,
        id=name_of(message.get("id")),
        metadata=about(
            edited_at=name_of(message.get("timestampEdited")),
            reply_to=name_of(object_of(message.get("reference")).get("messageId")),
            attachments=", ".join(names_in(message.get("attachments"), "fileName")),
        ),
    )


def _text(message: Mapping[str, Any]) -> str:
    """The words of a message, and those of what is embedded in it."""
    texts = [text_of(message.get("content"))]
    for each in list_of(message.get("embeds")):
        embed = object_of(each)
        texts += [text_of(embed.get("title")), text_of(embed.get("description"))]
        for field in map(object_of, list_of(embed.get("fields"))):
            texts.append(": ".join(filter(None, (text_of(field.get("name")), text_of(field.get("value"))))))
    return storable("\n\n".join(text for text in texts if text.strip()))


def _beside(message: Mapping[str, Any]) -> Iterator[str]:
    """What stands in a message beside its words."""
    for kind, what in (
        ("attachments", "files of messages, which this JSON does not hold,"), ("stickers", "stickers"),
        ("reactions", "reactions"),
    ):  # fmt: skip
        yield from (what for _ in list_of(message.get(kind)))


DISCORD = JsonExport("Discord", _told, _text, _turn, beside=_beside)
