"""All tenants of a store, for who operates it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Unpack

from muniment.memory.inputs import request_of
from muniment.memory.interface.part import Part
from muniment.model.archive import ArchiveSummary
from muniment.model.quotas import Quota, QuotaChange, QuotaLimits
from muniment.model.tenants import (
    DeletionRequest,
    ExportProof,
    NewTenant,
    TenantDeletion,
    TenantDetail,
    TenantName,
)


class Tenants(Part):
    """Tenants, made, limited, suspended and deleted.

    Whoever has the store may do so. A server lets those credentials of the store's own tenant that administer it, where
    ``MUNIMENT_OPERATOR_INTERFACE`` is set, and tells others ``auth.operator_only``. All but the lists raise
    ``tenant.not_found``.
    """

    @abstractmethod
    async def tenants(self) -> list[TenantDetail]:
        """Every tenant, the oldest first."""

    @abstractmethod
    async def tenant(self, tenant_id: str) -> TenantDetail:
        """One tenant."""

    async def create_tenant(self, name: str) -> NewTenant:
        """Makes a tenant under a name that its members see, with a first API key that has every scope.

        The ``secret`` of the key is in this answer and nowhere else. Raises ``input.invalid``.
        """
        return await self._create_tenant(request_of(TenantName, name=name))

    @abstractmethod
    async def suspend_tenant(self, tenant_id: str) -> TenantDetail:
        """Lets nobody of a tenant in, within seconds; what it has is kept. The store's own raises ``tenant.kept``."""

    @abstractmethod
    async def resume_tenant(self, tenant_id: str) -> TenantDetail:
        """Lets a suspended tenant's credentials open it again."""

    @abstractmethod
    async def tenant_quota(self, tenant_id: str) -> Quota:
        """The limits of a tenant, each with what is in use of it."""

    async def put_quota(self, tenant_id: str, **limits: Unpack[QuotaLimits]) -> Quota:
        """Sets all limits of a tenant: one that is left out, or None, is the default of the settings; 0 is none.

        Raises ``input.invalid``.
        """
        return await self._put_quota(tenant_id, request_of(QuotaChange, **limits))

    @abstractmethod
    async def export_tenant(self, tenant_id: str, path: str | Path) -> ArchiveSummary:
        """Writes a tenant's archive to a new file, as ``export`` does one's own; raises ``archive.file_unusable``."""

    async def delete_tenant(
        self,
        tenant_id: str,
        *,
        export: ArchiveSummary | ExportProof | Mapping[str, Any] | None = None,
        without_export: bool = False,
    ) -> TenantDeletion:
        """Gives a suspended tenant up, for good; a job then removes all that it has. Its receipt so far.

        ``export`` is what ``export_tenant`` gave, or the digest, entries and root of that. Raises
        ``tenant.not_suspended``, ``tenant.kept``, ``tenant.changed`` where the log went on after the export
        or no archive of the tenant has the digest, ``input.invalid`` without either choice, and
        ``sql_login.unavailable``.
        """
        if isinstance(export, ArchiveSummary):
            export = ExportProof(sha256=export.sha256, entries=export.entries, root=export.root)
        return await self._delete_tenant(
            tenant_id, request_of(DeletionRequest, export=export, without_export=without_export)
        )

    @abstractmethod
    async def tenant_deletion(self, tenant_id: str) -> TenantDeletion:
        """The receipt of a deleted tenant, and how far that is; raises ``tenant.deletion_not_found``."""

    @abstractmethod
    async def tenant_deletions(self) -> list[TenantDeletion]:
        """The receipts of all deleted tenants, the latest first."""

    @abstractmethod
    async def _create_tenant(self, request: TenantName) -> NewTenant: ...

    @abstractmethod
    async def _put_quota(self, tenant_id: str, change: QuotaChange) -> Quota: ...

    @abstractmethod
    async def _delete_tenant(self, tenant_id: str, request: DeletionRequest) -> TenantDeletion: ...
