"""Backup and restore of a whole store with the embedded server: the database, and the files beside it.

A restored store loses again what the ledger of erasures says, before anything is served from it; and checkpoints that
were signed after the backup are set aside, since the log that they tell of is lost.
"""

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal
from uuid import UUID

from pydantic import BaseModel, ValidationError

from muniment.database.base_backup import place_base_backup, take_base_backup, verify_base_backup
from muniment.database.embedded import EmbeddedServer
from muniment.database.migrate import head_revision, known_revisions
from muniment.database.pool import Database
from muniment.database.setup import prepare
from muniment.errors import MunimentError
from muniment.jobs.removing import replay_departures
from muniment.log.checkpoints import merge_notes, set_aside_after, tenants_with_notes
from muniment.log.departed import merge_departures
from muniment.log.ledger import merge_ledgers
from muniment.log.replaying import replay_erasures
from muniment.log.signing import key_file
from muniment.settings import Settings
from muniment.tenancy.tenants import default_tenant, number_of_tenant

_MANIFEST: Final = "backup.json"
_DATABASE: Final = "postgres"
_KEY: Final = "signing.key"


class Backup(BaseModel):
    """What a backup's ``backup.json`` says of it."""

    format: Literal["muniment-backup"] = "muniment-backup"
    version: Literal[1] = 1
    created_at: datetime
    schema_revision: str
    signing_key: bool


class Restored(BaseModel):
    """What a restore did: erasures made again, tenants deleted once more, and signed checkpoints of what came later."""

    backup: Backup
    erasures: int
    tenants_deleted: int = 0
    checkpoints_set_aside: int


def back_up(settings: Settings, target: Path) -> Backup:
    """Makes a new directory with a backup of the store, while it is used or not; only its owner may read it.

    Raises ``backup.failed``, ``backup.exists``, ``input.invalid`` where the database is not the embedded one.
    """
    _embedded_alone(settings)
    if target.exists():
        raise MunimentError("backup.exists", f"there is a {target} already")
    draft = target.with_name(f".{target.name}.part")
    prepared = prepare(settings)
    try:
        assert prepared.server is not None
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700, parents=True)
        take_base_backup(prepared.server, draft / _DATABASE)
        # after the database: a line too many is erased already, one too few would bring a content back
        made = _copy_beside(settings, draft)
        (draft / _MANIFEST).write_text(made.model_dump_json(indent=2) + "\n", encoding="utf-8")
        draft.rename(target)
    except OSError as error:
        raise MunimentError("backup.failed", f"cannot write the backup: {error.strerror}") from error
    finally:
        prepared.close()
        shutil.rmtree(draft, ignore_errors=True)
    return made


def _copy_beside(settings: Settings, target: Path) -> Backup:
    for name in ("checkpoints", "erasures"):
        if (settings.store_dir / name).is_dir():
            shutil.copytree(settings.store_dir / name, target / name)
    key = key_file(settings)
    if key.is_file():
        shutil.copy2(key, target / _KEY)
        (target / _KEY).chmod(0o600)
    return Backup(created_at=datetime.now(UTC), schema_revision=head_revision(), signing_key=key.is_file())


async def restore(settings: Settings, backup: Path) -> Restored:
    """Opens a backup as the store of the settings' data directory, which has no database yet.

    Checkpoints and ledgers of erasures that lie there stay and are joined with those of the backup: keep them when the
    database is lost. Nothing is served before each erasure of the ledger that the backup had not seen was made again.
    Raises ``backup.invalid``, ``backup.failed``, ``store.exists``, ``signing.key_unusable``, ``input.invalid``.
    """
    _embedded_alone(settings)
    made = _read(backup)
    server = EmbeddedServer(settings.store_dir)
    verify_base_backup(backup / _DATABASE)
    _bring_beside(settings, backup)
    place_base_backup(backup / _DATABASE, server)
    prepared = prepare(settings)
    try:
        database = Database(prepared.app_url, settings)
        try:
            aside = await _set_aside(database)
            erased = await replay_erasures(database)
            await default_tenant(database)  # whose audit log tells of tenants that were deleted
            removed = await replay_departures(database, prepared.admin_url)
            return Restored(backup=made, erasures=erased, tenants_deleted=removed, checkpoints_set_aside=aside)
        finally:
            await database.close()
    finally:
        prepared.close()


def _embedded_alone(settings: Settings) -> None:
    if settings.database_url is not None:
        raise MunimentError(
            "input.invalid", "this is for the embedded database; docs/operations.md says what to do for another one"
        )


def _read(backup: Path) -> Backup:
    try:
        made = Backup.model_validate(json.loads((backup / _MANIFEST).read_bytes()))
    except (OSError, ValueError, ValidationError) as error:
        raise MunimentError("backup.invalid", f"{backup} is no backup of a store") from error
    if made.signing_key and not (backup / _KEY).is_file():
        raise MunimentError("backup.invalid", f"the backup lacks its {_KEY}: nothing could be signed on with it")
    if made.schema_revision not in known_revisions():
        raise MunimentError("backup.invalid", "the backup was made by a newer version", found=made.schema_revision)
    return made


def _bring_beside(settings: Settings, backup: Path) -> None:
    settings.store_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    key, kept = key_file(settings), backup / _KEY
    if kept.is_file():
        if not key.exists():
            key.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            shutil.copy2(kept, key)
        elif key.read_bytes() != kept.read_bytes():
            raise MunimentError("signing.key_unusable", f"{key} is another key than that of the backup")
    merge_notes(settings, backup / "checkpoints")
    merge_ledgers(settings, backup / "erasures")
    merge_departures(settings, backup / "erasures")


async def _set_aside(database: Database) -> int:
    """For each tenant whose checkpoints were exported here: those of trees larger than the one that is restored."""
    moved = 0
    for public, path in tenants_with_notes(database.settings).items():
        entries = await _entries_of(database, public)
        if entries is not None:
            moved += set_aside_after(path, entries)
    return moved


async def _entries_of(database: Database, public: UUID) -> int | None:
    number = await number_of_tenant(database, public)
    if number is None:
        return None
    async with database.scope(number) as scope:
        head = await scope.row("proofs.head")
    return None if head is None else int(head["entries"])
