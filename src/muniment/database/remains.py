"""What a PostgreSQL that died leaves behind: lock files, and for a moment itself.

PostgreSQL takes a lock file for another server's when its process number is alive. After a restart of a machine or
container that number may be anybody's, so the files are removed here, by whoever holds the store's start lock and so
knows that no keeper runs. A server that lost its keeper is shutting down, and is waited for.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from muniment.errors import MunimentError


def clear_remains(data: Path, socket_dir: Path, seconds: float) -> None:
    """Waits for the data directory's last server to end and removes the lock files that it left.

    Raises ``store.locked`` where a server that is not ours keeps running in the directory for ``seconds``.
    """
    number = _process_number(data / "postmaster.pid")
    deadline = time.monotonic() + seconds
    if number is not None and sys.platform != "linux" and _serves(number, data):
        os.kill(number, signal.SIGINT)  # elsewhere than on Linux nothing tells it that its keeper died
    while number is not None and _serves(number, data):
        if time.monotonic() > deadline:
            raise MunimentError("store.locked", f"another PostgreSQL (process {number}) runs in the data directory")
        time.sleep(0.05)
    for left in (data / "postmaster.pid", *_socket_files(socket_dir)):
        left.unlink(missing_ok=True)


def _socket_files(socket_dir: Path) -> Iterable[Path]:
    return (path for path in socket_dir.glob(".s.PGSQL.*") if path.is_socket() or path.suffix == ".lock")


def _process_number(lock_file: Path) -> int | None:
    try:
        return int(lock_file.read_text(encoding="ascii", errors="replace").split("\n", 1)[0])
    except (OSError, ValueError):
        return None


def _serves(number: int, data: Path) -> bool:
    """Whether the process is a PostgreSQL of this data directory."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return f"postgres -D {data}" in _command_line(number)


def _command_line(number: int) -> str:
    try:
        return Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        listed = subprocess.run(
            ["ps", "-ww", "-o", "command=", "-p", str(number)], check=False, capture_output=True, text=True
        )
        return listed.stdout
