"""Turns of conversations, whatever the export that they come from, and what they become as chunks and messages."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.parsed import Chunk, Conversation, Origin, Parsed, Part, Span
from muniment.sources.splitting import pack, paragraphs, trim

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")
_MAX_NAME = 256


@dataclass(slots=True)
class Turn:
    """What somebody said at once. ``place`` is its part of the locator, by which it is found in the original again.

    ``at`` has a zone; a time without one is ``local_time``. ``id`` is the same in every export of the conversation.
    ``cut`` says that a long text may be cut at its paragraphs: only where a turn never changes once it was said.
    """

    text: str
    place: dict[str, Any]
    speaker: str | None = None
    role: str | None = None
    at: datetime | None = None
    local_time: datetime | None = None
    id: str | None = None
    metadata: dict[str, str | int | float | bool] = field(default_factory=dict)
    title: str | None = None
    cut: bool = False


@dataclass(slots=True)
class Talk:
    """One conversation: the key that it has in every export, its title, and its turns in order."""

    key: str
    title: str | None
    turns: list[Turn] = field(default_factory=list)


@dataclass(slots=True)
class Found:
    """What a reader found in an export."""

    talks: list[Talk] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)


def conversations(found: Found, origin: Origin, title: str | None = None) -> Parsed:
    """The chunks of an export, a turn each, conversation by conversation.

    Raises ``input.empty_text`` where nobody says anything, and ``input.too_many``.
    """
    talks = [talk for talk in found.talks if any(turn.text.strip() for turn in talk.turns)]
    if not talks and not found.parts:
        raise MunimentError("input.empty_text", "Nobody says anything in it.")
    writer = _Writer(origin)
    for talk in talks:
        writer.add(talk)
    shown = origin.title or title or (talks[0].title if len(talks) == 1 else None)
    return Parsed(
        "conversation", origin.media_type, shown, origin.language, writer.chunks,
        notes=[*found.notes, *writer.notes()], parts=found.parts, conversations=writer.conversations,
    )  # fmt: skip


class _Writer:
    def __init__(self, origin: Origin) -> None:
        self.chunks: list[Chunk] = []
        self.conversations: list[Conversation] = []
        self._origin = origin
        self._settings = origin.settings
        self._fields = origin.fields()
        self._zoneless = 0
        self._twice = 0
        self._future = 0

    def add(self, talk: Talk) -> None:
        first = len(self.chunks)
        title = clean_name(talk.title)
        for number, turn in enumerate(self._distinct(talk.turns)):
            for index, (span, text) in enumerate(pieces(turn.text, turn.cut, self._settings)):
                self._add(turn, title, talk.key, number, index, span, text)
        if len(self.chunks) > first:
            self.conversations.append(Conversation(stable_name(talk.key), title, (first, len(self.chunks))))

    def _distinct(self, turns: Iterable[Turn]) -> Iterator[Turn]:
        """The turns without those that stand there twice; of two that share an id and differ one gets another."""
        known: dict[str, str] = {}
        for turn in turns:
            if turn.id is not None:
                if known.get(turn.id) == turn.text:
                    self._twice += 1
                    continue
                if turn.id in known:
                    digest = sha256(turn.text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
                    turn = replace(turn, id=f"{turn.id}~{digest}")
                    if known.get(str(turn.id)) == turn.text:
                        self._twice += 1
                        continue
                known[str(turn.id)] = turn.text
            yield turn

    def notes(self) -> Iterator[str]:
        if self._twice:
            yield f"{self._twice} turns stand there twice, and count once."
        if self._zoneless:
            yield (
                f"The times of {self._zoneless} turns have no zone: they are kept as local_time, and count as times "
                "where MUNIMENT_LOCAL_TIME_ZONE names one."
            )
        if self._future:
            yield f"The times of {self._future} turns lie in the future and do not count."

    def _add(
        self, turn: Turn, title: str | None, key: str, number: int, index: int, span: Span | None, text: str
    ) -> None:
        if len(self.chunks) == self._settings.max_messages_per_request:
            limit = self._settings.max_messages_per_request
            raise MunimentError(
                "input.too_many", f"The export has more than {limit} turns.", limit=limit,
                setting="MUNIMENT_MAX_MESSAGES_PER_REQUEST",
            )  # fmt: skip
        at, metadata = self._time(turn)
        known = turn.id or (f"turn {number}" if index else None)
        identity = None if known is None else stable_name(known if index == 0 else f"{known}#{index + 1}")
        speaker, role = clean_name(turn.speaker), clean_name(turn.role)
        place = self._origin.place() | {"conversation": stable_name(key), "turn": number, **turn.place}
        place |= {} if span is None else {"piece": list(span)}
        place |= {} if identity is None else {"message_id": identity}
        place |= {} if speaker is None else {"speaker": speaker}
        place |= {} if at is None else {"at": at.isoformat()}
        place["chunk"] = len(self.chunks)
        shown = clean_name(turn.title) or title
        fields = self._fields | ({} if shown is None else {"title": shown})
        self.chunks.append(Chunk(text, place, fields, speaker, role or (None if speaker else "unknown"), at, metadata))

    def _time(self, turn: Turn) -> tuple[datetime | None, dict[str, str | int | float | bool]]:
        metadata = {key: _value(value, self._settings) for key, value in turn.metadata.items()}
        at, local = turn.at, turn.local_time
        if at is None and local is not None:
            zone = _zone(self._settings)
            if zone is None:
                self._zoneless += 1
                metadata["local_time"] = local.isoformat()
            else:
                at = local.replace(tzinfo=zone)
        if at is not None and not _possible(at, self._settings):
            self._future += 1
            metadata["stated_time"] = at.isoformat()
            at = None
        return at, metadata


def pieces(text: str, cut: bool, settings: Settings) -> Iterator[tuple[Span | None, str]]:
    """The text of a turn, whole where that may be, with the characters of each piece where not."""
    start, end = trim(text, 0, len(text))
    limit = settings.chunk_characters if cut else settings.max_message_bytes // 4
    if end - start <= limit:
        if start < end:
            yield None, text[start:end]
        return
    for span in pack(text, paragraphs(text, start, end), limit):
        yield span, text[slice(*span)]


def piece_of(text: str, locator: Mapping[str, Any]) -> str:
    """The piece of a turn's text that a locator names, or all of it."""
    if "piece" in locator:
        start, end = locator["piece"]
        return text[start:end]
    return text.strip()


def storable(text: str) -> str:
    """The text with U+FFFD for what PostgreSQL cannot hold: NUL, and halves of surrogate pairs."""
    return _UNSTORABLE.sub("�", text)


def clean_name(name: str | None) -> str | None:
    """A name without control characters, cut to what a name may have; None where nothing is left."""
    known = _CONTROLS.sub(" ", storable(name)).strip()[:_MAX_NAME].strip() if name else ""
    return known or None


def stable_name(name: str) -> str:
    """A key or id as it is where it can be a name, else one made of its hash."""
    if 0 < len(name) <= _MAX_NAME and not _CONTROLS.search(name) and not _UNSTORABLE.search(name):
        return name
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return f"{_CONTROLS.sub(' ', storable(name))[:64]}…{digest}"


def content_ids(prefix: str, contents: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Ids for turns that have none, by what they are made of and how often it came before: "Yes." may be said twice."""
    seen: dict[str, int] = {}
    for content in contents:
        digest = sha256("\x1f".join(content).encode("utf-8", "surrogatepass")).hexdigest()[:24]
        seen[digest] = seen.get(digest, 0) + 1
        yield f"{prefix}{digest}" if seen[digest] == 1 else f"{prefix}{digest}.{seen[digest]}"


def from_epoch(seconds: Any) -> datetime | None:
    """The time of seconds since 1970 in UTC, None where it is none."""
    try:
        return datetime.fromtimestamp(float(seconds), UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        return None


def from_iso(value: Any) -> datetime | None:
    """An ISO 8601 time with or without a zone, None where it is none."""
    try:
        return datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None


def zoned(said: datetime | None) -> tuple[datetime | None, datetime | None]:
    """A time as ``at`` of a turn where it has a zone, else as its ``local_time``."""
    return (said, None) if said is not None and said.tzinfo is not None else (None, said)


def in_order(times: Iterable[datetime]) -> int:
    """How many neighbours of a row of times are in order, less those that are not."""
    return sum(1 if later >= earlier else -1 for earlier, later in pairwise(times))


def _possible(at: datetime, settings: Settings) -> bool:
    try:
        return at.astimezone(UTC) <= datetime.now(UTC) + timedelta(seconds=settings.max_clock_skew)
    except OverflowError:
        return False


def _zone(settings: Settings) -> ZoneInfo | None:
    name = settings.local_time_zone
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        detail = "MUNIMENT_LOCAL_TIME_ZONE is no name of a time zone, such as Europe/Berlin."
        raise MunimentError("input.invalid", detail, setting="MUNIMENT_LOCAL_TIME_ZONE") from None


def _value(value: str | int | float | bool, settings: Settings) -> str | int | float | bool:
    if not isinstance(value, str):
        return value
    known = storable(value)
    while len(known.encode()) > settings.max_metadata_value_bytes:
        known = known[: max(1, len(known) * 3 // 4)]
    return known
