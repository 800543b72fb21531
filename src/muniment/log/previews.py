"""Originals, given back as they came, and records shown in their places in them."""

import asyncio
from functools import partial

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.reading import read_in_turn
from muniment.log.records import get_record
from muniment.model.identifiers import RECORD, SOURCE, parse_id
from muniment.model.source import Preview, SourceContent
from muniment.sources.registry import choose_format, locate_in, read_apart


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
    ``source.no_original`` where nothing is left of it to be shown."""
    record = await get_record(database, tenant, record_id)
    if source_id is not None and record.source_id != source_id:
        raise MunimentError("record.not_found", "there is no record of this id in this source")
    async with database.scope(tenant) as scope:
        rows = await scope.rows("records.neighbours", record_id=parse_id(RECORD, record_id))
    around = {row["distance"]: row["text"] or "" for row in rows}
    if record.text is None:
        raise MunimentError("source.no_original", "the record was erased", version=record.source_version)
    located: str | None = None
    try:
        original = await get_content(database, tenant, record.source_id, record.source_version)
        media_type, filename, settings = original.media_type, original.filename, database.settings
        chosen = (await asyncio.to_thread(choose_format, original.data, media_type, filename)).format
        locate = partial(locate_in, original.data, chosen, record.locator, settings)
        located = await read_in_turn(read_apart(chosen, original.data), settings, locate)
    except MunimentError as error:
        if not error.code.startswith("source."):
            raise
    exact = located is not None and "".join(located.split()) == "".join(record.text.split())
    return Preview(
        record_id=record.id, source_id=record.source_id, source_key=record.source_key, version=record.source_version,
        locator=record.locator, before=around.get(-1, ""), text=located if exact and located else record.text,
        after=around.get(1, ""), exact=exact,
    )  # fmt: skip
