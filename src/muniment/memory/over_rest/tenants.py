"""All tenants of a server, for its operator."""

from __future__ import annotations

import asyncio
from pathlib import Path

from muniment.archive.file import write_archive
from muniment.archive.format import read_through
from muniment.memory.interface.tenants import Tenants
from muniment.memory.over_rest.connected import Connected
from muniment.memory.wire import as_json, dump, path_part, read_answer
from muniment.model.archive import ArchiveSummary
from muniment.model.quotas import Quota, QuotaChange
from muniment.model.tenants import (
    DeletionRequest,
    NewTenant,
    TenantDeletion,
    TenantDeletionList,
    TenantDetail,
    TenantList,
    TenantName,
)


class RemoteTenants(Connected, Tenants):
    """The server's tenants."""

    async def tenants(self) -> list[TenantDetail]:
        return read_answer(TenantList, await self._open().get("tenants")).tenants

    async def tenant(self, tenant_id: str) -> TenantDetail:
        return read_answer(TenantDetail, await self._open().get(_path(tenant_id)))

    async def suspend_tenant(self, tenant_id: str) -> TenantDetail:
        return read_answer(TenantDetail, await self._open().post(f"{_path(tenant_id)}/suspend"))

    async def resume_tenant(self, tenant_id: str) -> TenantDetail:
        return read_answer(TenantDetail, await self._open().post(f"{_path(tenant_id)}/resume"))

    async def tenant_quota(self, tenant_id: str) -> Quota:
        return read_answer(Quota, await self._open().get(f"{_path(tenant_id)}/quota"))

    async def export_tenant(self, tenant_id: str, path: str | Path) -> ArchiveSummary:
        await write_archive(Path(path), self._open().download(f"{_path(tenant_id)}/archive"))
        return (await asyncio.to_thread(read_through, Path(path)))[1]

    async def tenant_deletion(self, tenant_id: str) -> TenantDeletion:
        path = f"tenants/{path_part(tenant_id, 'deleted tenant', 'tenant.deletion_not_found')}/deletion"
        return read_answer(TenantDeletion, await self._open().get(path))

    async def tenant_deletions(self) -> list[TenantDeletion]:
        return read_answer(TenantDeletionList, await self._open().get("tenants/deletions")).deletions

    async def _create_tenant(self, request: TenantName) -> NewTenant:
        return read_answer(NewTenant, await self._open().post("tenants", dump(as_json(request))))

    async def _put_quota(self, tenant_id: str, change: QuotaChange) -> Quota:
        return read_answer(Quota, await self._open().put(f"{_path(tenant_id)}/quota", dump(as_json(change))))

    async def _delete_tenant(self, tenant_id: str, request: DeletionRequest) -> TenantDeletion:
        answer = await self._open().post(f"{_path(tenant_id)}/delete", dump(as_json(request)), repeatable=True)
        return read_answer(TenantDeletion, answer)


def _path(tenant_id: str) -> str:
    return f"tenants/{path_part(tenant_id, 'tenant')}"
