"""Sources that have content of their own: their versions, each written with its records in one transaction."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from muniment.database.numbers import take_numbers
from muniment.database.pool import Database, Scope
from muniment.errors import MunimentError
from muniment.extraction.languages import language_of
from muniment.log.admission import AdmittedSource, Said, admit_time, content_hash
from muniment.log.drafts import Draft, Place, insert_drafts
from muniment.log.extraction import expect_description, expect_facts
from muniment.log.merging import enqueue_merge
from muniment.log.metadata import admit_metadata
from muniment.log.reading import read_in_turn
from muniment.log.runs import Outcome, Ticket, finish_item
from muniment.log.screening import Screen
from muniment.log.seal import Commit, NewEntry, seal
from muniment.log.vectors import Embedding, Wait, embed_early, embedded_text, store_vectors
from muniment.model.identifiers import SOURCE, new_id, public_id
from muniment.model.namespace import Namespace
from muniment.settings import Settings
from muniment.sources import Chunk, Parsed, read_source
from muniment.sources.format import Format
from muniment.sources.registry import Choice, choose_format, read_apart

_LANGUAGE_CHUNKS = 8  # whose text tells the language of a document
_NOTES, _NOTE_CHARACTERS = 100, 500


@dataclass(frozen=True, slots=True)
class Document:
    """A source that was read: its format, its bytes' hash, its chunks, and their vectors where they were made early.

    Of an export ``turns`` are the records of its conversations, of which it brought ``brought``.
    """

    source: AdmittedSource
    format: Format
    sha256: bytes
    parsed: Parsed
    said: list[Said | None]
    vectors: list[list[float]] | None
    marks: list[dict[str, bool]] | None = None
    served: Mapping[int, Sequence[UUID]] = field(default_factory=dict)
    turns: Sequence[UUID] = ()
    brought: int = 0

    @property
    def nested(self) -> bool:
        """Whether there may be sources inside."""
        return _is_nested(self.format, self.parsed)


@dataclass(frozen=True, slots=True)
class _Numbers:
    """Fresh numbers that a version may need; what it does not use is lost, which means nothing."""

    source_no: int
    group_no: int
    records: range


async def read_document(
    source: AdmittedSource, embedding: Embedding, wait: Wait, settings: Settings, screen: Screen | None = None,
    choice: Choice | None = None,
) -> Document:  # fmt: skip
    """Reads and, where it is small, embeds a source. Raises the codes of ``read_source`` and of the admission.

    ``choice`` is the format that was chosen for the source, where it was. What it says is screened once more, since a
    format may hide it from who looks at the bytes: ``policy.refused``.
    """
    if choice is None:
        choice = await asyncio.to_thread(choose_format, source.data, source.media_type, source.filename)
    apart = read_apart(choice.format, source.data)
    parsed = await read_in_turn(apart, settings, _read, source, choice, settings)
    assert choice.format is not None  # else it would not have been read
    of_all = source.said or _own_time(parsed, settings)
    said = [admit_time(chunk.at, settings) or (None if chunk.role == "quoted" else of_all) for chunk in parsed.chunks]
    for chunk in parsed.chunks:
        if chunk.metadata:
            admit_metadata(chunk.metadata, settings)
    marks = None if screen is None else await asyncio.to_thread(screened_chunks, parsed, screen)
    some = parsed.chunks[: settings.embed_inline_limit + 1] if parsed.conversations is None else []
    texts = [embedded_text(chunk.text, chunk.fields) for chunk in some]
    vectors = await embed_early(embedding, texts, wait, settings)
    return Document(source, choice.format, content_hash(source.data), parsed, said, vectors, marks)


def screened_chunks(parsed: Parsed, screen: Screen) -> list[dict[str, bool]]:
    """The marks of each chunk of what was read; raises ``policy.refused``. CPU work."""
    screen.check(filter(None, (parsed.title, *(str(value) for value in parsed.metadata.values()))))
    found = []
    for chunk in parsed.chunks:
        about = [str(value) for value in (*chunk.metadata.values(), *chunk.fields.values())]
        screen.check(filter(None, (chunk.text, *about, chunk.speaker, chunk.role)))
        found.append(screen.marks([chunk.text, *about]))
    return found


def _own_time(parsed: Parsed, settings: Settings) -> Said | None:
    """When the source says that it was written; a time that cannot be, such as one to come, is nobody's mistake."""
    try:
        return admit_time(parsed.at, settings)
    except MunimentError:
        return None


async def current_hash(database: Database, tenant: int, space: int, source_key: str) -> bytes | None:
    """The hash of the current content of a source, to spare reading what has not changed."""
    async with database.scope(tenant, spaces=[space]) as scope:
        row = await scope.row("sources.find", space=space, source_key=source_key)
    return None if row is None or row["kind"] == "conversation" else row["content_hash"]


async def store_document(
    database: Database,
    tenant: int,
    space: int,
    namespace: Namespace,
    document: Document,
    ticket: Ticket,
    embedding: Embedding,
    kept_input: dict[str, Any],
) -> Outcome:
    """Writes the new version with its records, or finds its content unchanged; and the end of the item with it.

    Raises ``AlreadyFinished``, ``source.key_taken`` where the key names a conversation, and ``store.*``.
    """
    numbers = await _take_numbers(database, tenant, space, document)
    async with database.scope(tenant, spaces=[space], seconds=database.settings.write_timeout) as scope:
        source_no, source_id = await _lock_source(scope, space, document.source, numbers.source_no)
        newest = await scope.row("sources.newest_version", source_no=source_no)
        if newest is not None and newest["live_to_commit"] is None and newest["content_hash"] == document.sha256:
            return await _unchanged(scope, space, ticket, document.source, source_no, newest["version"], kept_input)
        version = 1 if newest is None else newest["version"] + 1
        archived = newest["version"] if newest is not None and newest["live_to_commit"] is None else None
        place = await _new_group(scope, space, namespace, document, numbers.group_no, source_no, source_id, version)
        drafts = _drafts(document, namespace.session_id, numbers.records)
        outcome = Outcome(
            "stored",
            document.source.source_key,
            source_no,
            source_id,
            version,
            len(drafts) + document.brought,
            [*document.turns, *(draft.record_id for draft in drafts)],
            document.sha256,
            kept_input,
            served=document.served,
        )
        commit = await _write(scope, place, document, drafts, archived, embedding, ticket, outcome, database.settings)
        await _end_version(scope, place, document, len(drafts), commit)
        await database.quotas.require_fit(scope)
    return outcome


async def _take_numbers(database: Database, tenant: int, space: int, document: Document) -> _Numbers:
    async with database.scope(tenant, spaces=[space]) as scope:
        known = await scope.row("sources.find", space=space, source_key=document.source.source_key)
        records = await take_numbers(scope, "record", len(document.parsed.chunks))
        source_no = (await take_numbers(scope, "source"))[0] if known is None else known["source_no"]
        group_no = (await take_numbers(scope, "group"))[0]
    return _Numbers(source_no, group_no, records)


async def store_unchanged(
    database: Database,
    tenant: int,
    space: int,
    source: AdmittedSource,
    sha256: bytes,
    ticket: Ticket,
    kept_input: dict[str, Any],
) -> Outcome | None:
    """Writes the item of a source whose current content is this; None where it no longer is."""
    async with database.scope(tenant, spaces=[space], seconds=database.settings.write_timeout) as scope:
        locked = await scope.row("sources.lock", space=space, source_key=source.source_key)
        if locked is None:
            return None
        newest = await scope.row("sources.newest_version", source_no=locked["source_no"])
        if newest is None or newest["live_to_commit"] is not None or newest["content_hash"] != sha256:
            return None
        return await _unchanged(scope, space, ticket, source, locked["source_no"], newest["version"], kept_input)


async def store_failure(
    database: Database, tenant: int, space: int, ticket: Ticket, outcome: Outcome, data: bytes | None
) -> None:
    """Writes the end of an item that failed, with its bytes where there are any, so that it can be retried."""
    async with database.scope(tenant, spaces=[space], seconds=database.settings.write_timeout) as scope:
        if data is not None:
            outcome.blob_sha256 = content_hash(data)
            await scope.execute("sources.insert_blob", space=space, sha256=outcome.blob_sha256, content=data)
        await finish_item(scope, space, ticket, outcome)


def _is_nested(chosen: Format | None, parsed: Parsed) -> bool:
    return bool(parsed.parts) or (chosen is not None and chosen.unpack is not None)


def _read(source: AdmittedSource, choice: Choice, settings: Settings) -> Parsed:
    parsed = read_source(
        source.data,
        kind=source.kind,
        filename=source.filename,
        media_type=source.media_type,
        source_key=source.source_key,
        settings=settings,
        title=source.title,
        language=source.language or "english",
        commit=source.commit,
        around=source.around,
        choice=choice,
    )
    if source.language is None:
        text = "\n".join(chunk.text for chunk in parsed.chunks[:_LANGUAGE_CHUNKS])
        parsed = replace(parsed, language=language_of(text) or "english")
    if not parsed.chunks and not _is_nested(choice.format, parsed):
        raise MunimentError("input.empty_text", "the source has no text")
    return parsed


async def _lock_source(scope: Scope, space: int, source: AdmittedSource, fresh: int) -> tuple[int, UUID]:
    """The source's number and id, its row locked until the transaction ends: its versions have no gaps."""
    locked = await scope.row("sources.lock", space=space, source_key=source.source_key)
    if locked is None:
        await scope.execute(
            "sources.insert", source_no=fresh, space=space, source_id=new_id(), source_key=source.source_key,
            kind=source.kind,
        )  # fmt: skip
        locked = await scope.row("sources.lock", space=space, source_key=source.source_key)
        assert locked is not None
    if locked["kind"] == "conversation":
        raise MunimentError(
            "source.key_taken", "a conversation has this source key as its group_id", source_key=source.source_key
        )
    return locked["source_no"], locked["source_id"]


async def _new_group(
    scope: Scope, space: int, namespace: Namespace, document: Document, group_no: int,
    source_no: int, source_id: UUID, version: int,
) -> Place:  # fmt: skip
    """The group of the version's chunks. Its key cannot be a key that a client thought of by chance."""
    group_key = f"{public_id(SOURCE, source_id)}:{version}"
    await scope.execute(
        "messages.insert_group", group_no=group_no, space=space, group_key=group_key, source_no=source_no,
        session=document.source.session_id or namespace.session_id,
    )  # fmt: skip
    group = await scope.row("messages.lock_group", space=space, group_key=group_key)
    assert group is not None
    if group["source_no"] != source_no:
        raise MunimentError("source.key_taken", "a conversation has the group_id of this version", group_id=group_key)
    return Place(space, namespace, source_no, source_id, version, group["group_no"], group_key)


def _drafts(document: Document, session_id: str | None, records: Sequence[int]) -> list[Draft]:
    source = document.source
    session_id = source.session_id or session_id
    marks: Sequence[Mapping[str, bool]] = document.marks or [{}] * len(document.said)
    return [
        _draft(source, document.parsed, chunk, record_no, position, said, session_id, marked)
        for position, (chunk, record_no, said, marked) in enumerate(
            zip(document.parsed.chunks, records, document.said, marks, strict=True)
        )
    ]


def _draft(
    source: AdmittedSource, parsed: Parsed, chunk: Chunk, record_no: int, position: int, said: Said | None,
    session_id: str | None, marks: Mapping[str, bool],
) -> Draft:  # fmt: skip
    return Draft(
        record_no=record_no,
        text=chunk.text,
        modality=parsed.modality,
        position=position,
        locator=chunk.locator,
        fields=chunk.fields,
        metadata={**parsed.metadata, **source.metadata, **chunk.metadata, **marks},
        session_id=session_id,
        speaker=chunk.speaker,
        role=chunk.role,
        said=said,
    )


async def _write(
    scope: Scope, place: Place, document: Document, drafts: Sequence[Draft], archived: int | None,
    embedding: Embedding, ticket: Ticket, outcome: Outcome, settings: Settings,
) -> Commit:  # fmt: skip
    await scope.execute("sources.insert_blob", space=place.space, sha256=document.sha256, content=document.source.data)
    entries = await insert_drafts(scope, place, drafts, document.parsed.language)
    numbers = [draft.record_no for draft in drafts]
    await store_vectors(scope, place.space, numbers, embedding, document.vectors)
    await finish_item(scope, place.space, ticket, outcome)
    await expect_facts(scope, place.space, place.group_no, 0, numbers, settings)
    if document.parsed.modality == "image" and numbers:
        await expect_description(scope, place.space, place.group_no, numbers[0], settings)
    await enqueue_merge(scope, place.space, numbers, settings)
    detail = {"source": public_id(SOURCE, place.source_id), "version": place.source_version, "archived": archived}
    return await seal(scope, [NewEntry(event="version", space=place.space, detail=detail), *entries], place.space)


async def _end_version(scope: Scope, place: Place, document: Document, records: int, commit: Commit) -> None:
    await scope.execute(
        "sources.insert_version", source_no=place.source_no, version=place.source_version, space=place.space,
        sha256=document.sha256, media_type=document.parsed.media_type, filename=document.source.filename,
        title=document.source.title or document.parsed.title, language=document.parsed.language,
        bytes=len(document.source.data), records=records, commit=commit.number,
        notes=_kept_notes(document.parsed.notes),
    )  # fmt: skip


def _kept_notes(notes: Sequence[str]) -> list[str]:
    """The notes as they can be kept: a reader may quote the source in them."""
    return [
        note.encode(errors="replace").decode().replace("\0", "\ufffd")[:_NOTE_CHARACTERS] for note in notes[:_NOTES]
    ]


async def _unchanged(
    scope: Scope, space: int, ticket: Ticket, source: AdmittedSource, source_no: int, version: int,
    kept_input: dict[str, Any],
) -> Outcome:  # fmt: skip
    outcome = Outcome("unchanged", source.source_key, source_no, source_version=version, input=kept_input)
    await finish_item(scope, space, ticket, outcome)
    return outcome
