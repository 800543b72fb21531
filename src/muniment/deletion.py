"""Deleting a whole tenant: suspended first, exported first, then given up for good, and removed.

Until the tenant is given up nothing is lost; from then on nothing brings it back. That moment is one transaction: the
end of the log is that of the export, the receipt is written, the audit log of the store's own tenant is told, and the
ledger beside the database has a line, by which a database that is restored from an older backup loses it again.
"""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from muniment.archive.exporting import export_to_file, was_exported
from muniment.audit.chain import START, record_act
from muniment.database.pool import Database, Scope
from muniment.database.queries import query
from muniment.errors import MunimentError
from muniment.jobs.removing import enqueue_removal, enter_departure, finish_removal
from muniment.log.checkpoints import sign_checkpoint
from muniment.log.departed import Departure, append_departure
from muniment.log.tree import fold
from muniment.model.identifiers import TENANT, parse_id, public_id
from muniment.model.tenants import ExportProof, TenantDeletion
from muniment.tenancy.keys import CACHE_SECONDS
from muniment.tenancy.removal import Removed, get_deletion, operator_scope
from muniment.tenancy.sql_logins import has_logins
from muniment.tenancy.tenants import Tenant, about_tenant, find_tenant

_EXPORTS: Final = 3  # jobs go on while a tenant is suspended, and may write between an export and the end


async def delete_tenant(
    database: Database,
    admin_url: str | None,
    tenant_id: str,
    *,
    export_to: Path | None = None,
    without_export: bool = False,
    removed: Removed | None = None,
) -> TenantDeletion:
    """Deletes a suspended tenant, after writing its archive to a new file, or, in so many words, without one.

    Cut short, the same call goes on. Raises ``tenant.not_found``, ``tenant.not_suspended``, ``tenant.kept``,
    ``tenant.changed``, ``input.invalid`` without either choice, ``sql_login.unavailable``, ``log.invalid``,
    ``archive.file_unusable``, ``store.ledger_unusable`` and ``store.*``.
    """
    known = await get_deletion(database, tenant_id)
    if known is None:
        if (export_to is None) != without_export:
            raise MunimentError("input.invalid", "say where the export goes, or that none is wanted, and not both")
        tenant = await _given_up(database, admin_url, tenant_id)
        for attempt in range(_EXPORTS):
            proof = None if export_to is None else await _export(database, tenant, export_to)
            try:
                await _begin(database, tenant, proof)
                break
            except MunimentError as error:
                if error.code != "tenant.changed" or export_to is None or attempt + 1 == _EXPORTS:
                    raise
                await asyncio.to_thread(export_to.unlink)
    return await go_on_deleting(database, admin_url, tenant_id, removed=removed)


async def begin_deletion(
    database: Database, admin_url: str | None, tenant_id: str, proof: ExportProof | None
) -> TenantDeletion:
    """Gives a suspended tenant up, whose archive the caller has; a job then removes it. Raises as ``delete_tenant``."""
    known = await get_deletion(database, tenant_id)
    if known is None:
        await _begin(database, await _given_up(database, admin_url, tenant_id), proof)
    return await deletion_of(database, tenant_id)


async def go_on_deleting(
    database: Database, admin_url: str | None, tenant_id: str, *, removed: Removed | None = None
) -> TenantDeletion:
    """Removes what is left of a tenant that was given up; its receipt."""
    public = parse_id(TENANT, (await deletion_of(database, tenant_id)).tenant)
    assert public is not None
    await finish_removal(database, admin_url, public, removed=removed)
    return await deletion_of(database, tenant_id)


async def deletion_of(database: Database, tenant_id: str) -> TenantDeletion:
    """The receipt of a deleted tenant; raises ``tenant.deletion_not_found``."""
    found = await get_deletion(database, tenant_id)
    if found is None:
        raise MunimentError("tenant.deletion_not_found", "no tenant of this id was deleted", tenant_id=tenant_id[:64])
    return found


async def _given_up(database: Database, admin_url: str | None, tenant_id: str) -> Tenant:
    """The tenant, where it may be deleted; waits until no process remembers a credential of it."""
    tenant = await find_tenant(database, tenant_id)
    async with database.transaction() as connection:
        default = (await connection.execute(query("tenants.default_number"))).scalar()
    if tenant.number == default:
        raise MunimentError("tenant.kept", "this is the tenant that the store itself opens")
    about = await about_tenant(database, tenant.number)
    if about.state == "active":
        raise MunimentError("tenant.not_suspended", "suspend the tenant before it is deleted", tenant_id=about.id)
    if admin_url is None and await has_logins(database, tenant.number):
        raise MunimentError(
            "sql_login.unavailable", "the tenant has SQL logins, and MUNIMENT_DATABASE_URL names no administrator"
        )
    assert about.changed_at is not None
    await asyncio.sleep(max(0.0, CACHE_SECONDS - (datetime.now(UTC) - about.changed_at).total_seconds()))
    return tenant


async def _export(database: Database, tenant: Tenant, path: Path) -> ExportProof:
    made = await export_to_file(database, tenant.number, path)
    return ExportProof(sha256=made.sha256, entries=made.entries, root=made.root)


async def _begin(database: Database, tenant: Tenant, proof: ExportProof | None) -> None:
    """The one transaction in which the tenant is given up; raises ``tenant.changed``."""
    signed = await sign_checkpoint(database, tenant.number)
    async with database.scope(tenant.number, seconds=database.settings.write_timeout) as scope:
        await scope.execute("deletion.lock")
        held = await scope.row("deletion.lock_tenant")
        if held is None or held["state"] == "active":
            raise MunimentError("tenant.not_suspended", "suspend the tenant before it is deleted")
        if held["state"] == "deleted":
            return  # by another process, meanwhile
        head = await scope.row("seal.lock_head")
        assert head is not None
        root = fold(head["peaks"]).hex()
        exported = proof is None or (proof.entries, proof.root) == (head["entries"], root)
        if exported and proof is not None and not await was_exported(scope, proof):
            raise MunimentError(
                "tenant.changed", "no archive that was given whole has this digest: export the tenant again"
            )
        if not exported or signed.checkpoint.size != head["entries"]:
            raise MunimentError("tenant.changed", "the tenant's log is not as it was exported: export it again")
        departure = await _departure(scope, tenant, head["commits"], signed.note, root, proof)
        await enter_departure(scope, departure)
        operator = await operator_scope(scope)
        await enqueue_removal(operator, departure.tenant)
        told = {"entries": departure.entries, "root": root, "export_sha256": departure.export_sha256}
        await record_act(operator, "tenant.delete", departure.tenant, **told)
        # before the commit: a crash in between deletes at the next start what was to be deleted; the other way round a
        # backup that is restored could keep for good what was deleted
        await append_departure(database.settings, departure)


async def _departure(
    scope: Scope, tenant: Tenant, commits: int, note: str, root: str, proof: ExportProof | None
) -> Departure:
    audit = await scope.row("audit.head")
    entries, digest = (0, START) if audit is None else (audit["entries"], bytes(audit["digest"]))
    return Departure(
        tenant=public_id(TENANT, tenant.public_id),
        begun_at=datetime.now(UTC).isoformat(),
        commits=commits,
        entries=int(note.split("\n")[1]),
        root=root,
        checkpoint=note,
        audit_entries=entries,
        audit_digest=digest.hex(),
        export_sha256=None if proof is None else proof.sha256,
    )
