"""The audit log as it is shown."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field


class AuditEntry(BaseModel):
    """One administrative act or erase. ``digest`` covers all that the entry says and the digest of the one before."""

    number: int
    at: datetime
    actor: str = Field(description="key:k_…, client:o_…, member:u_…, cli, local, or job:<kind>")
    action: str
    target: str | None = None
    detail: dict[str, Any]
    digest: str


class AuditPage(BaseModel):
    """Entries, the latest first; ``next`` is the cursor of the page after."""

    entries: list[AuditEntry]
    next: str | None = None
