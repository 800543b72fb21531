"""Erasing: content, and everything that quotes it, leaves the database; number, tombstone and proof stay.

An erasure is whole or not at all: one transaction closes the records, takes their contents out of every table and
seals. What rests on an erased record goes with it, also where it rests on others too, since it may quote it. Files of
the database are rewritten afterwards (``jobs.vacuuming``), and a ledger outside of the database, of ids alone, lets a
restored backup lose again what was erased after it was taken. Locks: sources, groups, postings, claims' keys,
contents, head, audit log.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID

from muniment.audit.chain import record_act
from muniment.database.pool import Database, Row, Scope
from muniment.errors import MunimentError
from muniment.log.ledger import LedgerLine, append_line
from muniment.log.lifecycle import admit_reason
from muniment.log.proofs import read_spines
from muniment.log.runs import find_run
from muniment.log.seal import NewEntry, seal
from muniment.log.stale_claims import mark_again
from muniment.model.identifiers import ERASURE, RECORD, SOURCE, new_id, parse_id, public_id
from muniment.model.lifecycle import Erasure, ErasureState
from muniment.queue import enqueue

_BLOCK_DOCUMENTS = 256  # as in the job ``merge``
VACUUM = "vacuum"
"""The kind of the job that rewrites the database's files after an erasure."""
_TO_REWRITE = "the database's files are rewritten by the job 'vacuum', where MUNIMENT_ERASE_REWRITE_LIMIT allows it"


@dataclass(slots=True)
class _Condemned:
    """The records that an erasure takes, by number, and the sources and ingestion runs that it takes whole."""

    rows: dict[int, Row] = field(default_factory=dict)
    whole: list[int] = field(default_factory=list)
    runs: list[int] = field(default_factory=list)

    def add(self, rows: Iterable[Row]) -> list[int]:
        """Those of the rows that are new."""
        fresh = [row for row in rows if row["record_no"] not in self.rows]
        self.rows |= {row["record_no"]: row for row in fresh}
        return [row["record_no"] for row in fresh]

    @property
    def numbers(self) -> list[int]:
        return sorted(self.rows)


@dataclass(frozen=True, slots=True)
class Named:
    """What is asked to be erased, by public ids."""

    records: Sequence[str] = ()
    sources: Sequence[str] = ()
    runs: Sequence[str] = ()


async def erase(
    database: Database,
    tenant: int,
    *,
    records: Sequence[str] = (),
    sources: Sequence[str] = (),
    runs: Sequence[str] = (),
    reason: str,
) -> Erasure:
    """Erases records, sources with all their versions, and all that ingestion runs brought, also what is kept of their
    failed items; records that were erased before give the first receipt.

    When it returns the content is in no row of the database any more. Raises ``record.not_found``,
    ``source.not_found``, ``run.not_found``, ``input.invalid`` and ``store.*``.
    """
    reason = admit_reason(database, reason)
    if not records and not sources and not runs:
        raise MunimentError("input.invalid", "name at least one record, source or ingestion run")
    return await _erase(database, tenant, new_id(), Named(records, sources, runs), reason, strict=True)


async def erase_again(database: Database, tenant: int, line: LedgerLine) -> Erasure | None:
    """An erasure of the ledger that this database, restored from a backup, has not seen; None where it has."""
    identity = parse_id(ERASURE, line.erasure)
    if identity is None:
        return None
    async with database.scope(tenant) as scope:
        row = await scope.row("erasure.get", erasure=identity)
        if row is not None and row["purged_at"] is not None:
            return None
    named = Named(line.records, line.sources, line.runs)
    return await _erase(database, tenant, identity, named, line.reason, strict=False)


async def get_erasure(database: Database, tenant: int, erasure_id: str) -> Erasure:
    """A receipt; raises ``erasure.not_found``."""
    identity = parse_id(ERASURE, erasure_id)
    async with database.scope(tenant) as scope:
        row = None if identity is None else await scope.row("erasure.get", erasure=identity)
    if row is None:
        raise MunimentError("erasure.not_found", "there is no such erasure")
    return _shown(row, database)


async def list_erasures(database: Database, tenant: int, limit: int = 500) -> list[Erasure]:
    """The tenant's receipts, the latest first."""
    async with database.scope(tenant) as scope:
        return [_shown(row, database) for row in await scope.rows("erasure.list", limit=limit)]


async def _erase(
    database: Database, tenant: int, identity: UUID, named: Named, reason: str, *, strict: bool
) -> Erasure:
    async with database.scope(tenant, seconds=database.settings.write_timeout) as scope:
        condemned = await _condemn(scope, named, strict=strict)
        state = await scope.rows("erasure.state", records=condemned.numbers)
        taken = [row for row in state if row["has_content"]]
        if (
            not taken
            and not condemned.runs
            and (known := await scope.value("erasure.of_record", records=condemned.numbers)) is not None
        ):
            row = await scope.row("erasure.get", erasure=known)
            assert row is not None
            return _shown(row, database)
        numbers = [row["record_no"] for row in taken]
        spines = await read_spines(scope, numbers)
        for space in sorted({row["space_id"] for row in taken}):  # also locks the space's postings
            await scope.execute("jobs.merge_postings", space=space, block_documents=_BLOCK_DOCUMENTS)
        await scope.execute("erasure.insert", erasure=identity, reason=reason, count=len(numbers))
        digests = [spines[number].digest().hex() for number in numbers]
        left = await scope.value("claims.release", records=numbers)
        words = await scope.value("erasure.contents", erasure=identity, records=numbers, digests=digests)
        await scope.execute("erasure.traces", records=condemned.numbers, words=words or [])
        await scope.execute("erasure.originals", records=numbers, whole=condemned.whole)
        await scope.execute("erasure.inputs", runs=condemned.runs)
        entries = _entries(identity, taken, reason) or [_of_nothing(identity, reason)]
        commit = await seal(scope, entries, None)
        await mark_again(scope, left)
        await scope.execute("lifecycle.recount", sources=sorted({row["source_no"] for row in condemned.rows.values()}))
        await scope.execute("erasure.purged", erasure=identity, commit=commit.number)
        await enqueue(scope, VACUUM, {}, dedup="vacuum")
        counts = {"records": len(numbers), "sources": len(condemned.whole), "commit": commit.number}
        await record_act(scope, "erase", public_id(ERASURE, identity), **counts)
        public: UUID = await scope.value("tenants.public_id")
        row = await scope.row("erasure.get", erasure=identity)
        assert row is not None
        taken_ids = [public_id(RECORD, each["record_id"]) for each in taken]
        line = LedgerLine(
            public_id(ERASURE, identity), tenant, taken_ids, list(named.sources), reason, list(named.runs)
        )
        # before the commit: a crash in between leaves a line whose erasure the next start makes, as was asked for; the
        # other way round a backup that is restored could keep for good what was erased
        await append_line(database.settings, public, line)
    return _shown(row, database)


async def _condemn(scope: Scope, given: Named, *, strict: bool) -> _Condemned:
    """All that is to be erased, with its sources and groups locked. ``strict`` asks that all that is named be there."""
    condemned = _Condemned()
    asked = {one for one in (parse_id(SOURCE, source) for source in given.sources) if one is not None}
    found = await scope.rows("erasure.sources", source_ids=list(asked))
    if strict and len(found) != len(set(given.sources)):
        raise MunimentError("source.not_found", "there is no source of this id")
    condemned.whole = sorted(row["source_no"] for row in found)
    named = {one for one in (parse_id(RECORD, record) for record in given.records) if one is not None}
    rows = await scope.rows("erasure.records", record_ids=list(named))
    if strict and len(rows) != len(set(given.records)):
        raise MunimentError("record.not_found", "there is no record of this id")
    for run in given.runs:
        try:
            condemned.runs.append(await find_run(scope, run))
        except MunimentError:
            if strict:
                raise
    rows = [*rows, *await scope.rows("erasure.of_runs", runs=condemned.runs)]
    await scope.rows("lifecycle.lock_sources", sources=sorted({*condemned.whole, *(row["source_no"] for row in rows)}))
    rows = [*rows, *await scope.rows("erasure.of_sources", sources=condemned.whole)]
    level = condemned.add(rows)
    await scope.rows("lifecycle.lock_groups", groups=sorted({row["group_no"] for row in condemned.rows.values()}))
    while level:
        level = condemned.add(await scope.rows("erasure.derived", records=level))
    return condemned


def _entries(identity: UUID, taken: Sequence[Row], reason: str) -> list[NewEntry]:
    """An ``erase`` for each record, and a ``close`` for each that still counted."""
    detail = {"erasure": public_id(ERASURE, identity), "reason": reason}
    erased = [
        NewEntry("erase", row["space_id"], record_no=row["record_no"], record_id=row["record_id"], detail=detail)
        for row in taken
    ]
    closed = [
        NewEntry(
            "close", row["space_id"], record_no=row["record_no"], record_id=row["record_id"],
            detail={"reason": "erase"},
        )
        for row in taken
        if row["live"]
    ]  # fmt: skip
    return erased + closed


def _of_nothing(identity: UUID, reason: str) -> NewEntry:
    """The entry of an erasure of a source without records: its originals and names went all the same."""
    return NewEntry("erase", 0, detail={"erasure": public_id(ERASURE, identity), "reason": reason})


def _shown(row: Row, database: Database) -> Erasure:
    kept = timedelta(days=database.settings.backup_retention_days)
    vacuumed: datetime | None = row["vacuumed_at"]
    expire = None if vacuumed is None else vacuumed + kept
    state: ErasureState = "hidden" if row["purged_at"] is None else "purged"
    if vacuumed is not None:
        state = "backups expired" if expire is not None and expire <= datetime.now(UTC) else "vacuumed"
    notes = [] if vacuumed is not None else [_TO_REWRITE]
    return Erasure(
        id=public_id(ERASURE, row["erasure_id"]),
        state=state,
        reason=row["reason"],
        commit=row["commit_no"],
        records=row["records"],
        requested_at=row["requested_at"],
        purged_at=row["purged_at"],
        vacuumed_at=vacuumed,
        backups_expire_at=expire,
        notes=notes,
    )
