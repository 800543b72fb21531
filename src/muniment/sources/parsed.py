"""What reading a source gives: chunks that know exactly where they stand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from muniment.errors import MunimentError
from muniment.model.message import Message
from muniment.settings import Settings

Span = tuple[int, int]
"""A half-open range of characters of the decoded source."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a source that becomes one record.

    ``locator`` is JSON and says where the piece stands; ``fields`` are words about it that retrieval may use beside
    the text (title, section, path). They are never mixed into ``text``, which is the source's own words.
    """

    text: str
    locator: dict[str, Any]
    fields: dict[str, str] = field(default_factory=dict)
    speaker: str | None = None
    role: str | None = None
    at: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Part:
    """A source inside a source: an attachment, a member of an archive, an image in a document.

    It becomes a source of its own under the key ``<key of the source>!/<key>``. ``key`` is unique among the parts;
    ``at`` is when it was written, where the source around it says so. With an ``error`` it could not be taken out.
    ``title`` is what the source around it calls it, ``place`` where it stands there (page, slide, figure): that becomes
    part of its own locators.
    """

    key: str
    filename: str | None
    media_type: str | None
    data: bytes
    at: datetime | None = None
    error: MunimentError | None = None
    title: str | None = None
    place: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation of a source: the turns ``chunks[start:end]``. ``key`` is the same in every export of it."""

    key: str
    title: str | None
    turns: Span


@dataclass(slots=True)
class Parsed:
    """A source that was read.

    ``messages`` is set where the source is a list of messages: then ``chunks[i]`` is the turn of ``messages[i]``.
    ``notes`` says in sentences what the reader could not do as well as it would have liked. ``at`` and ``metadata`` are
    what the source says of itself; what its caller says goes first. ``parts`` are the sources inside it.
    ``contains`` are the whole keys of sources that come beside it, where it is the list of what there is.
    ``conversations`` are those of which a later source may bring more: their turns are no version of the source, but
    join what is known of each. A turn is known again by the ``message_id`` of its locator, else by its ``turn``.
    """

    modality: Literal["document", "conversation", "code", "table", "image", "data"]
    media_type: str
    title: str | None
    language: str
    chunks: list[Chunk]
    messages: list[Message] | None = None
    notes: list[str] = field(default_factory=list)
    at: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)
    contains: list[str] | None = None
    conversations: list[Conversation] | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """What is known of a source apart from its bytes. ``commit`` is the one of its repository, ``around`` its place in
    the source that it is inside of."""

    kind: Literal["text", "file"]
    source_key: str
    filename: str | None
    media_type: str
    title: str | None
    language: str
    settings: Settings
    commit: str | None = None
    around: Mapping[str, Any] = field(default_factory=dict)

    def place(self) -> dict[str, Any]:
        """The part of a locator that names the source."""
        if self.kind == "text":
            return {"kind": "source_key", "source_key": self.source_key}
        commit = {} if self.commit is None else {"commit": self.commit}
        return {"kind": "file", "source_key": self.source_key, "filename": self.filename} | commit | dict(self.around)

    def fields(self) -> dict[str, str]:
        """The retrieval fields that every chunk of the source shares: its path, or its name where that is all."""
        if self.filename is None:
            return {}
        return {"path": self.source_key if self.source_key.endswith(self.filename) else self.filename}
