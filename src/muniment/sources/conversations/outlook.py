"""Outlook: one mail as a .msg file."""

import email
import email.policy
import struct
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from muniment.errors import MunimentError
from muniment.sources.conversations.mail import Letter, read_letters
from muniment.sources.conversations.mail_alternatives import html_only
from muniment.sources.conversations.mail_body import html_text
from muniment.sources.conversations.mail_headers import header, identifiers, person, sent_at
from muniment.sources.conversations.turns import clean_name, piece_of, storable
from muniment.sources.parsed import Origin, Parsed, Part

if TYPE_CHECKING:
    from oxmsg import Message as Item

_MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")
_PROPERTIES = "__properties_version1.0".encode("utf-16-le")
_HEADERS = 0x007D
_MESSAGE_ID = 0x1035
_BROKEN = (
    ValueError,
    KeyError,
    OSError,
    AssertionError,
    IndexError,
    AttributeError,
    TypeError,
    LookupError,
    struct.error,
)
Value = TypeVar("Value")


def looks_like_outlook(data: bytes) -> bool:
    """Whether the bytes are a compound file that holds the properties of a message."""
    return data.startswith(_MAGIC) and _PROPERTIES in data


def read_outlook(data: bytes, origin: Origin) -> Parsed:
    """A mail as Outlook keeps it, its attachments as parts. Raises ``source.unreadable`` and ``input.empty_text``."""
    item = _open(data)
    raw = _value(lambda: item.properties.str_prop_value(_HEADERS)) or ""
    headers = email.message_from_string(raw, policy=email.policy.compat32)
    at, local = sent_at(header(headers, "date"))
    at = at or (None if local else _value(lambda: item.sent_date))
    parts = _attachments(item, at)
    metadata: dict[str, str | int | float | bool] = {}
    for name in ("to", "cc"):
        if shown := header(headers, name):
            metadata[name] = storable(shown)
    if parts:
        metadata["attachments"] = ", ".join(part.filename or part.key for part in parts)
    named = _value(lambda: item.properties.str_prop_value(_MESSAGE_ID)) or str(headers.get("message-id") or "")
    own = identifiers(named)
    sender = person(header(headers, "from") or _value(lambda: item.sender) or "")
    references = identifiers(str(headers.get("references") or headers.get("in-reply-to") or ""))
    letter = Letter(
        storable(_value(lambda: item.subject) or ""), sender, at, local, own[0] if own else None, references,
        _body(item), {"mail": 0}, metadata, parts,
    )  # fmt: skip
    words, letter.quoted_beside = _beside(item)
    letter.beside = (words, {"mail": 0, "only": "html"})
    return read_letters([letter], origin)


def locate_outlook(data: bytes, locator: Mapping[str, Any]) -> str:
    """The characters of the mail's body that a locator names."""
    start, end = locator["chars"]
    item = _open(data)
    body = _beside(item)[0] if locator.get("only") == "html" else _body(item)
    return piece_of(body[start:end], locator)


def _open(data: bytes) -> "Item":
    from oxmsg import Message as Item  # here, since only few who read sources read this

    try:
        return Item.load(data)
    except _BROKEN:
        raise MunimentError("source.unreadable", "This is no Outlook message, or a broken one.") from None


def _value(read: Callable[[], Value | None]) -> Value | None:
    """A property, None where it is missing or broken: a mail is more than one of its properties."""
    try:
        return read()
    except _BROKEN:
        return None


def _body(item: "Item") -> str:
    plain = _value(lambda: item.body) or ""
    if plain.strip():
        return storable(plain.replace("\r\n", "\n"))
    return storable(html_text(_value(lambda: item.html_body) or ""))


def _beside(item: "Item") -> tuple[str, int]:
    """What only the HTML says beside the plain text, and how many lines more it quotes."""
    plain = _value(lambda: item.body) or ""
    return html_only(plain, storable(html_text(_value(lambda: item.html_body) or ""))) if plain.strip() else ("", 0)


def _attachments(item: "Item", at: Any) -> list[Part]:
    parts = []
    for number, each in enumerate(_value(lambda: item.attachments) or (), 1):
        data = _value(lambda: each.file_bytes)  # noqa: B023 — called at once
        if data:
            name = clean_name(_value(lambda: each.file_name))  # noqa: B023
            parts.append(Part(f"{number}/{name or 'part'}", name, _value(lambda: each.mime_type), data, at))  # noqa: B023
    return parts
