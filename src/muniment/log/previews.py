"""Originals, given back as they came, and records shown in their places in them."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.reading import read_in_turn
from muniment.log.records import get_record
from muniment.model.identifiers import RECORD, SOURCE, parse_id, public_id
from muniment.model.result import Record
from muniment.model.source import Preview, SourceContent
from muniment.settings import Settings
from muniment.sources.registry import choose_format, locate_in, read_apart

_VERSIONS: Final = 3  # of an export that are looked at: a turn may have been read from an earlier one


async def get_content(database: Database, tenant: int, source_id: str, version: int | None = None) -> SourceContent:
    """The original bytes of a version, or of the newest. Raises ``source.not_found``, also for a version that there is
    not, and ``source.no_original`` for conversations and what was erased."""
    identity = parse_id(SOURCE, source_id)
    async with database.scope(tenant, seconds=database.settings.write_timeout) as scope:
        row = None if identity is None else await scope.row("sources.original", source_id=identity, version=version)
    if row is None:
        raise MunimentError("source.not_found", "there is no source of this id, or no such version of it")
    if row["content"] is None:
        raise MunimentError(
            "source.no_original", "nothing but its records is kept of this source", version=row["version"]
        )
    return SourceContent(
        version=row["version"], media_type=row["media_type"], filename=row["filename"],
        content_hash=row["blob_sha256"].hex(), data=bytes(row["content"]),
    )  # fmt: skip


async def preview(database: Database, tenant: int, record_id: str, source_id: str | None = None) -> Preview:
    """A record in its place. Raises ``record.not_found``, also where it is of another source, and
    ``source.no_original`` where nothing is left of it to be shown.

    A turn stands in a conversation, and was read from the file that its locator names: that is its original.
    """
    record = await get_record(database, tenant, record_id)
    async with database.scope(tenant) as scope:
        rows = await scope.rows("records.neighbours", record_id=parse_id(RECORD, record_id))
    around = {row["distance"]: row["text"] or "" for row in rows}
    if record.text is None:
        raise MunimentError("source.no_original", "the record was erased", version=record.source_version)
    exact, found, shown_in = False, None, None
    async for original in _originals(database, tenant, record):
        shown_in = original.source_id
        located = await _located(original, record, database.settings)
        exact = located is not None and "".join(located.split()) == "".join(record.text.split())
        if exact:
            found = located
            break
    if source_id not in (None, record.source_id, shown_in):
        raise MunimentError("record.not_found", "there is no record of this id in this source")
    return Preview(
        record_id=record.id, source_id=record.source_id, source_key=record.source_key, version=record.source_version,
        original=shown_in, locator=record.locator, before=around.get(-1, ""),
        text=found or record.text, after=around.get(1, ""), exact=exact,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Original:
    source_id: str
    data: bytes
    media_type: str
    filename: str | None


async def _originals(database: Database, tenant: int, record: Record) -> AsyncIterator[_Original]:
    """What the record was read from: its source's version, or else versions of the file that it names, newest first."""
    try:
        kept = await get_content(database, tenant, record.source_id, record.source_version)
        yield _Original(record.source_id, kept.data, kept.media_type, kept.filename)
        return
    except MunimentError as error:
        if error.code != "source.no_original":
            raise
    key, before = record.locator.get("source_key"), None
    if not isinstance(key, str) or key == record.source_key:
        return
    for _ in range(_VERSIONS):
        async with database.scope(tenant, seconds=database.settings.write_timeout) as scope:
            row = await scope.row(
                "sources.original_of_key", record_id=parse_id(RECORD, record.id), source_key=key, before=before
            )
        if row is None:
            return
        before = row["version"]
        yield _Original(public_id(SOURCE, row["source_id"]), bytes(row["content"]), row["media_type"], row["filename"])


async def _located(original: _Original, record: Record, settings: Settings) -> str | None:
    """What the original has where the record's locator points; nothing where it cannot be read."""
    try:
        chosen = (await asyncio.to_thread(choose_format, original.data, original.media_type, original.filename)).format
        locate = partial(locate_in, original.data, chosen, record.locator, settings)
        return await read_in_turn(read_apart(chosen, original.data), settings, locate)
    except MunimentError as error:
        if not error.code.startswith("source."):
            raise
        return None
