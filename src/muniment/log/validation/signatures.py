"""Checkpoints to hold a log against: exported, stored in the database, or kept by the caller."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from muniment.database.pool import Scope
from muniment.errors import MunimentError
from muniment.log.checkpoints import exported_notes, origin_of
from muniment.log.notes import Checkpoint, VerifierKey, notes_in, parse_verifier_key, verify_checkpoint
from muniment.log.signing import signing_key
from muniment.log.validation.findings import Findings
from muniment.settings import Settings


@dataclass(frozen=True, slots=True)
class OutsideNotes:
    """What lies outside the database, read before the snapshot is taken: else a newer one would seem to be too new."""

    tenant: UUID
    exported: list[str]
    given: list[str]


@dataclass(slots=True)
class Trusted:
    """Checkpoints with a good signature, by the size of their tree."""

    by_size: dict[int, list[Checkpoint]] = field(default_factory=dict)

    def add(self, checkpoint: Checkpoint) -> None:
        known = self.by_size.setdefault(checkpoint.size, [])
        if checkpoint not in known:
            known.append(checkpoint)


def outside_notes(settings: Settings, tenant: UUID, given: str | None) -> OutsideNotes:
    """The exported notes of a tenant's log and those in a text of the caller; raises ``checkpoint.invalid``."""
    own = notes_in(given) if given is not None else []
    if given is not None and not own:
        raise MunimentError("checkpoint.invalid", "the text holds no signed checkpoint")
    return OutsideNotes(tenant, exported_notes(settings, tenant), own)


async def trusted_checkpoints(
    scope: Scope, findings: Findings, settings: Settings, notes: OutsideNotes, public_key: str | None
) -> Trusted:
    """All checkpoints there are, their signatures verified; one that is not ours is a finding.

    Raises ``checkpoint.invalid`` where the caller's own key or checkpoint is not of this log.
    """
    trusted = Trusted()
    stored = await scope.rows("proofs.checkpoints")
    if not (stored or notes.exported or notes.given):
        return trusted
    key = await asyncio.to_thread(_verifier_key, settings, notes.tenant, public_key)
    for note in notes.given:
        trusted.add(verify_checkpoint(note, key))
    for note in notes.exported:
        _add(trusted, findings, note, key, "an exported checkpoint")
    for row in stored:
        checkpoint = _add(trusted, findings, row["note"], key, "a stored checkpoint")
        if checkpoint is not None and (checkpoint.size, checkpoint.root) != (row["entries"], row["root"]):
            findings.add("checkpoints", "a stored checkpoint is not what its note says", entries=row["entries"])
    return trusted


def check_reached(findings: Findings, trusted: Mapping[int, list[Checkpoint]], size: int) -> None:
    """A log that ends before a checkpoint of it was cut."""
    for signed in trusted:
        if signed > size:
            findings.add("checkpoints", f"the log had {signed} entries when it was signed", entries=size)


def _verifier_key(settings: Settings, tenant: UUID, public_key: str | None) -> VerifierKey:
    if public_key is None:
        return VerifierKey(origin_of(tenant), signing_key(settings).public_key())
    key = parse_verifier_key(public_key)
    if key.name != origin_of(tenant):
        raise MunimentError("checkpoint.invalid", "the public key is that of another log")
    return key


def _add(trusted: Trusted, findings: Findings, note: str, key: VerifierKey, what: str) -> Checkpoint | None:
    findings.looked("checkpoints")
    try:
        checkpoint = verify_checkpoint(note, key)
    except MunimentError as error:
        findings.add("checkpoints", f"{what} cannot be trusted: {error.detail}")
        return None
    trusted.add(checkpoint)
    return checkpoint
