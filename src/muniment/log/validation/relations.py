"""What the tables say of each other: records and entries, evidence, sources with their originals, messages' keys."""

from typing import Any
from uuid import UUID

from muniment.database.pool import Scope
from muniment.log.validation.findings import LISTED, Findings
from muniment.model.identifiers import RECORD, SOURCE, public_id


async def check_relations(scope: Scope, findings: Findings) -> None:
    """Checks by set: each statement reads its tables once, in the server."""
    await _check_records(scope, findings)
    await _check_evidence(scope, findings)
    await _check_facts(scope, findings)
    await _check_versions(scope, findings)
    await _check_blobs(scope, findings)
    await _check_messages(scope, findings)


async def _check_records(scope: Scope, findings: Findings) -> None:
    for row in await scope.rows("validate.unlogged_records", limit=LISTED + 1):
        how = "no entry" if row["entries"] == 0 else f"{row['entries']} entries"
        findings.add("records", f"a record was brought by {how} of the log", record=_record(row["record_id"]))
    for _ in await scope.rows("validate.orphan_contents", limit=LISTED + 1):
        findings.add("records", "there is content of no record")


async def _check_evidence(scope: Scope, findings: Findings) -> None:
    for row in await scope.rows("validate.evidence", limit=LISTED + 1):
        findings.add(
            "evidence",
            f"characters {row['span_start']} to {row['span_end']} that a record rests on are not there",
            record=_record(row["record_id"]),
            basis=_record(row["basis_id"]),
            length=row["length"],
        )


async def _check_facts(scope: Scope, findings: Findings) -> None:
    for row in await scope.rows("validate.facts", limit=LISTED + 1):
        detail = "a fact is not what its content says"
        if row["missing"]:
            detail = "what a record of the kind fact says is missing"
        elif row["baseless"]:
            detail = "a fact rests on nothing"
        findings.add("facts", detail, record=_record(row["record_id"]))


async def _check_versions(scope: Scope, findings: Findings) -> None:
    check = "source_versions"
    for row in await scope.rows("validate.version_order", limit=LISTED + 1):
        detail = f"version {row['version']} of a source is out of order"
        findings.add(check, detail, source=_source(row["source_id"]), version=row["version"])
    for row in await scope.rows("validate.version_records", limit=LISTED + 1):
        facts: dict[str, Any] = {"source": _source(row["source_id"]), "version": row["version"]}
        if row["records"] != row["found"]:
            detail = f"a version has {row['found']} records where it says {row['records']}"
        elif row["hash_wrong"] or not row["blob_missing"]:
            detail = "a version does not agree with its original"
        else:
            detail = "the original of a version is missing"
        findings.add(check, detail, **facts)
    for row in await scope.rows("validate.version_entries", limit=LISTED + 1):
        detail = f"version {row['version']} of a source is not what the log says"
        findings.add(check, detail, source=row["source"], version=row["version"])


async def _check_blobs(scope: Scope, findings: Findings) -> None:
    for row in await scope.rows("validate.blobs", limit=LISTED + 1):
        findings.add("blobs", "an original is not what its hash and size say", sha256=row["sha256"])


async def _check_messages(scope: Scope, findings: Findings) -> None:
    for row in await scope.rows("validate.message_keys", limit=LISTED + 1):
        findings.add(
            "message_keys",
            "a message's key leads to a record that is not its own",
            key=row["key"],
            group=row["group_key"],
        )
    for row in await scope.rows("validate.unkeyed_messages", limit=LISTED + 1):
        findings.add(
            "message_keys", "a message does not stand under its key", record=_record(row["record_id"]),
            group=row["group_key"],
        )  # fmt: skip
    for row in await scope.rows("validate.positions", limit=LISTED + 1):
        findings.add(
            "positions", f"position {row['position']} of a group is not given out once", group=row["group_key"],
            records=row["records"],
        )  # fmt: skip


def _record(record: UUID | None) -> str | None:
    return None if record is None else public_id(RECORD, record)


def _source(source: UUID | None) -> str | None:
    return None if source is None else public_id(SOURCE, source)
