"""All tenants of the store: whoever has that operates it."""

from __future__ import annotations

from pathlib import Path

from muniment.archive.exporting import export_to_file
from muniment.deletion import begin_deletion, deletion_of
from muniment.memory.in_process.opened import Opened
from muniment.memory.interface.tenants import Tenants
from muniment.model.archive import ArchiveSummary
from muniment.model.quotas import Quota, QuotaChange
from muniment.model.tenants import DeletionRequest, NewTenant, TenantDeletion, TenantDetail, TenantName
from muniment.tenancy.operating import (
    let_in,
    limit_tenant,
    make_tenant,
    quota_of,
    shown_tenant,
    shown_tenants,
    shut_out,
    tenant_to_export,
)
from muniment.tenancy.removal import list_deletions


class LocalTenants(Opened, Tenants):
    """The store's tenants; its own is told of what is done to them."""

    async def tenants(self) -> list[TenantDetail]:
        return await shown_tenants((await self._open()).database)

    async def tenant(self, tenant_id: str) -> TenantDetail:
        return await shown_tenant((await self._open()).database, tenant_id)

    async def suspend_tenant(self, tenant_id: str) -> TenantDetail:
        runtime = await self._open()
        return await shut_out(runtime.database, await self._operator(), tenant_id)

    async def resume_tenant(self, tenant_id: str) -> TenantDetail:
        runtime = await self._open()
        return await let_in(runtime.database, await self._operator(), tenant_id)

    async def tenant_quota(self, tenant_id: str) -> Quota:
        return await quota_of((await self._open()).database, tenant_id)

    async def export_tenant(self, tenant_id: str, path: str | Path) -> ArchiveSummary:
        runtime = await self._open()
        number = await tenant_to_export(runtime.database, await self._operator(), tenant_id)
        return await export_to_file(runtime.database, number, Path(path))

    async def tenant_deletion(self, tenant_id: str) -> TenantDeletion:
        return await deletion_of((await self._open()).database, tenant_id)

    async def tenant_deletions(self) -> list[TenantDeletion]:
        return await list_deletions((await self._open()).database)

    async def _create_tenant(self, request: TenantName) -> NewTenant:
        runtime = await self._open()
        return await make_tenant(runtime.database, await self._operator(), request.name)

    async def _put_quota(self, tenant_id: str, change: QuotaChange) -> Quota:
        runtime = await self._open()
        return await limit_tenant(runtime.database, await self._operator(), tenant_id, change)

    async def _delete_tenant(self, tenant_id: str, request: DeletionRequest) -> TenantDeletion:
        runtime = await self._open()
        self._left_work = True
        return await begin_deletion(runtime.database, runtime.prepared.admin_url, tenant_id, request.export)
