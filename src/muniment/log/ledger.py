"""The ledger of erasures: in the data directory, beside the database and not in it, so that a restore leaves it alone.

The file ``erasures/<tenant>.jsonl`` has a line for each erasure, with the public ids of what it took and nothing of
the content. Keep it with the checkpoints; without it a restored backup does not know what it must lose.
"""

import asyncio
import fcntl
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import UUID

from muniment.errors import MunimentError
from muniment.model.identifiers import TENANT, parse_id, public_id
from muniment.settings import Settings


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """An erasure: its id, the tenant's number in this store, and what it took."""

    erasure: str
    tenant: int
    records: Sequence[str]
    sources: Sequence[str]
    reason: str
    runs: Sequence[str] = ()


async def append_line(settings: Settings, tenant: UUID, line: LedgerLine) -> None:
    """Adds the erasure to the ledger, on the disk when this returns; raises ``store.ledger_unusable``."""
    await asyncio.to_thread(_append, _file(settings, tenant), line)


def read_ledgers(settings: Settings) -> dict[UUID, list[LedgerLine]]:
    """All ledgers of the data directory, by tenant. A line cut short by a crash is left out."""
    found: dict[UUID, list[LedgerLine]] = {}
    for path in sorted((settings.store_dir / "erasures").glob("*.jsonl")):
        tenant = parse_id(TENANT, path.stem)
        if tenant is not None:
            found[tenant] = [line for text in texts_of(path) if (line := _line(text)) is not None]
    return found


def merge_ledgers(settings: Settings, directory: Path) -> None:
    """Adds the lines of a backup of the same store; raises ``store.ledger_unusable``."""
    for path in sorted(directory.glob("*.jsonl")):
        for text in texts_of(path):
            if (line := _line(text)) is not None:
                _append(settings.store_dir / "erasures" / path.name, line)


def _file(settings: Settings, tenant: UUID) -> Path:
    return settings.store_dir / "erasures" / f"{public_id(TENANT, tenant)}.jsonl"


def texts_of(path: Path) -> list[str]:
    """The lines of a ledger; raises ``store.ledger_unusable``."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise MunimentError("store.ledger_unusable", f"cannot read the ledger of erasures {path}") from error


def _line(text: str) -> LedgerLine | None:
    try:
        return LedgerLine(**json.loads(text))
    except (ValueError, TypeError):
        return None


def _append(path: Path, line: LedgerLine) -> None:
    append_text(path, json.dumps(asdict(line)))


def append_text(path: Path, text: str) -> None:
    """Adds a line unless it is there, on the disk when this returns; raises ``store.ledger_unusable``."""
    written = text + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(path, "a+", encoding="utf-8", errors="replace") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            before = file.read()
            if written in before:
                return
            file.write(written if not before or before.endswith("\n") else "\n" + written)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise MunimentError("store.ledger_unusable", f"cannot write the ledger of erasures {path}") from error
