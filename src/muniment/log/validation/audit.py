"""The audit log against its own digests."""

from typing import Final

from muniment.audit.chain import wrong_entries
from muniment.database.pool import Scope
from muniment.log.validation.findings import Findings

_CHECK: Final = "audit"


async def check_audit(scope: Scope, findings: Findings) -> None:
    """Walks the chain of the tenant's audit log from its first entry to its head."""
    findings.looked(_CHECK, 0)
    seen = 0
    async for number, wrong in wrong_entries(scope):
        if number != seen:
            findings.looked(_CHECK)
            seen = number
        if wrong is not None:
            findings.add(_CHECK, wrong, entry=number)
