"""The ledger of deleted tenants, and the files that a tenant leaves beside the database.

``erasures/tenants.jsonl`` has a line for each tenant that was deleted: what its receipt says, and nothing else. It is
written before the database is told, so that a database that is restored from an older backup loses the tenant again.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from muniment.errors import MunimentError
from muniment.log.ledger import append_text, texts_of
from muniment.model.identifiers import TENANT, parse_id, public_id
from muniment.settings import Settings

_FILE: Final = "tenants.jsonl"


@dataclass(frozen=True, slots=True)
class Departure:
    """A tenant that was deleted: its public id, when, and where its log and its audit log ended."""

    tenant: str
    begun_at: str
    commits: int
    entries: int
    root: str
    checkpoint: str
    audit_entries: int
    audit_digest: str
    export_sha256: str | None

    @property
    def public(self) -> UUID | None:
        """The tenant's public id."""
        return parse_id(TENANT, self.tenant)


async def append_departure(settings: Settings, departure: Departure) -> None:
    """Adds the tenant to the ledger, on the disk when this returns; raises ``store.ledger_unusable``."""
    text = json.dumps(asdict(departure))
    await asyncio.to_thread(append_text, settings.store_dir / "erasures" / _FILE, text)


def read_departures(settings: Settings, directory: Path | None = None) -> list[Departure]:
    """The deleted tenants that the ledger knows; a line cut short by a crash is left out."""
    path = (directory or settings.store_dir / "erasures") / _FILE
    if not path.exists():
        return []
    return [line for text in texts_of(path) if (line := _line(text)) is not None]


def merge_departures(settings: Settings, directory: Path) -> None:
    """Adds the lines of a backup of the same store; raises ``store.ledger_unusable``."""
    for line in read_departures(settings, directory):
        append_text(settings.store_dir / "erasures" / _FILE, json.dumps(asdict(line)))


def remove_files(settings: Settings, tenant: UUID) -> None:
    """Removes the tenant's exported checkpoints and its own ledger of erasures; raises ``store.ledger_unusable``."""
    name = public_id(TENANT, tenant)
    try:
        for directory in ("checkpoints", "erasures"):
            for path in (settings.store_dir / directory).glob(f"{name}.*"):
                path.unlink(missing_ok=True)
    except OSError as error:
        raise MunimentError("store.ledger_unusable", "cannot remove the files of a deleted tenant") from error


def _line(text: str) -> Departure | None:
    try:
        read: Mapping[str, Any] = json.loads(text)
        line = Departure(**read)
        bytes.fromhex(line.root + line.audit_digest + (line.export_sha256 or ""))
    except (ValueError, TypeError):
        return None
    return line if line.public is not None else None
