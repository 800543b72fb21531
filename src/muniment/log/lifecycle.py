"""Correcting, forgetting, retracting and undoing: what closes records, and opens them again, each an entry of the log.

Nothing is taken away by these: what is closed no longer counts, and is found as known at an earlier commit. Done again
they add nothing. Locks are taken in the order sources, groups, head.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from muniment.database.numbers import allocate
from muniment.database.pool import Database, Row, Scope
from muniment.errors import MunimentError
from muniment.log.admission import Said
from muniment.log.drafts import Draft, Place, insert_drafts
from muniment.log.extraction import expect_again, expect_facts
from muniment.log.resting import resting_on
from muniment.log.seal import Commit, NewEntry, seal
from muniment.log.stale_claims import mark_reopened
from muniment.log.vectors import Embedding, embed_early, store_vectors
from muniment.model.identifiers import RECORD, SOURCE, parse_id, public_id
from muniment.model.lifecycle import LifecycleEvent
from muniment.model.namespace import Namespace


@dataclass(frozen=True, slots=True)
class Target:
    """A record that is to be closed: who and where it is."""

    record_no: int
    record_id: UUID
    space: int
    group_no: int
    source_no: int
    live: bool
    row: Any


async def forget(database: Database, tenant: int, record_ids: Sequence[str], reason: str) -> LifecycleEvent:
    """Closes records, and what is derived from them alone. Those that were forgotten already stay as they are.

    Raises ``record.not_found``, ``record.not_live`` where one was closed otherwise, and ``input.invalid``.
    """
    reason = admit_reason(database, reason)
    if not record_ids:
        raise MunimentError("input.invalid", "name at least one record")
    async with database.scope(tenant, seconds=database.settings.write_timeout) as scope:
        targets = await lock_targets(scope, record_ids)
        open_ = [target for target in targets if target.live]
        if not open_:
            return await _known(scope, "forget", targets[0], reason)
        closes = await _closing(scope, open_, "forget")
        entries = [_event("forget", target, reason) for target in open_] + closes
        commit = await seal(scope, entries, _common(entries))
        await scope.execute("lifecycle.recount", sources=sorted({target.source_no for target in open_}))
    return _told("forget", commit, reason, closed=closes)


async def correct(
    database: Database, tenant: int, embedding: Embedding, record_id: str, text: str, reason: str,
    metadata: Mapping[str, Any] | None = None,
) -> LifecycleEvent:  # fmt: skip
    """Puts a correction in the place of a record, said by whom and when the record was; what it leaves out is gone.

    Raises ``record.not_found``, ``record.not_live``, ``input.*``.
    """
    reason, text = admit_reason(database, reason), _admit_text(database, text)
    vectors = await embed_early(embedding, [text], "default", database.settings)
    number = (await allocate(database, tenant, "record"))[0]
    async with database.scope(tenant, seconds=database.settings.write_timeout) as scope:
        (target,) = await lock_targets(scope, [record_id])
        if not target.live:
            known = await _known(scope, "correct", target, reason)
            if known.correction is not None and await _text(scope, known.correction) == text:
                return known
            raise _not_live(target)
        draft, place = _correction(target, number, text, metadata or {})
        brought = await insert_drafts(scope, place, [draft], target.row["language"])
        await store_vectors(scope, target.space, [number], embedding, vectors)
        await expect_facts(scope, target.space, target.group_no, draft.position, [number], database.settings)
        closes = await _closing(scope, [target], "correct")
        detail = {"by": public_id(RECORD, draft.record_id), "reason": reason}
        entries = [*brought, _event("correct", target, reason, detail), *closes]
        commit = await seal(scope, entries, target.space)
        await scope.execute("lifecycle.recount", sources=[target.source_no])
    return _told("correct", commit, reason, closed=closes, correction=detail["by"])


async def retract(database: Database, tenant: int, source_id: str, reason: str) -> LifecycleEvent:
    """Closes all records of a source, and what is derived from them alone. The source may be ingested anew.

    Raises ``source.not_found`` and ``input.invalid``.
    """
    reason = admit_reason(database, reason)
    identity = parse_id(SOURCE, source_id)
    async with database.scope(tenant, seconds=database.settings.write_timeout) as scope:
        row = None if identity is None else await scope.row("lifecycle.source_number", source_id=identity)
        if row is None:
            raise MunimentError("source.not_found", "there is no source of this id")
        number = row["source_no"]
        await scope.rows("lifecycle.lock_sources", sources=[number])
        groups = [each["group_no"] for each in await scope.rows("lifecycle.source_groups", source_no=number)]
        await scope.rows("lifecycle.lock_groups", groups=groups)
        found = await scope.rows("lifecycle.source_records", source_no=number)
        targets = [
            Target(each["record_no"], each["record_id"], each["space_id"], each["group_no"], number, True, None)
            for each in found
        ]
        if not targets:
            return await _known_retraction(scope, source_id, reason)
        version = await scope.value("lifecycle.current_version", source_no=number)
        closes = await _closing(scope, targets, "retract")
        detail = {"source": source_id, "version": version, "reason": reason}
        commit = await seal(scope, [NewEntry("retract", row["space_id"], detail=detail), *closes], row["space_id"])
        if version is not None:
            await scope.execute("lifecycle.end_version", source_no=number, version=version, commit=commit.number)
        await scope.execute("lifecycle.recount", sources=[number])
    return _told("retract", commit, reason, closed=closes, source_id=source_id)


async def undo(database: Database, tenant: int, commit: int, reason: str) -> LifecycleEvent:
    """Undoes a commit's correction, forgetting or retraction: what it closed counts again, its correction does not.

    It does so from now on: as known at a commit in between, the log still is what it was then.

    Raises ``commit.not_found``, and ``commit.not_undoable`` where it is none of these, where something of it was erased
    since, where its correction was corrected since, or where a newer version of a retracted source is there.
    """
    reason = admit_reason(database, reason)
    async with database.scope(tenant, seconds=database.settings.write_timeout) as scope:
        rows = await scope.rows("lifecycle.commit_entries", commit=commit)
        if not rows:
            raise MunimentError("commit.not_found", "there is no such commit", commit=commit)
        event = next((row for row in rows if row["event"] in ("correct", "forget", "retract")), None)
        if event is None:
            raise MunimentError("commit.not_undoable", "this commit corrected, forgot and retracted nothing")
        sources = sorted({row["source_no"] for row in rows if row["source_no"] is not None})
        await scope.rows("lifecycle.lock_sources", sources=sources)
        groups = sorted({row["group_no"] for row in rows if row["group_no"] is not None})
        await scope.rows("lifecycle.lock_groups", groups=groups)
        done = await scope.value("lifecycle.undone", commit=commit)
        if done is not None:
            at = await scope.value("lifecycle.commit_at", commit=done)
            return LifecycleEvent(event="undo", commit=done, at=at, reason=reason, changed=False, undone=commit)
        reopened = [row for row in rows if row["event"] == "close"]
        await _require_content(scope, [row["record_no"] for row in reopened])
        version = await _version_to_reopen(scope, event, sources)
        entries = [NewEntry("undo", event["space_id"], detail={"commit": commit, "reason": reason})]
        corrections = [row for row in rows if row["event"] == "record"]
        await _require_uncorrected(scope, corrections)
        closes = [_close(row["space_id"], row["record_no"], row["record_id"], "undo") for row in corrections]
        closes += await resting_on(scope, [row["record_no"] for row in corrections])
        sealed = await seal(scope, [*entries, *closes], event["space_id"])
        numbers = [row["record_no"] for row in reopened]
        await scope.execute("lifecycle.reopen", records=numbers, commit=sealed.number)
        await mark_reopened(scope, sealed.number, await scope.value("claims.facts_on", records=numbers))
        await expect_again(scope, numbers)
        if version is not None:
            await scope.execute("lifecycle.end_version", source_no=sources[0], version=version, commit=None)
        await scope.execute("lifecycle.recount", sources=sources)
    told = _told("undo", sealed, reason, closed=closes)
    told.undone = commit
    told.reopened = [public_id(RECORD, row["record_id"]) for row in reopened]
    return told


def admit_reason(database: Database, reason: str) -> str:
    """The reason as the log keeps it, for good; raises ``input.invalid`` where there is none, or too much of it."""
    admitted, most = reason.strip(), database.settings.max_reason_characters
    if not admitted or len(admitted) > most or "\0" in admitted:
        raise MunimentError(
            "input.invalid",
            f"a reason has 1 to {most} characters",
            limit=most,
            setting="MUNIMENT_MAX_REASON_CHARACTERS",
        )
    return admitted


async def lock_targets(scope: Scope, record_ids: Sequence[str]) -> list[Target]:
    """The records, each once, with their sources and groups locked; raises ``record.not_found``."""
    asked = list(dict.fromkeys(record_ids))
    parsed = [parse_id(RECORD, record_id) for record_id in asked]
    rows = await scope.rows("lifecycle.targets", record_ids=[one for one in parsed if one is not None])
    if len(rows) != len(asked):
        raise MunimentError("record.not_found", "there is no record of this id")
    await scope.rows("lifecycle.lock_sources", sources=sorted({row["source_no"] for row in rows}))
    await scope.rows("lifecycle.lock_groups", groups=sorted({row["group_no"] for row in rows}))
    rows = await scope.rows("lifecycle.targets", record_ids=[row["record_id"] for row in rows])
    return [
        Target(
            row["record_no"], row["record_id"], row["space_id"], row["group_no"], row["source_no"],
            row["live_to_commit"] is None, row,
        )
        for row in rows
    ]  # fmt: skip


def close_target(target: Target, because: str) -> NewEntry:
    """The entry that ends a record's liveness."""
    return _close(target.space, target.record_no, target.record_id, because)


def _close(space: int, record_no: int, record_id: UUID, because: str) -> NewEntry:
    return NewEntry("close", space, record_no=record_no, record_id=record_id, detail={"reason": because})


async def _closing(scope: Scope, targets: Sequence[Target], because: str) -> list[NewEntry]:
    """The entries that close records, and what rests on them alone."""
    derived = await resting_on(scope, [target.record_no for target in targets])
    return [close_target(target, because) for target in targets] + derived


def _event(event: str, target: Target, reason: str, detail: dict[str, Any] | None = None) -> NewEntry:
    told = {"reason": reason} if detail is None else detail
    return NewEntry(event, target.space, record_no=target.record_no, record_id=target.record_id, detail=told)


def _common(entries: Sequence[NewEntry]) -> int | None:
    spaces = {entry.space for entry in entries}
    return spaces.pop() if len(spaces) == 1 else None


def _told(event: Any, commit: Commit, reason: str, closed: Sequence[NewEntry], **others: Any) -> LifecycleEvent:
    named = [public_id(RECORD, entry.record_id) for entry in closed if entry.record_id is not None]
    return LifecycleEvent(event=event, commit=commit.number, at=commit.at, reason=reason, closed=named, **others)


async def _known(scope: Scope, event: Any, target: Target, reason: str) -> LifecycleEvent:
    """What the log says already of a record that is closed; raises ``record.not_live`` where that is something else."""
    found = await scope.row("lifecycle.event_of_record", record=target.record_no, event=event)
    if found is None or found["commit_no"] != target.row["live_to_commit"]:
        raise _not_live(target)
    at = await scope.value("lifecycle.commit_at", commit=found["commit_no"])
    detail = found["detail"] or {}
    return LifecycleEvent(
        event=event, commit=found["commit_no"], at=at, reason=detail.get("reason", reason), changed=False,
        correction=detail.get("by"),
    )  # fmt: skip


async def _known_retraction(scope: Scope, source_id: str, reason: str) -> LifecycleEvent:
    found = await scope.row("lifecycle.event_of_source", source=source_id)
    if found is None:
        raise MunimentError("record.not_live", "the source has no record that counts")
    at = await scope.value("lifecycle.commit_at", commit=found["commit_no"])
    said = (found["detail"] or {}).get("reason", reason)
    return LifecycleEvent(
        event="retract", commit=found["commit_no"], at=at, reason=said, changed=False, source_id=source_id
    )


def _not_live(target: Target) -> MunimentError:
    return MunimentError(
        "record.not_live", "the record no longer counts: something else took its place, or closed it",
        record=public_id(RECORD, target.record_id), closed_by_commit=target.row["live_to_commit"],
    )  # fmt: skip


def _admit_text(database: Database, text: str) -> str:
    limit = database.settings.max_message_bytes
    if not text.strip():
        raise MunimentError("input.empty_text", "the correction has no text")
    if "\0" in text:
        raise MunimentError("input.nul_byte", "the correction holds a NUL byte")
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise MunimentError("input.encoding_invalid", "a text holds half of a surrogate pair") from None
    if size > limit:
        raise MunimentError(
            "input.too_large", "the correction is larger than the limit", limit=limit,
            setting="MUNIMENT_MAX_MESSAGE_BYTES",
        )  # fmt: skip
    return text


def _correction(target: Target, number: int, text: str, metadata: Mapping[str, Any]) -> tuple[Draft, Place]:
    row = target.row
    said = None if row["said_at"] is None else Said(row["said_at"], row["said_offset"])
    draft = Draft(
        record_no=number,
        text=text,
        modality=row["modality"],
        position=row["position"],
        locator={"kind": "correction", "corrects": public_id(RECORD, target.record_id)},
        session_id=row["session_id"],
        speaker=row["speaker"],
        role=row["role"],
        said=said,
        kind="correction",
        metadata=metadata,
        language=row["language"] if row["language"] != "english" else None,
    )
    namespace = Namespace(project_id=row["project_id"], user_id=row["user_id"], agent_id=row["agent_id"])
    place = Place(
        target.space, namespace, target.source_no, row["source_id"], row["source_version"], target.group_no,
        row["group_key"],
    )  # fmt: skip
    return draft, place


async def _text(scope: Scope, record_id: str) -> str | None:
    rows = await scope.rows("lifecycle.targets", record_ids=[parse_id(RECORD, record_id)])
    return rows[0]["text"] if rows else None


async def _require_content(scope: Scope, records: Sequence[int]) -> None:
    if await scope.value("lifecycle.has_content", records=list(records)) != len(records):
        raise MunimentError("commit.not_undoable", "something that this commit closed was erased since")


async def _require_uncorrected(scope: Scope, corrections: Sequence[Row]) -> None:
    """Refuses where a correction was corrected itself: two would then stand in one place."""
    for row in corrections:
        (target,) = await scope.rows("lifecycle.targets", record_ids=[row["record_id"]])
        later = await scope.row("lifecycle.event_of_record", record=row["record_no"], event="correct")
        if later is not None and later["commit_no"] == target["live_to_commit"]:
            raise MunimentError(
                "commit.not_undoable", "the correction was corrected since: undo that first", by=later["commit_no"]
            )


async def _version_to_reopen(scope: Scope, event: Any, sources: Sequence[int]) -> int | None:
    """The version of a retracted document that is to be current again."""
    if event["event"] != "retract" or event["detail"].get("version") is None:
        return None
    if await scope.value("lifecycle.current_version", source_no=sources[0]) is not None:
        raise MunimentError("commit.not_undoable", "the source has a newer version: retract that first")
    version: int = event["detail"]["version"]
    return version
