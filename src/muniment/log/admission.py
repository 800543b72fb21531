"""What may enter: every limit and every check of input that a caller controls, before anything is written.

A check that fails raises a ``MunimentError`` whose facts name the limit and its setting, or the position of the
fault. What comes out can be stored: valid Unicode without NUL, times with a zone that Python and PostgreSQL both
hold, finite numbers.
"""

import base64
import binascii
import os
import re
import stat
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from muniment.errors import MunimentError
from muniment.extraction.languages import languages_of_turns
from muniment.log.metadata import admit_metadata
from muniment.model.languages import LANGUAGES
from muniment.model.message import Message
from muniment.model.namespace import Name
from muniment.model.source import MetadataValue, SourceInput
from muniment.settings import Settings
from muniment.sources.registry import size_limit
from muniment.sources.web import fetch

_NAME: TypeAdapter[str] = TypeAdapter(Name)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
_IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?")
_MAX_NAME_CHARACTERS = 256


@dataclass(frozen=True, slots=True)
class Said:
    """When something was said: the instant, and the offset of its zone in minutes east of UTC."""

    at: datetime
    offset: int


@dataclass(frozen=True, slots=True)
class AdmittedSource:
    """The bytes of a source and all that is known of them. ``kind`` is text or file; without a ``language`` its words
    tell it. ``around`` is its place in the source that it is inside of."""

    kind: Literal["text", "file"]
    data: bytes
    filename: str | None
    media_type: str | None
    source_key: str
    title: str | None
    session_id: str | None
    said: Said | None
    metadata: dict[str, MetadataValue]
    language: str | None = None
    commit: str | None = None
    around: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AdmittedMessage:
    """A message of a batch. ``bytes`` is the length of its text in UTF-8; ``language`` is None for English.

    ``place`` and ``fields`` are of one that stands in an export: its place there, and the words about it.
    """

    content: str
    bytes: int
    role: str | None
    speaker: str | None
    said: Said | None
    id: str | None
    position: int | None
    metadata: dict[str, MetadataValue]
    language: str | None = None
    place: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)


def admit_name(value: str, what: str) -> str:
    """A name such as a group_id: 1 to 256 characters, none of them a control character; else ``input.invalid``."""
    try:
        return _NAME.validate_python(value)
    except ValidationError:
        raise MunimentError(
            "input.invalid", f"{what} must have 1 to 256 characters and no control characters", field=what
        ) from None


def admit_language(language: str | None) -> str | None:
    """One of ``LANGUAGES``, or None; else ``input.invalid``."""
    if language is not None and language not in LANGUAGES:
        raise MunimentError(
            "input.invalid",
            f"language: there is no {language[:64]!r}; there are {', '.join(LANGUAGES)}",
            field="language",
            known=list(LANGUAGES),
        )
    return language


def admit_idempotency_key(key: str) -> str:
    """1 to 255 printable ASCII characters, no space at the ends; else ``idempotency.key_invalid``."""
    if not _IDEMPOTENCY_KEY.fullmatch(key):
        raise MunimentError(
            "idempotency.key_invalid", "an Idempotency-Key has 1 to 255 printable ASCII characters", limit=255
        )
    return key


def admit_text(text: str, limit: int, setting: str) -> bytes:
    """The text in UTF-8, at most ``limit`` bytes.

    Raises ``input.encoding_invalid``, ``input.nul_byte``, ``input.empty_text`` and ``input.too_large``.
    """
    data = _encoded(text)
    if len(data) > limit:
        raise MunimentError(
            "input.too_large",
            f"the text has {len(data)} bytes, the limit is {limit}",
            limit=limit,
            setting=setting,
            bytes=len(data),
        )
    nul = text.find("\x00")
    if nul >= 0:
        raise MunimentError("input.nul_byte", f"the text holds a NUL byte at character {nul}", position=nul)
    if not text or text.isspace():
        raise MunimentError("input.empty_text", "the text is empty or only white space")
    return data


def admit_time(at: datetime | None, settings: Settings) -> Said | None:
    """The time with its offset. Raises ``input.time_without_zone``, ``.time_invalid`` and ``.time_in_future``."""
    if at is None:
        return None
    offset = at.utcoffset()
    if offset is None:
        raise MunimentError("input.time_without_zone", "the time has no zone; write it with Z or an offset", at=str(at))
    try:
        instant = at.astimezone(UTC)
    except OverflowError:
        raise MunimentError("input.time_invalid", "the time lies outside of the years 1 to 9999", at=str(at)) from None
    if instant.timestamp() > time.time() + settings.max_clock_skew:
        raise MunimentError(
            "input.time_in_future",
            "the time lies in the future",
            at=at.isoformat(),
            limit=settings.max_clock_skew,
            setting="MUNIMENT_MAX_CLOCK_SKEW",
        )
    return Said(instant, round(offset.total_seconds() / 60))


def admit_messages(messages: Sequence[Message], settings: Settings) -> list[AdmittedMessage]:
    """All messages, or the error of the first that cannot enter, with its ``index`` among the facts."""
    if not messages:
        raise MunimentError("input.invalid", "there are no messages")
    if len(messages) > settings.max_messages_per_request:
        raise MunimentError(
            "input.too_many",
            f"the batch has {len(messages)} messages, the limit is {settings.max_messages_per_request}",
            limit=settings.max_messages_per_request,
            setting="MUNIMENT_MAX_MESSAGES_PER_REQUEST",
            count=len(messages),
        )
    admitted = [_admit_message(index, message, settings) for index, message in enumerate(messages)]
    told = languages_of_turns([message.content for message in admitted])
    languages = [message.language or each for message, each in zip(admitted, told, strict=True)]
    return [
        message if message.language == language else replace(message, language=language)
        for message, language in zip(admitted, (None if each == "english" else each for each in languages), strict=True)
    ]


def message_error(index: int, code: str, detail: str, **facts: Any) -> MunimentError:
    """The refusal of a batch because of one of its messages, counted from 0."""
    return MunimentError(code, f"message {index}: {detail}", **facts, index=index)


def _admit_message(index: int, message: Message, settings: Settings) -> AdmittedMessage:
    try:
        data = admit_text(message.content, settings.max_message_bytes, "MUNIMENT_MAX_MESSAGE_BYTES")
        said = admit_time(message.at, settings)
        metadata = admit_metadata(message.metadata, settings)
        language = admit_language(message.language)
    except MunimentError as error:
        raise message_error(index, error.code, error.detail, **error.facts) from None
    return AdmittedMessage(
        message.content,
        len(data),
        message.role,
        message.speaker,
        said,
        message.id,
        message.position,
        metadata,
        language,
    )


def admit_source(source: SourceInput, settings: Settings, kept: bytes | None = None) -> AdmittedSource:
    """A source with its bytes, read from its path where it has one: call it in a thread.

    ``kept`` are the bytes of an earlier try, which then stand for all content of the input.
    Raises ``source.kind_unsupported``, ``source.unreadable`` and the codes of the checks of this module.
    """
    kind: Literal["text", "file"] = "file"
    if source.kind == "url":
        source, data = _fetched(source, settings)
        filename = source.filename
    elif kept is None:
        kind, data, filename = _content(source, settings)
    else:
        kind, data, filename = source.kind, kept, source.filename
    title = None if source.title is None else _clean_title(source.title)
    key = source.source_key or filename or f"sha256:{content_hash(data).hex()[:16]}"
    return AdmittedSource(
        kind=kind,
        data=data,
        filename=filename,
        media_type=source.media_type,
        source_key=key,
        title=title,
        session_id=source.session_id,
        said=admit_time(source.at, settings),
        metadata=admit_metadata(source.metadata, settings),
        language=admit_language(source.language),
        commit=source.commit,
    )


def _fetched(source: SourceInput, settings: Settings) -> tuple[SourceInput, bytes]:
    """A source by URL with what its answer says of it, and the bytes. Its key is the URL that was asked for."""
    given = [name for name in ("text", "path", "content_base64", "url") if getattr(source, name) is not None]
    if given != ["url"] or source.url is None:
        raise MunimentError("input.invalid", "a source of kind url has a url and no other content", given=given)
    fetched = fetch(source.url, settings)
    limit = settings.max_metadata_value_bytes
    about = {name: value for name, value in fetched.metadata().items() if len(value.encode()) <= limit}
    changes = {
        "filename": source.filename or fetched.filename,
        "media_type": source.media_type or (fetched.media_type or "")[:_MAX_NAME_CHARACTERS] or None,
        "source_key": source.source_key or url_key(source.url),
        "metadata": {**about, **source.metadata},
    }
    return source.model_copy(update=changes), fetched.data


def url_key(url: str) -> str:
    """The key of a source by URL that is given none: the URL without its fragment, a long one as its digest."""
    asked = url.partition("#")[0]
    return asked if len(asked) <= _MAX_NAME_CHARACTERS else f"url:{sha256(asked.encode()).hexdigest()[:32]}"


def raw_content(source: SourceInput, settings: Settings) -> bytes | None:
    """The bytes of a source that was refused, to be kept for a retry; None where there are none, or too many."""
    try:
        if source.text is not None and source.kind == "text":
            data = _encoded(source.text)
            return data if len(data) <= settings.max_text_bytes else None
        return _content(source, settings)[1]
    except MunimentError:
        return None


def content_hash(data: bytes) -> bytes:
    """SHA-256 of a source's bytes, under which its blob and its versions are known."""
    return sha256(data).digest()


def _content(source: SourceInput, settings: Settings) -> tuple[Literal["text", "file"], bytes, str | None]:
    if source.kind == "url":
        raise MunimentError("source.unreadable", "what a URL gave is not kept")
    given = [name for name in ("text", "path", "content_base64", "url") if getattr(source, name) is not None]
    if source.kind == "text":
        if given != ["text"] or source.text is None:
            raise MunimentError("input.invalid", "a source of kind text has a text and no other content", given=given)
        text = admit_text(source.text, settings.max_text_bytes, "MUNIMENT_MAX_TEXT_BYTES")
        return "text", text, source.filename
    if given == ["path"] and source.path is not None:
        filename = source.filename or _printable(source.path.name)
        limit, setting = size_limit(source.media_type, filename, settings)
        return "file", _read_file(source.path, limit, setting), filename
    if given == ["content_base64"] and source.content_base64 is not None:
        limit, setting = size_limit(source.media_type, source.filename, settings)
        return "file", _decoded(source.content_base64, limit, setting), source.filename
    raise MunimentError("input.invalid", "a source of kind file has either a path or content_base64", given=given)


def _read_file(path: Path, limit: int, setting: str) -> bytes:
    try:
        # without O_NONBLOCK opening a named pipe waits for somebody to write to it
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise MunimentError("source.unreadable", "the path does not name a file")
            data = file.read(limit + 1)
            size = max(len(data), os.fstat(file.fileno()).st_size)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a valid path"
        raise MunimentError("source.unreadable", f"the file cannot be read: {reason}") from None
    _refuse_size(size, limit, setting)
    return data


def _decoded(content: str, limit: int, setting: str) -> bytes:
    _refuse_size(len(content) // 4 * 3 - 2, limit, setting)
    try:
        data = base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError):
        raise MunimentError("input.invalid", "content_base64 is not base64", field="content_base64") from None
    _refuse_size(len(data), limit, setting)
    return data


def _refuse_size(size: int, limit: int, setting: str) -> None:
    if size > limit:
        raise MunimentError(
            "input.too_large",
            f"the source has {size} bytes, the limit is {limit}",
            limit=limit,
            setting=setting,
            bytes=size,
        )


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise MunimentError(
            "input.encoding_invalid",
            f"the text holds half of a surrogate pair at character {error.start}",
            position=error.start,
        ) from None


def _clean_title(title: str) -> str:
    _encoded(title)
    if "\x00" in title:
        raise MunimentError("input.nul_byte", "the title holds a NUL byte", field="title")
    return title


def _printable(name: str) -> str:
    """A file's name without what cannot be stored: control characters, bytes that are no UTF-8."""
    known = name.encode(errors="replace").decode()
    return _CONTROLS.sub("?", known)[:_MAX_NAME_CHARACTERS]
