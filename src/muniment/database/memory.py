"""How much memory the embedded server keeps of the store."""

import os
from pathlib import Path
from typing import Final

_MIB: Final = 1024**2
_LEAST: Final = 128 * _MIB
_MOST: Final = 4096 * _MIB
_LIMITS: Final = (  # of a container: of cgroups version 2, and of version 1
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def shared_buffers(limits: tuple[Path, ...] = _LIMITS) -> int:
    """Bytes for PostgreSQL's cache: a quarter of the memory that this process may use, as PostgreSQL's documentation
    advises, from 128 MiB to 4 GiB. Pages count only once something is read into them.

    A store that does not fit is read from the system's cache over and over, which made searches of 100,000 records half
    as slow again. ``limits`` are files that may hold a container's limit in bytes.
    """
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for path in limits:
        try:
            memory = min(memory, int(path.read_text(encoding="ascii")))
        except (OSError, ValueError):  # no such file, or "max"
            continue
    return min(_MOST, max(_LEAST, memory // 4 // _MIB * _MIB))
