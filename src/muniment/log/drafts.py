"""Records before they are records: what is known of each, and the bulk statements that write them.

A write of many records goes in slices of a thousand rows: while the server writes one, a thread computes the
commitments, digests and names of the next.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from muniment.database.giving_way import in_steps
from muniment.database.pool import Scope
from muniment.extraction.names import names_in
from muniment.log.admission import Said
from muniment.log.leaves import Spine, commitment, new_salt
from muniment.log.metadata import metadata_text
from muniment.log.seal import NewEntry
from muniment.log.subjects import Titled, subject_columns
from muniment.log.times import Telling, time_columns
from muniment.model.identifiers import new_id
from muniment.model.namespace import Namespace

SLICE: Final = 1000
_THREAD_FROM: Final = 32  # below, a thread costs more than it frees
_MAX_ENTITY_BYTES: Final = 1024


@dataclass(frozen=True, slots=True)
class Place:
    """Where the records of one write belong: their space, source version and group, by number and by public name."""

    space: int
    namespace: Namespace
    source_no: int
    source_id: UUID
    source_version: int
    group_no: int
    group_key: str


@dataclass(slots=True)
class Draft:
    """A record to be. ``metadata`` becomes its payload, with the types that they have. ``language`` is named where it
    is not that of the source version."""

    record_no: int
    text: str
    modality: str
    position: int
    locator: Mapping[str, Any]
    fields: Mapping[str, str] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)
    session_id: str | None = None
    speaker: str | None = None
    role: str | None = None
    said: Said | None = None
    record_id: UUID = field(default_factory=new_id)
    kind: str = "raw"
    language: str | None = None

    @property
    def said_at(self) -> datetime | None:
        return None if self.said is None else self.said.at

    @property
    def said_offset(self) -> int | None:
        return None if self.said is None else self.said.offset


@dataclass(slots=True)
class _Slice:
    """The columns of the statements that write some drafts, and their log entries."""

    records: dict[str, Any]
    metadata: dict[str, Any]
    entities: dict[str, Any]
    times: dict[str, Any]
    subjects: dict[str, Any]
    entries: list[NewEntry]


def as_json(value: Any) -> str:
    """JSON for a jsonb parameter."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


async def insert_drafts(scope: Scope, place: Place, drafts: Sequence[Draft], language: str) -> list[NewEntry]:
    """Writes the records with contents, metadata and names, and puts them into the tail of the lexical index.

    ``language`` is that of the source version: of those that name none. Drafts that do name one come alone or among
    messages, whose conversation is English.

    Returns their log entries in order, to be sealed. Cost: about 10 statements a thousand records.
    """
    if not drafts:  # an export's words are in its conversations
        return []
    entries: list[NewEntry] = []
    parts = [drafts[start : start + SLICE] for start in range(0, len(drafts), SLICE)]
    ahead = _computing(place, parts[0], language) if parts else None
    try:
        for index, following in enumerate([*parts[1:], None]):
            assert ahead is not None
            if len(parts) > 1 and index & (index - 1) == 0:  # the tables have doubled since
                await scope.execute("scope.forget_plans")
            ready = await ahead
            ahead = None if following is None else _computing(place, following, language)
            await _write(scope, place, ready, language)
            entries += ready.entries
        if len(parts) > 1:
            await scope.execute("scope.forget_plans")
    finally:
        if ahead is not None:
            ahead.cancel()
    return entries


def _computing(place: Place, drafts: Sequence[Draft], language: str) -> "asyncio.Future[_Slice]":
    if len(drafts) >= _THREAD_FROM:
        return asyncio.ensure_future(asyncio.to_thread(_compute, place, drafts, language))
    done: asyncio.Future[_Slice] = asyncio.get_running_loop().create_future()
    done.set_result(_compute(place, drafts, language))
    return done


def _compute(place: Place, drafts: Sequence[Draft], language: str) -> _Slice:
    salts = [new_salt() for _ in drafts]
    commitments = [
        commitment(salt, draft.text, draft.fields, draft.metadata)
        for salt, draft in in_steps(zip(salts, drafts, strict=True))
    ]
    records = {
        "record_nos": [draft.record_no for draft in drafts],
        "record_ids": [draft.record_id for draft in drafts],
        "kinds": [draft.kind for draft in drafts],
        "modalities": [draft.modality for draft in drafts],
        "positions": [draft.position for draft in drafts],
        "sessions": [draft.session_id for draft in drafts],
        "speakers": [draft.speaker for draft in drafts],
        "roles": [draft.role for draft in drafts],
        "said_ats": [draft.said_at for draft in drafts],
        "said_offsets": [draft.said_offset for draft in drafts],
        "locators": [as_json(draft.locator) for draft in drafts],
        "commitments": [each.hex() for each in commitments],
        "salts": [each.hex() for each in salts],
        "texts": [draft.text for draft in drafts],
        "fields": [as_json(draft.fields) for draft in drafts],
        "payloads": [as_json(draft.metadata) for draft in drafts],
        "languages": [draft.language for draft in drafts],
    }
    pairs = [(key, metadata_text(value), draft.record_no) for draft in drafts for key, value in draft.metadata.items()]
    named = [(name, draft.record_no) for draft in in_steps(drafts) for name in entities_of(draft.text)]
    entries = [
        NewEntry(
            event="record",
            space=place.space,
            record_no=draft.record_no,
            record_id=draft.record_id,
            spine_digest=_spine(place, draft, committed).digest(),
            group_no=place.group_no,
            position=draft.position,
        )
        for draft, committed in in_steps(zip(drafts, commitments, strict=True))
    ]
    times = time_columns(
        Telling(place.space, draft.record_no, draft.text, draft.said_at, draft.said_offset, draft.language or language)
        for draft in in_steps(drafts)
    )
    subjects = subject_columns(
        Titled(place.space, draft.record_no, draft.text, draft.fields, draft.position, draft.modality)
        for draft in in_steps(drafts)
    )
    metadata = _columns(pairs, "keys", "values", "records")
    return _Slice(records, metadata, _columns(named, "entities", "records"), times, subjects, entries)


def _columns(rows: Sequence[tuple[Any, ...]], *names: str) -> dict[str, Any]:
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)) if rows else {}


def entities_of(text: str) -> set[str]:
    """The names by which a text's record is found in the graph: those that an index row has room for."""
    return {name for name in names_in(text) if len(name.encode()) <= _MAX_ENTITY_BYTES}


def _spine(place: Place, draft: Draft, committed: bytes) -> Spine:
    return Spine(
        record_id=draft.record_id,
        kind=draft.kind,
        modality=draft.modality,
        project_id=place.namespace.project_id,
        user_id=place.namespace.user_id,
        agent_id=place.namespace.agent_id,
        source_id=place.source_id,
        source_version=place.source_version,
        group_key=place.group_key,
        position=draft.position,
        session_id=draft.session_id,
        speaker=draft.speaker,
        role=draft.role,
        said_at=draft.said_at,
        said_offset=draft.said_offset,
        event_from=None,
        event_to=None,
        locator=draft.locator,
        trust=1.0,
        commitment=committed,
    )


async def _write(scope: Scope, place: Place, ready: _Slice, language: str) -> None:
    await scope.execute(
        "records.insert", space=place.space, source_no=place.source_no, source_version=place.source_version,
        group_no=place.group_no, **ready.records,
    )  # fmt: skip
    if ready.metadata:
        await scope.execute("records.insert_metadata", space=place.space, **ready.metadata)
    if ready.entities:
        await scope.execute("records.insert_entities", space=place.space, **ready.entities)
    if ready.times:
        await scope.execute("temporal.insert", **ready.times)
    if ready.subjects:
        await scope.execute("subjects.insert", **ready.subjects)
    own = any(ready.records["languages"])
    await scope.execute("records.index", records=ready.records["record_nos"], language=None if own else language)
