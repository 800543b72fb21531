"""Opening an archive elsewhere: the same public ids, the same answers, and a log that still proves the same root.

The archive is read twice: once to the end, so that nothing begins with a file that is not whole, and once into the
database. The import is one transaction under a number of its own; before it commits the log is checked against its
hashes, and against the signed notes of where it comes from. Whatever fails, nothing was imported.
"""

import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from psycopg import errors as driver_errors

from muniment.archive.format import ArchiveHeader, ArchiveReader, read_through
from muniment.audit.chain import record_act
from muniment.database.migrate import known_revisions
from muniment.database.pool import Database, Scope
from muniment.database.queries import query
from muniment.errors import MunimentError
from muniment.jobs.indexing import KIND as VECTOR_INDEX
from muniment.log.checkpoints import exported_notes, keep_foreign_notes, origin_of, sign_checkpoint
from muniment.log.ledger import append_line, read_ledgers
from muniment.log.notes import Checkpoint, VerifierKey, parse_verifier_key, verify_checkpoint
from muniment.log.replaying import replay_erasures
from muniment.log.signing import signing_key
from muniment.log.validation.chain import check_chain
from muniment.log.validation.findings import Findings
from muniment.log.validation.projections import check_projections
from muniment.log.validation.relations import check_relations
from muniment.log.validation.signatures import check_reached
from muniment.model.archive import ArchiveSummary
from muniment.model.identifiers import TENANT, parse_id
from muniment.providers.models import register_name
from muniment.queue import enqueue
from muniment.tenancy.tenants import Tenant

_BATCH_ROWS: Final = 500
_BATCH_BYTES: Final = 4 * 1024 * 1024
_ELSEWHERE: Final = frozenset({"vacuum", VECTOR_INDEX, "expire"})
"""Jobs about the files and indexes of the database that the archive comes from."""
_STRETCHES: Final = "0031"
"""Archives of earlier revisions know nothing of the times between a closing and its undoing."""
_SHARED_LISTS: Final = "0035"
"""Archives of earlier revisions have a word that is its own stem in two lists: their lexical index is made anew."""
_LEXICAL: Final = frozenset({"lexical_document", "posting_block", "posting_tail"})
_WRONG: Final = "the archive does not hold, nothing was imported"


@dataclass(frozen=True, slots=True)
class Imported:
    """The tenant as it is here, what the archive held, and whether the local store opens it from now on."""

    tenant: Tenant
    summary: ArchiveSummary
    is_default: bool


@dataclass(frozen=True, slots=True)
class _Opened:
    """An archive that was read through once: whose it is, its number here, and what its numbers of models mean here."""

    path: Path
    header: ArchiveHeader
    tenant: Tenant
    key: VerifierKey
    models: dict[str, int]
    own: bool  # signed by the key of this store


async def import_archive(
    database: Database, path: Path, *, default: Tenant | None = None, verifier_key: str | None = None
) -> Imported:
    """Imports the tenant of an archive, whole or not at all.

    ``default`` is the tenant that a local store opens: where its log is empty, the store opens the imported one from
    then on. ``verifier_key`` is the log's key as the caller knows it; without it the archive's own is taken, and its
    notes show damage but no forgery. Erasures that the ledger here knows of this tenant are made again. Raises
    ``archive.invalid``, ``archive.version_unsupported``, ``archive.tenant_exists``, ``archive.tenant_deleted``,
    ``checkpoint.invalid``, ``source.unreadable`` and ``store.*``.
    """
    header, summary = await asyncio.to_thread(read_through, path)
    archive = await _open(database, path, header, verifier_key)
    try:
        is_default = await _import(database, archive, default)
    except (driver_errors.IntegrityError, driver_errors.DataError, driver_errors.UndefinedColumn) as error:
        raise MunimentError("archive.invalid", f"{_WRONG}: its rows do not fit each other or the schema") from error
    await replay_erasures(database)
    await sign_checkpoint(database, archive.tenant.number)
    return Imported(archive.tenant, summary, is_default)


async def _open(database: Database, path: Path, header: ArchiveHeader, verifier_key: str | None) -> _Opened:
    if header.schema_revision not in known_revisions():
        raise MunimentError(
            "archive.version_unsupported", "the archive was made by a newer version", found=header.schema_revision
        )
    public = parse_id(TENANT, header.tenant)
    key = parse_verifier_key(header.verifier_key if verifier_key is None else verifier_key)
    if public is None or key.name != origin_of(public):
        raise _wrong("its key is not that of its log")
    signed = verify_checkpoint(header.checkpoint, key)
    if (signed.size, signed.root.hex()) != (header.entries, header.root):
        raise _wrong("its signed note is of another log")
    own = VerifierKey(key.name, (await asyncio.to_thread(signing_key, database.settings)).public_key())
    models = {
        str(model.model_no): await register_name(database, model.name, model.dimensions) for model in header.models
    }
    async with database.transaction() as connection:
        number: int = (await connection.execute(query("tenants.next_number"))).scalar_one()
    return _Opened(path, header, Tenant(number, public), key, models, str(own) == str(key))


async def _import(database: Database, archive: _Opened, default: Tenant | None) -> bool:
    settings, tenant = database.settings, archive.tenant
    async with database.scope(tenant.number, seconds=settings.write_timeout) as scope:
        await scope.execute("archive.lock_import", public_id=tenant.public_id)
        if await scope.rows("deletion.get", public_id=tenant.public_id):
            raise MunimentError("archive.tenant_deleted", "the tenant was deleted from this store, which stays so")
        if await scope.rows("tenants.all", public_id=tenant.public_id):
            raise MunimentError("archive.tenant_exists", "the tenant of the archive is in this database already")
        await scope.execute("tenants.insert", public_id=tenant.public_id, name=archive.header.name)
        notes = await _fill(scope, archive)
        if archive.header.schema_revision < _STRETCHES:
            await scope.execute("rebuild.liveness")
        if archive.header.schema_revision < _SHARED_LISTS:
            for row in await scope.rows("rebuild.spaces"):
                await scope.execute("rebuild.lexical", space=row["space_id"])
        await _check(scope, archive, notes)
        await scope.execute("usage.count_all")
        # before the commit: a crash right after it must not leave what was erased here to the next start
        for line in (await asyncio.to_thread(read_ledgers, settings)).get(tenant.public_id, []):
            await append_line(settings, tenant.public_id, replace(line, tenant=tenant.number))
        await asyncio.to_thread(keep_foreign_notes, settings, tenant.public_id, [] if archive.own else notes)
        empty = default is not None and await _is_empty(database, default)
        made = await scope.execute("archive.make_default", empty=default.number if default and empty else None)
        await record_act(scope, "tenant.import", archive.header.tenant, entries=archive.header.entries)
        return made.rowcount == 1


async def _is_empty(database: Database, tenant: Tenant) -> bool:
    async with database.scope(tenant.number) as scope:
        head = await scope.row("proofs.head")
    return head is None or head["commits"] == 0


async def _fill(scope: Scope, archive: _Opened) -> list[str]:
    """Puts the rows into their tables; returns the signed notes among them."""
    models, notes = json.dumps(archive.models), list[str]()
    filled, planned_at = 0, 0
    with ArchiveReader(archive.path) as reader:
        reader.header()
        batches = _batches(reader.rows())
        while batch := await asyncio.to_thread(next, batches, None):
            table, rows = batch
            if table == "checkpoint":
                notes += [json.loads(row)["note"] for row in rows]
            if table == "job":
                rows = await _enqueue_waiting(scope, rows)
            if table in _LEXICAL and archive.header.schema_revision < _SHARED_LISTS:
                rows = []
            if rows and (table != "checkpoint" or archive.own):
                text = "[" + b",".join(rows).decode() + "]"
                await scope.execute("archive.restore", table=table, rows=text, models=models)
            filled += len(batch[1])
            if filled >= 2 * planned_at:  # what was planned while the tables were small is slow from here on
                planned_at = max(filled, _BATCH_ROWS)
                await scope.execute("scope.forget_plans")
    return notes


def _batches(rows: Iterator[tuple[str, bytes]]) -> Iterator[tuple[str, list[bytes]]]:
    """The rows by tables, some hundreds or some megabytes at once."""
    table, batch, size = "", list[bytes](), 0
    for name, row in rows:
        if batch and (name != table or len(batch) >= _BATCH_ROWS or size >= _BATCH_BYTES):
            yield table, batch
            batch, size = [], 0
        table = name
        batch.append(row)
        size += len(row)
    if batch:
        yield table, batch


async def _enqueue_waiting(scope: Scope, rows: list[bytes]) -> list[bytes]:
    """Enqueues the work that waited where the archive was made, under new ids; returns the jobs that had ended."""
    ended = []
    for row in rows:
        job: dict[str, Any] = json.loads(row)
        if job["finished_at"] is not None:
            ended.append(row)
        elif job["kind"] not in _ELSEWHERE:
            dedup = job["kind"] if not job["arguments"] else None
            await enqueue(scope, job["kind"], job["arguments"], space=job["space_id"], dedup=dedup)
    return ended


async def _check(scope: Scope, archive: _Opened, notes: Sequence[str]) -> None:
    """Refuses a log that does not lead to the root of the archive, or that a note of it or of this store denies."""
    signed = [verify_checkpoint(note, archive.key) for note in [archive.header.checkpoint, *notes]]
    ours = await asyncio.to_thread(_exported_here, scope, archive)
    by_size: dict[int, list[Checkpoint]] = {}
    for checkpoint in [*signed, *ours]:
        by_size.setdefault(checkpoint.size, []).append(checkpoint)
    head = await scope.row("proofs.head")
    if head is None:
        raise _wrong("it has no log")
    findings = Findings()
    trees, agreed = await check_chain(scope, findings, head, by_size)
    check_reached(findings, by_size, trees.size)
    await scope.execute("validate.join_by_hash")
    await check_relations(scope, findings)
    await check_projections(scope, findings, None)
    if findings.listed or agreed != set(by_size) or trees.stored.root().hex() != archive.header.root:
        told = findings.listed[0] if findings.listed else None
        raise _wrong("its log does not validate" if told is None else f"{told.check}: {told.detail}")


def _exported_here(scope: Scope, archive: _Opened) -> list[Checkpoint]:
    """What this store once exported of the same log: an archive from before it would take the log back."""
    assert scope.settings is not None
    own = VerifierKey(archive.key.name, signing_key(scope.settings).public_key())
    return [verify_checkpoint(note, own) for note in exported_notes(scope.settings, archive.tenant.public_id)]


def _wrong(reason: str) -> MunimentError:
    return MunimentError("archive.invalid", f"the archive does not hold, nothing was imported: {reason}")
