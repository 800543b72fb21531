"""JSON lists of messages: ``[{"role" or "speaker", "content", "at"?, "id"?, "position"?, "metadata"?}, ...]``.

The list is decoded item by item, so that a long file of something else is refused at its first item.
"""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from json import JSONDecodeError
from typing import Any, NoReturn

from pydantic import ValidationError

from muniment.errors import MunimentError
from muniment.model.message import Message
from muniment.model.refusals import refusals
from muniment.settings import Settings
from muniment.sources.charset import decode_text
from muniment.sources.decode import decode, decode_head, reject_nul, require_words
from muniment.sources.locating import Locator
from muniment.sources.parsed import Chunk, Origin, Parsed

_SPACE = re.compile(r"[ \t\n\r]*")
_OPENING = re.compile(r"[ \t\n\r]*\[[ \t\n\r]*(?=\{)")
_HEAD = 2 * 1024 * 1024


def read_message_list(data: bytes, origin: Origin) -> Parsed:
    """One chunk a message, located by its ``position`` from 0 and by the lines and characters of its JSON object.

    Raises what ``parse_message_list`` raises.
    """
    text, notes = decode_text(data)
    locator = Locator(text, origin)
    fields = origin.fields() | ({"title": origin.title} if origin.title else {})
    messages: list[Message] = []
    chunks: list[Chunk] = []
    for start, end, message in _messages(text, origin.settings):
        messages.append(message)
        chunks.append(_turn(message, locator.place(start, end), fields))
    return Parsed("conversation", origin.media_type, origin.title, origin.language, chunks, messages, notes)


def looks_like_messages(data: bytes) -> bool:
    """Whether the bytes are a list whose first item is an object with a content, and a role or a speaker."""
    text = decode_head(data[:_HEAD])
    opening = _OPENING.match(text)
    if opening is None:
        return False
    try:
        item, _ = json.JSONDecoder().raw_decode(text, opening.end())
    except (ValueError, RecursionError):
        return False
    return isinstance(item, dict) and _looks_like_message(item)


def locate_message(data: bytes, locator: Mapping[str, Any]) -> str:
    """The content of the message whose JSON object a locator names by ``chars``."""
    start, end = locator["chars"]
    content: str = json.loads(decode_text(data)[0][start:end])["content"]
    return content


def parse_message_list(data: bytes, settings: Settings | None = None) -> list[Message]:
    """The messages of a JSON file. ``settings`` holds the limits; without it those of the environment count.

    Raises ``source.format_unsupported`` for other JSON, ``input.json_invalid`` (facts ``line``, ``column``) for what
    is no JSON, ``input.too_many``, ``input.empty_text`` for an empty list, the errors of ``decode``, and for one
    message ``input.message_invalid``, ``input.empty_text``, ``input.nul_byte``, ``input.encoding_invalid``,
    ``input.time_without_zone``, ``input.time_invalid`` or ``input.too_large`` (fact ``index``: which one, from 0).
    """
    return [message for _, _, message in _messages(decode(data), settings or Settings())]


def _messages(text: str, settings: Settings) -> Iterator[tuple[int, int, Message]]:
    require_words(text)
    limit = settings.max_messages_per_request
    count = 0
    for start, end, item in _items(text):
        if count == limit:
            detail = f"The list has more than {limit} messages."
            setting = "MUNIMENT_MAX_MESSAGES_PER_REQUEST"
            raise MunimentError("input.too_many", detail, limit=limit, setting=setting)
        yield start, end, _message(item, count, settings)
        count += 1
    if not count:
        raise MunimentError("input.empty_text", "The list of messages is empty.")


def _turn(message: Message, place: dict[str, Any], fields: dict[str, str]) -> Chunk:
    place["position"] = place["chunk"]
    if message.id is not None:
        place["message_id"] = message.id
    return Chunk(
        message.content, place, dict(fields), message.speaker, message.role, message.at, dict(message.metadata)
    )


def _items(text: str) -> Iterator[tuple[int, int, Any]]:
    """The start, end and value of each item of the list that the text is."""
    decoder = json.JSONDecoder(parse_constant=_no_such_number, object_pairs_hook=_object)
    at = _skip(text, 0)
    if text[at] != "[":
        _require_json(text, decoder)
        raise _not_messages()
    at = _skip(text, at + 1)
    if text.startswith("]", at):
        at += 1
    else:
        while True:
            value, end = _value(text, at, decoder)
            yield at, end, value
            at = _skip(text, end)
            if text.startswith("]", at):
                at += 1
                break
            if not text.startswith(",", at):
                raise _invalid(text, at, "expected a comma or the end of the list")
            at = _skip(text, at + 1)
    if _skip(text, at) != len(text):
        raise _invalid(text, _skip(text, at), "something follows the list")


def _value(text: str, at: int, decoder: json.JSONDecoder) -> tuple[Any, int]:
    try:
        return decoder.raw_decode(text, at)
    except JSONDecodeError as error:
        raise _invalid(text, error.pos, error.msg) from None
    except RecursionError:
        raise _invalid(text, at, "nested too deep") from None
    except ValueError as error:  # a number of thousands of digits, or one of our own below
        raise _invalid(text, at, str(error).split(";")[0]) from None


def _require_json(text: str, decoder: json.JSONDecoder) -> None:
    at = _skip(text, 0)
    _, end = _value(text, at, decoder)
    if _skip(text, end) != len(text):
        raise _invalid(text, _skip(text, end), "something follows the value")


def _message(item: Any, index: int, settings: Settings) -> Message:
    if not isinstance(item, dict) or (index == 0 and not _looks_like_message(item)):
        if index == 0:
            raise _not_messages()
        raise MunimentError("input.message_invalid", f"Item {index} of the list is not an object.", index=index)
    _require_unicode(item, index)
    if item.get("at") is not None:
        item["at"] = _time(item["at"], index)
    try:
        message = Message.model_validate(item)
    except ValidationError as error:
        first = refusals(error)[0]
        raise MunimentError(
            "input.message_invalid", f"Message {index}: {first}.", index=index, field=first.at
        ) from None
    require_words(message.content, index=index)
    reject_nul(message.content, index=index)
    limit = settings.max_message_bytes
    if len(message.content.encode()) > limit:
        detail = f"Message {index} is larger than {limit} bytes."
        raise MunimentError("input.too_large", detail, index=index, limit=limit, setting="MUNIMENT_MAX_MESSAGE_BYTES")
    return message


def _looks_like_message(item: dict[str, Any]) -> bool:
    return isinstance(item.get("content"), str) and ("role" in item or "speaker" in item)


def _require_unicode(item: dict[str, Any], index: int) -> None:
    try:
        json.dumps(item, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        detail = f"Message {index} holds half of a surrogate pair, which is no character."
        raise MunimentError("input.encoding_invalid", detail, index=index) from None


def _time(value: Any, index: int) -> datetime:
    try:
        at = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        detail = f"The time of message {index} is not an ISO 8601 date and time."
        raise MunimentError("input.time_invalid", detail, index=index) from None
    if at.tzinfo is None:
        detail = f"The time of message {index} needs a zone, as in 2026-01-31T09:30:00+01:00."
        raise MunimentError("input.time_without_zone", detail, index=index)
    return at


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("an object names a member twice")
    return members


def _no_such_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _invalid(text: str, at: int, why: str) -> MunimentError:
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    detail = f"Line {line}, column {column}: {why}."
    return MunimentError("input.json_invalid", detail, line=line, column=column)


def _not_messages() -> MunimentError:
    return MunimentError(
        "source.format_unsupported",
        "Of JSON, only lists of messages can be read: objects with content and a role or a speaker.",
        media_type="application/json",
    )
