"""Writing a tenant's archive, from one snapshot of the database and while others write."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from muniment.archive.file import write_archive
from muniment.archive.format import ArchivedModel, ArchiveEnd, ArchiveHeader, ArchiveLines
from muniment.audit.chain import record_act
from muniment.database.migrate import head_revision
from muniment.database.pool import Database, Scope
from muniment.log.checkpoints import sign_checkpoint
from muniment.log.notes import VerifierKey
from muniment.log.tree import fold
from muniment.model.archive import ArchiveSummary
from muniment.model.identifiers import TENANT, public_id
from muniment.model.tenants import ExportProof

EXPORTED: Final = "tenant.exported"  # with the digest, entries and root of an archive that was given whole


class Export:
    """An archive in the making. ``lines`` gives it piece by piece; then ``summary`` says what it was."""

    def __init__(self, database: Database, tenant: int) -> None:
        self._database = database
        self._tenant = tenant
        self._header: ArchiveHeader | None = None
        self._end: ArchiveEnd | None = None

    @property
    def summary(self) -> ArchiveSummary:
        """What ``lines`` gave, once it has given all."""
        assert self._header is not None and self._end is not None
        told = self._header.model_dump(include={"tenant", "commits", "entries", "root"})
        return ArchiveSummary(**told, rows=self._end.rows, sha256=self._end.sha256)

    async def lines(self) -> AsyncGenerator[bytes, None]:
        """The archive's bytes, a few hundred rows at a time. Raises ``log.invalid``, ``signing.*`` and ``store.*``."""
        key = (await sign_checkpoint(self._database, self._tenant)).key
        async with self._database.scope(self._tenant) as scope:  # told also of an export that is cut short
            await record_act(scope, "tenant.export")
        seconds = self._database.settings.write_timeout
        async with self._database.scope(self._tenant, seconds=seconds, snapshot=True) as scope:
            made = ArchiveLines()
            self._header = await _header(scope, key)
            yield made.header(self._header)
            for table in [row["name"] for row in await scope.rows("archive.tables")]:
                await scope.execute("archive.open", table=table)
                while rows := await scope.rows("archive.fetch"):
                    yield b"".join([made.row(table, row["row"]) for row in rows])
                await scope.execute("archive.close")
            last, self._end = made.end()
            yield last
        kept = self.summary.model_dump(include={"sha256", "entries", "root"})
        async with self._database.scope(self._tenant) as scope:  # reached by who took all: only such an archive counts
            await record_act(scope, EXPORTED, **kept)


async def _header(scope: Scope, key: VerifierKey) -> ArchiveHeader:
    told = await scope.row("archive.tenant")
    signed = await scope.row("proofs.newest_checkpoint")
    assert told is not None and signed is not None
    models = await scope.rows("archive.models")
    return ArchiveHeader(
        schema_revision=head_revision(),
        tenant=public_id(TENANT, told["public_id"]),
        name=told["name"],
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        commits=told["commits"],
        entries=told["entries"],
        root=fold(told["peaks"]).hex(),
        checkpoint=signed["note"],
        verifier_key=str(key),
        models=[ArchivedModel(**row) for row in models],
    )


async def was_exported(scope: Scope, proof: ExportProof) -> bool:
    """Whether an archive of the scope's tenant with this digest, of this end of the log, was given whole."""
    return bool(await scope.value("audit.told", action=EXPORTED, detail=proof.model_dump_json()))


async def export_to_file(database: Database, tenant: int, path: Path) -> ArchiveSummary:
    """Writes the tenant's archive to a new file; raises what ``write_archive`` and ``Export.lines`` raise."""
    export = Export(database, tenant)
    await write_archive(path, export.lines())
    return export.summary
