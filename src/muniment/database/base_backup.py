"""Backups of the embedded server with PostgreSQL's own programs: pg_basebackup makes one, pg_verifybackup checks it."""

import shutil
import subprocess
from pathlib import Path
from uuid import uuid4

from muniment.database.embedded import EmbeddedServer, binary
from muniment.database.unprivileged import as_unprivileged, hand_over
from muniment.errors import MunimentError


def take_base_backup(server: EmbeddedServer, target: Path) -> None:
    """Copies the running server's files into the new directory, with the WAL that makes them whole.

    Others read and write meanwhile. Raises ``backup.failed``.
    """
    _run(
        "pg_basebackup", "--pgdata", str(target), "--host", str(server.socket_dir()), "--username", "postgres",
        "--format", "plain", "--wal-method", "stream", "--checkpoint", "fast", "--manifest-checksums", "SHA256",
        "--no-password",
    )  # fmt: skip


def verify_base_backup(directory: Path) -> None:
    """Checks each file against the backup's manifest, and the WAL; raises ``backup.invalid``."""
    try:
        _run("pg_verifybackup", "--exit-on-error", "--quiet", str(directory))
    except MunimentError as error:
        raise MunimentError("backup.invalid", "the backup is not what it was when it was made") from error


def place_base_backup(directory: Path, server: EmbeddedServer) -> None:
    """Copies the backup to where the server has its files, whole or not at all; raises ``store.exists``."""
    server.store.mkdir(parents=True, exist_ok=True, mode=0o700)
    if server.data.exists():
        raise MunimentError("store.exists", f"there is a database in {server.store} already")
    draft = server.store / f"restoring-{uuid4().hex}"
    try:
        shutil.copytree(directory, draft, symlinks=True)
        hand_over(draft)
        draft.rename(server.data)
    except OSError as error:
        raise MunimentError("backup.failed", f"cannot copy the backup: {error.strerror}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _run(program: str, *arguments: str) -> None:
    command = as_unprivileged([str(binary(program)), *arguments])
    done = subprocess.run(command, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        words = " / ".join(done.stderr.strip().splitlines()[-3:])
        raise MunimentError("backup.failed", f"{program} failed: {words}")
