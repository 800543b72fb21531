"""The chain: each entry holds the digest of the one before it, and its own over all that it says.

digest = SHA-256 of the entry as JSON in the form of RFC 8785, with the members ``tenant`` (public id), ``no``, ``at``
(UTC, microseconds), ``actor``, ``action``, ``target``, ``detail`` and ``previous`` (hexadecimal). The first entry's
``previous`` is 32 zero bytes.
"""

import json
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

import rfc8785

from muniment.audit.acting import current_actor
from muniment.database.pool import Database, Scope
from muniment.model.audit import AuditEntry, AuditPage
from muniment.model.cursors import read_cursor, write_cursor
from muniment.model.identifiers import TENANT, public_id

START: Final = bytes(32)
_BATCH: Final = 1000


async def record_act(scope: Scope, action: str, target: str | None = None, **detail: Any) -> None:
    """Appends what the current actor does to the scope's transaction: it is told if and when that commits.

    ``target`` is the public id or name of what it is done to. ``detail`` has JSON values: ids, names, counts, never
    content or a secret. Call it last: it takes the lock of the tenant's audit log, after all others.
    """
    place = await scope.row("audit.advance")
    assert place is not None
    told = {
        "no": place["entry_no"], "at": place["at"], "actor": current_actor(), "action": action, "target": target,
        "detail": detail, "previous": bytes(place["previous"]),
    }  # fmt: skip
    digest = entry_digest(place["public_id"], told)
    await scope.execute(
        "audit.append", entry_no=told["no"], at=told["at"], actor=told["actor"], action=action, target=target,
        detail=json.dumps(detail), previous=told["previous"], digest=digest,
    )  # fmt: skip


def entry_digest(tenant: UUID, entry: Mapping[str, Any]) -> bytes:
    """SHA-256 over all that the entry says, of the tenant with this public id."""
    at: datetime = entry["at"]
    told = {
        "tenant": public_id(TENANT, tenant),
        "no": entry["no"],
        "at": at.astimezone(UTC).isoformat(timespec="microseconds"),
        "actor": entry["actor"],
        "action": entry["action"],
        "target": entry["target"],
        "detail": entry["detail"],
        "previous": bytes(entry["previous"]).hex(),
    }
    return sha256(rfc8785.dumps(told)).digest()


async def list_acts(database: Database, tenant: int, *, limit: int = 50, cursor: str | None = None) -> AuditPage:
    """The entries of a tenant, the latest first; raises ``input.invalid`` for a cursor of somebody else's."""
    before = read_cursor(cursor, default=2**63 - 1)
    async with database.scope(tenant) as scope:
        rows = await scope.rows("audit.list", before=before, limit=limit + 1)
    entries = [
        AuditEntry(
            number=row["entry_no"], at=row["at"], actor=row["actor"], action=row["action"], target=row["target"],
            detail=row["detail"], digest=bytes(row["digest"]).hex(),
        )
        for row in rows[:limit]
    ]  # fmt: skip
    return AuditPage(entries=entries, next=write_cursor(entries[-1].number) if len(rows) > limit else None)


async def wrong_entries(scope: Scope) -> AsyncIterator[tuple[int, str | None]]:
    """Each entry by its number, with what is wrong about it, None where nothing is; then the head, where it is wrong.

    Reads all entries, in batches.
    """
    tenant: UUID = await scope.value("tenants.public_id")
    number, digest = 0, START
    while rows := await scope.rows("audit.walk", after=number, limit=_BATCH):
        for row in rows:
            told = {name: row[name] for name in ("at", "actor", "action", "target", "detail", "previous")}
            wrong = None
            if row["entry_no"] != number + 1:
                wrong = "entries before this one are missing"
            elif bytes(row["previous"]) != digest:
                wrong = "the entry does not hold the digest of the one before it"
            elif entry_digest(tenant, told | {"no": row["entry_no"]}) != bytes(row["digest"]):
                wrong = "the entry does not say what its digest is of"
            number, digest = row["entry_no"], bytes(row["digest"])
            yield number, wrong
    head = await scope.row("audit.head")
    entries, end = (0, START) if head is None else (head["entries"], bytes(head["digest"]))
    if entries != number:
        yield number, "entries are missing at the end, or there are some that nobody appended"
    elif end != digest:
        yield number, "the last entry is not the one that was appended last"
