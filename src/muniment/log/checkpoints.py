"""Checkpoints of a tenant's log: signed, stored, and exported to a file that the database cannot reach.

The file ``checkpoints/<tenant>.txt`` in the data directory keeps every note. Somebody with all rights in the
database can rewrite a log so that it agrees with itself; with a note outside it no longer agrees.
"""

import asyncio
import fcntl
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from muniment.database.pool import Database, Scope
from muniment.errors import MunimentError
from muniment.log.nodes import load_subtrees
from muniment.log.notes import Checkpoint, VerifierKey, notes_in, sign, verify_checkpoint
from muniment.log.signing import signing_key
from muniment.log.tree import consistency_proof, consistency_spans, fold, verify_consistency
from muniment.model.identifiers import TENANT, parse_id, public_id
from muniment.settings import Settings


@dataclass(frozen=True, slots=True)
class SignedCheckpoint:
    """A checkpoint with its signed note and the key that verifies it."""

    checkpoint: Checkpoint
    note: str
    key: VerifierKey


def origin_of(tenant: UUID) -> str:
    """The name of a tenant's log, in its checkpoints and of its key."""
    return f"muniment/{public_id(TENANT, tenant)}"


def export_file(settings: Settings, tenant: UUID) -> Path:
    """Where a tenant's checkpoints are exported to."""
    return settings.store_dir / "checkpoints" / f"{public_id(TENANT, tenant)}.txt"


def exported_notes(settings: Settings, tenant: UUID) -> list[str]:
    """The exported notes, oldest first; none where nothing was exported. Raises ``checkpoint.file_unusable``."""
    path = export_file(settings, tenant)
    try:
        return notes_in(path.read_text(encoding="utf-8", errors="replace"))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise MunimentError("checkpoint.file_unusable", f"cannot read the exported checkpoints in {path}") from error


def tenants_with_notes(settings: Settings) -> dict[UUID, Path]:
    """The tenants of whose logs checkpoints are exported here, with the files."""
    found = sorted((settings.store_dir / "checkpoints").glob("*.txt"))
    named = {path: parse_id(TENANT, path.stem) for path in found}
    return {tenant: path for path, tenant in named.items() if tenant is not None}


def merge_notes(settings: Settings, directory: Path) -> None:
    """Adds the notes of another directory of exported checkpoints; raises ``checkpoint.file_unusable``."""
    for path in sorted(directory.glob("*.txt")):
        own = settings.store_dir / "checkpoints" / path.name
        known = notes_in(own.read_text(encoding="utf-8", errors="replace")) if own.exists() else []
        brought = notes_in(path.read_text(encoding="utf-8", errors="replace"))
        _rewrite(own, sorted({*known, *brought}, key=_size))


def set_aside_after(path: Path, entries: int) -> int:
    """Moves the notes of trees of more than ``entries`` into a file beside; how many. They tell what was lost."""
    notes = notes_in(path.read_text(encoding="utf-8", errors="replace"))
    beyond = [note for note in notes if _size(note) > entries]
    for note in beyond:
        _export(path.with_suffix(".lost.txt"), note)
    if beyond:
        _rewrite(path, [note for note in notes if note not in beyond])
    return len(beyond)


def _size(note: str) -> int:
    return int(note.split("\n")[1])


def _rewrite(path: Path, notes: Sequence[str]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = path.with_suffix(".part")
        draft.write_text("".join(note + "\n" for note in notes), encoding="utf-8", newline="\n")
        draft.replace(path)
    except OSError as error:
        raise MunimentError("checkpoint.file_unusable", f"cannot write the exported checkpoints in {path}") from error


def keep_foreign_notes(settings: Settings, tenant: UUID, notes: Sequence[str]) -> None:
    """Adds the notes of a log that came from elsewhere, signed by the key of there, to a file beside our own.

    They say what the log held before it came here: whoever kept one can still be shown that it begins with that.
    Raises ``checkpoint.file_unusable``.
    """
    for note in notes:
        _export(export_file(settings, tenant).with_suffix(".imported.txt"), note)


async def sign_checkpoint(database: Database, tenant: int) -> SignedCheckpoint:
    """Signs the log as it stands, stores the note and exports it; the same log gives the same note.

    Raises ``log.invalid`` where the log does not extend the last checkpoint, exported or stored;
    ``checkpoint.invalid`` where the exported one is not ours; ``signing.key_unusable``; ``checkpoint.file_unusable``.
    """
    settings = database.settings
    private = await asyncio.to_thread(signing_key, settings)
    async with database.scope(tenant) as scope:
        identity: UUID = await scope.value("tenants.public_id")
        key = VerifierKey(origin_of(identity), private.public_key())
        # before the head is read: what others export meanwhile may be newer than our head
        notes = await asyncio.to_thread(exported_notes, settings, identity)
        stored = await scope.row("proofs.newest_checkpoint")
        head = await scope.row("proofs.head")
        if head is None:
            raise LookupError("the tenant has no log")
        checkpoint = Checkpoint(key.name, head["entries"], fold(head["peaks"]))
        if notes:
            await _require_extension(scope, verify_checkpoint(notes[-1], key), checkpoint)
        if stored is not None and (known := _ours(stored["note"], key.name, private)) is not None:
            await _require_extension(scope, known.checkpoint, checkpoint)
        note = sign(checkpoint, private)
        await scope.execute("proofs.insert_checkpoint", entries=checkpoint.size, root=checkpoint.root, note=note)
    await asyncio.to_thread(_export, export_file(settings, identity), note)
    return SignedCheckpoint(checkpoint, note, key)


async def covering_checkpoint(database: Database, tenant: int, index: int) -> SignedCheckpoint:
    """A checkpoint of a tree that holds leaf ``index``: the newest stored one, or a new one.

    Raises what ``sign_checkpoint`` raises.
    """
    private = await asyncio.to_thread(signing_key, database.settings)
    async with database.scope(tenant) as scope:
        head = await scope.row("proofs.head")
        stored = await scope.row("proofs.newest_checkpoint")
    if head is not None and stored is not None and stored["entries"] > index:
        found = _ours(stored["note"], origin_of(head["public_id"]), private)
        if found is not None and found.checkpoint.size > index:
            return found
    return await sign_checkpoint(database, tenant)


def _ours(note: str, origin: str, private: Ed25519PrivateKey) -> SignedCheckpoint | None:
    key = VerifierKey(origin, private.public_key())
    try:
        return SignedCheckpoint(verify_checkpoint(note, key), note, key)
    except MunimentError:
        return None  # the key was changed, or the row: whoever asks gets a fresh one


async def _require_extension(scope: Scope, old: Checkpoint, new: Checkpoint) -> None:
    if new.size < old.size:
        raise MunimentError("log.invalid", "the log is shorter than its last checkpoint: run muniment validate")
    subtree = await load_subtrees(scope, consistency_spans(old.size, new.size))
    proof = consistency_proof(old.size, new.size, subtree)
    if not verify_consistency(old.size, new.size, old.root, new.root, proof):
        raise MunimentError("log.invalid", "the log does not extend its last checkpoint: run muniment validate")


def _export(path: Path, note: str) -> None:
    """Adds the note to the history unless it is there; a note is followed by an empty line."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(path, "a+", encoding="utf-8", errors="replace", newline="\n") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            before = file.read()
            if note in notes_in(before):
                return
            torn = bool(before) and not before.endswith("\n\n")
            file.write(("\n\n" if torn else "") + note + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise MunimentError("checkpoint.file_unusable", f"cannot export a checkpoint to {path}") from error
