"""Trisynapse's store: the SQLite file ``trace.sqlite3``. What was put in becomes turns by group, with ids and times.

Of version 0.2 these are raw sources, facts and notes by group; 0.1 calls them observations, extractions, annotations
and episodes. The file is read in memory and never written; only two of its tables are, and only where they are real.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC
from typing import Any, Final

from muniment.database.files import named_statements
from muniment.errors import MunimentError
from muniment.sources.conversations.json_export import about, list_of, name_of, object_of, text_of
from muniment.sources.conversations.turns import Found, Talk, Turn, conversations, from_iso, piece_of, storable
from muniment.sources.parsed import Origin, Parsed

_MAGIC: Final = b"SQLite format 3\0"
_SCHEMA: Final = (b"deltas", b"evidence_refs_json", b"removal_audit")
_SNIFFED: Final = 1024 * 1024
_VERSIONS: Final = slice(18, 20)  # of the header: 2 says that there may be a write-ahead log beside the file
_PUT_IN: Final = frozenset({"raw_source", "observation"})
_DRAWN: Final = frozenset({"fact", "extraction"})
_STORED: Final = _PUT_IN | _DRAWN | {"note", "annotation"}
_TARGETS: Final = ("target_record_ids", "target_delta_ids")
_REMOVED: Final = "[REMOVED]"
_ABOUT: Final = ("external_key", "subject", "relation", "object", "temporal_anchor", "written_at")
_NAMESPACE: Final = ("project_id", "user_id", "agent_id", "session_id")
_Row = Mapping[str, Any]


def looks_like_trisynapse(data: bytes) -> bool:
    """Whether the bytes begin as a file of SQLite with the tables of such a store."""
    head = data[:_SNIFFED]
    return head.startswith(_MAGIC) and all(name in head for name in _SCHEMA)


def read_trisynapse(data: bytes, origin: Origin) -> Parsed:
    """A turn each source, fact and note, by namespace and group in the order they were written.

    What was retracted or removed there is left out and counted. Raises ``source.format_unsupported`` for another
    file of SQLite, ``source.damaged``, ``input.empty_text`` and ``input.too_many``.
    """
    talks: dict[str, Talk] = {}
    with _opened(data) as store:
        rows = [dict(row) for row in store.execute(_statement("deltas"))]
        gone = {str(target) for row in rows for target in _retracted(row)}
        left_out = 0
        for row in rows:
            if row.get("kind") not in _STORED:
                continue
            if row.get("id") in gone or _text(row) == _REMOVED:
                left_out += 1
            elif _text(row).strip():
                key = _conversation(row)
                talks.setdefault(key, Talk(f"trisynapse:{key}", _title(row))).turns.append(_turn(row))
        found = Found(list(talks.values()), list(_notes(store, rows, left_out)))
    return conversations(found, origin)


def locate_trisynapse(data: bytes, locator: Mapping[str, Any]) -> str:
    """The text of the delta that a locator names. Raises ``source.unreadable`` where there is none."""
    with _opened(data) as store:
        row = store.execute(_statement("delta"), {"id": locator["delta"]}).fetchone()
    if row is None:
        raise MunimentError("source.unreadable", "The locator leads to nothing in the source.")
    return piece_of(_text(dict(row)), locator)


@contextmanager
def _opened(data: bytes) -> Iterator[sqlite3.Connection]:
    """The file as a database in memory, whatever its write-ahead log still holds left aside."""
    store = sqlite3.connect(":memory:")
    try:
        store.text_factory = lambda text: text.decode("utf-8", "replace")
        store.row_factory = sqlite3.Row
        store.deserialize(data[: _VERSIONS.start] + b"\1\1" + data[_VERSIONS.stop :])
        store.execute(_statement("distrust"))
        if "deltas" not in {row["name"] for row in store.execute(_statement("tables"))}:
            raise MunimentError("source.format_unsupported", "This file of SQLite is no store of Trisynapse.")
        yield store
    except sqlite3.Error as error:
        raise MunimentError("source.damaged", f"The file of SQLite cannot be read: {error}.") from None
    finally:
        store.close()


def _statement(name: str) -> str:
    return named_statements("imports")[f"trisynapse.{name}"]


def _turn(row: _Row) -> Turn:
    at = from_iso(row.get("observed_at"))
    payload = object_of(_json(row, "payload_json"))
    said = {**object_of(payload.get("retrieval_fields")), **payload, **object_of(_json(row, "scope_json"))}
    source = _json(row, "source_ref_json")
    known = {name: name_of(row.get(name)) for name in _ABOUT} | _namespace(row)
    known |= {
        "source": name_of(source) or next((name_of(object_of(source).get(each)) for each in ("title", "id")), None),
        "locator": row.get("locator_json") if isinstance(row.get("locator_json"), str) else None,
        "evidence": ", ".join(str(each) for each in list_of(_json(row, "evidence_refs_json"))),
    }
    metadata = about(**known)
    if isinstance(confidence := row.get("confidence"), float) and row.get("kind") in _DRAWN:
        metadata["confidence"] = confidence
    speaker = name_of(said.get("speaker"))
    role = name_of(said.get("role")) or (None if row.get("kind") in _PUT_IN else name_of(row.get("kind")))
    modality = name_of(said.get("source_type")) or name_of(said.get("modality"))
    return Turn(
        _text(row),
        {"delta": str(row.get("id"))},
        speaker=speaker,
        role=role or (None if speaker else modality),
        at=at if at is None or at.tzinfo else at.replace(tzinfo=UTC),  # as Trisynapse itself reads one without a zone
        id=name_of(row.get("id")),
        metadata=metadata,
        title=name_of(said.get("title")),
    )


def _conversation(row: _Row) -> str:
    """The key of a group: the store's namespace, so far as it says more, and the group in it."""
    group = _group(row) or "no group"
    known = {name: value for name, value in _namespace(row).items() if value and value != group}
    return "/".join([*(f"{name.removesuffix('_id')}={value}" for name, value in known.items()), group])


def _group(row: _Row) -> str | None:
    return name_of(row.get("group_id")) or name_of(row.get("episode_id"))


def _namespace(row: _Row) -> dict[str, str | None]:
    namespace = object_of(_json(row, "namespace_json"))
    return {name: name_of(namespace.get(name)) for name in _NAMESPACE}


def _title(row: _Row) -> str | None:
    source = object_of(_json(row, "source_ref_json"))
    return name_of(source.get("title")) or _group(row)


def _retracted(row: _Row) -> list[Any]:
    if row.get("kind") != "retraction":
        return []
    payload = object_of(_json(row, "payload_json"))
    return [target for name in _TARGETS for target in list_of(payload.get(name))]


def _notes(store: sqlite3.Connection, rows: list[dict[str, Any]], left_out: int) -> Iterator[str]:
    if left_out:
        yield f"{left_out} that were retracted or removed are left out."
    namespaces = {json.dumps(_namespace(row) | {"session_id": None}) for row in rows if row.get("kind") in _STORED}
    if len(namespaces) > 1:
        yield f"The store has {len(namespaces)} namespaces: they are metadata of the turns, which all come into one."
    tables = {row["name"] for row in store.execute(_statement("tables"))}
    originals = store.execute(_statement("originals")).fetchone()[0] if "sources" in tables else 0
    if originals:
        yield (
            f"{originals} sources have their originals beside the store, in its directory sources: ingested "
            "themselves they are read anew, with exact places."
        )


def _text(row: _Row) -> str:
    """What was said, without the speaker that stands before a message's words in the store."""
    text = storable(text_of(row.get("text")))
    fields = object_of(object_of(_json(row, "payload_json")).get("retrieval_fields"))
    words = storable(text_of(fields.get("message"))).strip()
    return words if words and text == f"{fields.get('speaker')}: {words}" else text


def _json(row: _Row, column: str) -> Any:
    """What a column of JSON holds; None where it holds none, or is none."""
    try:
        return json.loads(row[column])
    except (KeyError, TypeError, ValueError, RecursionError):
        return None
