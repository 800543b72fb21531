"""All tenants, in the plain form."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Unpack

from muniment.memory.plain.waiting import Waiting
from muniment.model.archive import ArchiveSummary
from muniment.model.quotas import Quota, QuotaLimits
from muniment.model.tenants import ExportProof, NewTenant, TenantDeletion, TenantDetail


class PlainTenants(Waiting):
    """As ``Tenants``, waiting."""

    def tenants(self) -> list[TenantDetail]:
        """Every tenant, the oldest first."""
        return self._loop.call(self._memory.tenants())

    def tenant(self, tenant_id: str) -> TenantDetail:
        """One tenant."""
        return self._loop.call(self._memory.tenant(tenant_id))

    def create_tenant(self, name: str) -> NewTenant:
        """Makes a tenant with a first API key; see ``AsyncMuniment.create_tenant``."""
        return self._loop.call(self._memory.create_tenant(name))

    def suspend_tenant(self, tenant_id: str) -> TenantDetail:
        """Lets nobody of a tenant in; what it has is kept."""
        return self._loop.call(self._memory.suspend_tenant(tenant_id))

    def resume_tenant(self, tenant_id: str) -> TenantDetail:
        """Lets a suspended tenant's credentials open it again."""
        return self._loop.call(self._memory.resume_tenant(tenant_id))

    def tenant_quota(self, tenant_id: str) -> Quota:
        """The limits of a tenant, each with what is in use of it."""
        return self._loop.call(self._memory.tenant_quota(tenant_id))

    def put_quota(self, tenant_id: str, **limits: Unpack[QuotaLimits]) -> Quota:
        """Sets all limits of a tenant; see ``AsyncMuniment.put_quota``."""
        return self._loop.call(self._memory.put_quota(tenant_id, **limits))

    def export_tenant(self, tenant_id: str, path: str | Path) -> ArchiveSummary:
        """Writes a tenant's archive to a new file."""
        return self._loop.call(self._memory.export_tenant(tenant_id, path))

    def delete_tenant(
        self,
        tenant_id: str,
        *,
        export: ArchiveSummary | ExportProof | Mapping[str, Any] | None = None,
        without_export: bool = False,
    ) -> TenantDeletion:
        """Gives a suspended tenant up, for good; see ``AsyncMuniment.delete_tenant``."""
        return self._loop.call(self._memory.delete_tenant(tenant_id, export=export, without_export=without_export))

    def tenant_deletion(self, tenant_id: str) -> TenantDeletion:
        """The receipt of a deleted tenant, and how far that is."""
        return self._loop.call(self._memory.tenant_deletion(tenant_id))

    def tenant_deletions(self) -> list[TenantDeletion]:
        """The receipts of all deleted tenants, the latest first."""
        return self._loop.call(self._memory.tenant_deletions())
