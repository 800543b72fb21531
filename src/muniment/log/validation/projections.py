"""What is computed from the log, against the log: liveness, metadata, the lexical index, vectors, claims."""

from typing import Final

from muniment.database.pool import Scope
from muniment.log.validation.claims import check_claims
from muniment.log.validation.findings import LISTED, Findings
from muniment.model.identifiers import RECORD, public_id

BATCH_DOCUMENTS: Final = 1000


async def check_projections(scope: Scope, findings: Findings, model_no: int | None) -> None:
    """``model_no`` is the embedding model in use; None takes the newest that the tenant has vectors of."""
    await _check_liveness(scope, findings)
    await _check_metadata(scope, findings)
    await _check_documents(scope, findings)
    await _check_postings(scope, findings)
    await _check_vectors(scope, findings, model_no)
    await check_claims(scope, findings)


async def _check_liveness(scope: Scope, findings: Findings) -> None:
    for row in await scope.rows("validate_projections.liveness", limit=LISTED + 1):
        findings.add(
            "liveness",
            "a record does not count from when to when the log says",
            record=public_id(RECORD, row["record_id"]),
            found=[row["live_from_commit"], row["live_to_commit"]],
            expected=[row["from_expected"], row["to_expected"]],
        )


async def _check_metadata(scope: Scope, findings: Findings) -> None:
    for row in await scope.rows("validate_projections.metadata", limit=LISTED + 1):
        record = None if row["record_id"] is None else public_id(RECORD, row["record_id"])
        findings.add("metadata", "a record is filtered by what its content does not say", record=record, key=row["key"])


async def _check_documents(scope: Scope, findings: Findings) -> None:
    after: int | None = -1
    while after is not None:
        batch = await scope.row("validate_projections.documents", after=after, limit=BATCH_DOCUMENTS)
        assert batch is not None
        for record_id in batch["wrong"]:
            findings.add(
                "lexical_documents",
                "the terms of a record are not those of its content",
                record=public_id(RECORD, record_id),
            )
        findings.looked("lexical_documents", batch["looked"])
        after = batch["last"]
    for row in await scope.rows("validate_projections.stray_documents", limit=LISTED + 1):
        record = None if row["record_id"] is None else public_id(RECORD, row["record_id"])
        findings.add("lexical_documents", "there are terms of a record that has no content", record=record)


async def _check_postings(scope: Scope, findings: Findings) -> None:
    findings.looked("postings", await scope.value("validate_projections.posting_count"))
    for row in await scope.rows("validate_projections.postings", limit=LISTED + 1):
        findings.add(
            "postings", "the postings of a term are not those of its records", term=row["term"],
            found=row["found"], expected=row["expected"],
        )  # fmt: skip
    for row in await scope.rows("validate_projections.statistics", limit=LISTED + 1):
        findings.add("statistics", "a row of postings does not count what it holds", term=row["term"])
    for row in await scope.rows("validate_projections.totals", limit=LISTED + 1):
        findings.add(
            "statistics", "a space does not count its documents rightly", found=_int(row["found"]),
            expected=row["expected"],
        )  # fmt: skip


async def _check_vectors(scope: Scope, findings: Findings, model_no: int | None) -> None:
    for row in await scope.rows("validate_projections.vectors", limit=LISTED + 1):
        record = None if row["record_id"] is None else public_id(RECORD, row["record_id"])
        findings.add("embeddings", "a vector is not one of its record and model", record=record)
    model = model_no if model_no is not None else await scope.value("validate_projections.newest_model")
    if model is None:
        return
    for row in await scope.rows("validate_projections.embeddings", model=model, limit=LISTED + 1):
        findings.add(
            "embeddings", "a record neither has a vector nor waits for one", record=public_id(RECORD, row["record_id"])
        )
    for row in await scope.rows("validate_projections.pending", model=model, limit=LISTED + 1):
        record = None if row["record_id"] is None else public_id(RECORD, row["record_id"])
        findings.add("embedding_pending", "what waits for a vector does not need one", record=record)


def _int(value: object) -> int | None:
    return None if value is None else int(str(value))
