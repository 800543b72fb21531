"""What a leaf of the history tree says, byte for byte: canonical JSON (RFC 8785) of content, spine and entry.

Content is bound through a commitment under a random salt, so that after an erase, which deletes both, nobody can
confirm a guess at a short text. Only public ids and names enter a hash, never an internal number: a log can be
moved, and proved, anywhere.
"""

import hmac
import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from hashlib import sha256
from secrets import token_bytes
from typing import Any, Final
from uuid import UUID

import rfc8785

from muniment.log.tree import leaf_hash
from muniment.model.identifiers import RECORD, SOURCE, public_id

LEAF_VERSION: Final = 1
SALT_BYTES: Final = 32
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def new_salt() -> bytes:
    """32 random bytes for one record's commitment."""
    return token_bytes(SALT_BYTES)


def canonical(value: Any) -> bytes:
    """The canonical JSON of a JSON value, the same before and after it was stored as jsonb.

    RFC 8785 ends at integers of 53 bits. Beyond, a number is written as the float it equals, or as a string of its
    digits where it equals none.
    """
    if _plain(value):  # five times as fast, and for these the same bytes
        return _ENCODER.encode(value).encode()
    try:
        return rfc8785.dumps(value)
    except rfc8785.IntegerDomainError:
        return rfc8785.dumps(_within_domain(value))


def _plain(value: Any) -> bool:
    """Whether Python's own JSON, with sorted keys, is canonical: no floats, and keys whose order is not in doubt."""
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return True
    if kind is int:
        return abs(int(value)) < 2**53
    if kind is dict:
        return all(type(key) is str and key.isascii() and _plain(inner) for key, inner in value.items())
    return kind is list and all(_plain(inner) for inner in value)


def _within_domain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _within_domain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_within_domain(inner) for inner in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**53:
        try:
            nearest = float(value)
        except OverflowError:
            return str(value)
        # jsonb turns the float 1e23 into the integer 10^23, which is not what int(1e23) gives
        return nearest if int(Decimal(repr(nearest))) == value else str(value)
    return value


def commitment(salt: bytes, text: str, fields: Mapping[str, Any], payload: Mapping[str, Any]) -> bytes:
    """HMAC-SHA-256 under the salt of a record's content; 32 bytes."""
    content = canonical({"text": text, "fields": fields, "payload": payload})
    return hmac.digest(salt, content, "sha256")


@dataclass(frozen=True, slots=True)
class Spine:
    """The spine of a record by its public names: all that its leaf binds beside the content."""

    record_id: UUID
    kind: str
    modality: str
    project_id: str | None
    user_id: str | None
    agent_id: str | None
    source_id: UUID
    source_version: int
    group_key: str
    position: int
    session_id: str | None
    speaker: str | None
    role: str | None
    said_at: datetime | None
    said_offset: int | None
    event_from: datetime | None
    event_to: datetime | None
    locator: Mapping[str, Any]
    trust: float
    commitment: bytes

    def digest(self) -> bytes:
        """SHA-256 of the canonical JSON; 32 bytes."""
        return sha256(self.data()).digest()

    def data(self) -> bytes:
        """The canonical JSON."""
        return canonical(
            {
                "record": public_id(RECORD, self.record_id),
                "kind": self.kind,
                "modality": self.modality,
                "space": {"project_id": self.project_id, "user_id": self.user_id, "agent_id": self.agent_id},
                "source": public_id(SOURCE, self.source_id),
                "source_version": self.source_version,
                "group": self.group_key,
                "position": self.position,
                "session_id": self.session_id,
                "speaker": self.speaker,
                "role": self.role,
                "said_at": _instant(self.said_at),
                "said_offset": self.said_offset,
                "event_from": _instant(self.event_from),
                "event_to": _instant(self.event_to),
                "locator": self.locator,
                "trust": _as_stored(self.trust),
                "commitment": self.commitment.hex(),
            }
        )


def entry_data(
    commit: int,
    ordinal: int,
    at: datetime,
    event: str,
    record_id: UUID | None,
    spine: bytes | None,
    detail: Mapping[str, Any] | None,
) -> bytes:
    """The canonical JSON of a log entry: what its leaf is the hash of. ``spine`` is a spine's digest.

    Put together by hand, since it is made under the head lock: the keys stand in order and no value but the detail
    needs escaping.
    """
    record_json = "null" if record_id is None else f'"{RECORD}{record_id.hex}"'
    spine_json = "null" if spine is None else f'"{spine.hex()}"'
    detail_json = "null" if detail is None else canonical(detail).decode()
    return (
        f'{{"at":"{_instant(at)}","commit":{commit},"detail":{detail_json},"event":"{event}","ordinal":{ordinal},'
        f'"record":{record_json},"spine":{spine_json},"v":{LEAF_VERSION}}}'
    ).encode()


def entry_leaf(
    commit: int,
    ordinal: int,
    at: datetime,
    event: str,
    record_id: UUID | None,
    spine: bytes | None,
    detail: Mapping[str, Any] | None,
) -> bytes:
    """The leaf hash of a log entry; 32 bytes."""
    return leaf_hash(entry_data(commit, ordinal, at, event, record_id, spine, detail))


def _instant(at: datetime | None) -> str | None:
    """UTC to the microsecond, always in the same form. Raises ValueError for a time without a zone."""
    if at is None:
        return None
    if at.tzinfo is None:
        raise ValueError("a time in the log needs a zone")
    return at.astimezone(UTC).isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def _as_stored(trust: float) -> float | int:
    """The trust as PostgreSQL's real holds it; a whole number as the integer that canonical JSON writes for it."""
    stored: float = struct.unpack("f", struct.pack("f", trust))[0]
    return int(stored) if stored.is_integer() else stored
