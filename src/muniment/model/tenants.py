"""Tenants as their operator sees them, and the receipt of one that was deleted."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field, model_validator

from muniment.model.access import Shown
from muniment.model.refusals import Closed

TenantState = Literal["active", "suspended", "deleted"]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class TenantName(Closed):
    """A new tenant; ``name`` is what its members see when they sign in."""

    name: Annotated[str, Field(min_length=1, max_length=256)]


class TenantDescription(Shown):
    """A tenant."""

    id: str
    name: str
    created_at: datetime


class TenantDetail(Shown):
    """A tenant. One that is suspended lets nobody in; one that is ``deleted`` is being removed."""

    id: str
    name: str
    state: TenantState
    created_at: datetime


class TenantList(BaseModel):
    """Every tenant of the installation, the oldest first."""

    tenants: list[TenantDetail]


class NewTenant(TenantDetail):
    """A tenant with its first API key, which has every scope and is shown this once."""

    key: str
    secret: str = Field(repr=False)


class ExportProof(Closed):
    """Which archive was made before the tenant goes, as the archive and its end tell: digest, entries, root."""

    sha256: Digest
    entries: Annotated[int, Field(ge=0, lt=2**63, strict=True)]
    root: Digest


class DeletionRequest(Closed):
    """Delete a suspended tenant: after its export, or, in so many words, without one."""

    export: ExportProof | None = None
    without_export: bool = False

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.export is None) != self.without_export:
            raise ValueError("name the export, or say without_export, and not both")
        return self


class TenantDeletion(BaseModel):
    """The receipt of a deleted tenant, which outlives it.

    ``entries`` and ``root`` (hexadecimal) are the end of its log, ``checkpoint`` the signed note over it;
    ``audit_entries`` and ``audit_digest`` the end of its audit log; ``export_sha256`` the digest of the archive that
    was made before, None where there was none; ``rows`` how many rows went from each table.
    """

    tenant: str
    state: Literal["deleting", "deleted", "vacuumed", "backups expired"]
    begun_at: datetime
    deleted_at: datetime | None = None
    vacuumed_at: datetime | None = None
    backups_expire_at: datetime | None = None
    commits: int
    entries: int
    root: str
    checkpoint: str
    audit_entries: int
    audit_digest: str
    export_sha256: str | None = None
    rows: dict[str, int]


class TenantDeletionList(BaseModel):
    """The receipts of all deleted tenants, the latest first."""

    deletions: list[TenantDeletion]
