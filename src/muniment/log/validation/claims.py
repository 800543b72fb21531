"""Claims against their definition: what the live facts say together."""

from typing import Final

from muniment.database.pool import Scope
from muniment.log.validation.findings import Findings
from muniment.model.identifiers import CLAIM, public_id

BATCH_FACTS: Final = 500


async def check_claims(scope: Scope, findings: Findings) -> None:
    """Every claim that is not waiting to be recompiled, against the facts as they are at the last commit."""
    after: int | None = -1
    while after is not None:
        batch = await scope.row("validate_projections.claims", after=after, limit=BATCH_FACTS)
        assert batch is not None
        for claim in batch["wrong"]:
            findings.add("claims", "a claim is not what its facts say", claim=public_id(CLAIM, claim))
        findings.looked("claims", batch["looked"])
        after = batch["last"]
