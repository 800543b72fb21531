"""Where a run of the tests keeps its server: in memory where there is room. What killed runs left there is removed."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Final

_IN_MEMORY: Final = Path("/dev/shm")
_ROOM: Final = 6 * 1024**3  # bytes; each worker's databases take a few hundred million
_PREFIX: Final = "muniment-tests-"
_LOCK: Final = "run.lock"


@contextmanager
def quick_place(root: Path | None = None) -> Iterator[Path]:
    """A directory until the block ends, under ``root`` or where it is quickest."""
    root = root or _quickest()
    _remove_abandoned(root)
    with TemporaryDirectory(prefix=_PREFIX, dir=root, ignore_cleanup_errors=True) as made:
        lock = os.open(Path(made) / _LOCK, os.O_CREAT | os.O_RDWR)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield Path(made)
        finally:
            os.close(lock)


def _quickest() -> Path:
    try:
        return _IN_MEMORY if shutil.disk_usage(_IN_MEMORY).free > _ROOM else Path(gettempdir())
    except OSError:
        return Path(gettempdir())


def _remove_abandoned(root: Path) -> None:
    """Removes what runs left that ended without removing it: memory that nobody would give back."""
    for lock in root.glob(f"{_PREFIX}*/{_LOCK}"):
        try:
            held = os.open(lock, os.O_RDWR)
        except OSError:  # another user's
            continue
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(lock.parent, ignore_errors=True)
        except OSError:  # it runs
            pass
        finally:
            os.close(held)
