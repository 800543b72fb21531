"""The user that the embedded PostgreSQL runs as. PostgreSQL refuses root, which containers often run everything as.

Root becomes nobody in a user namespace of its own, where the files may stay root's. Where namespaces are forbidden,
as inside many containers, root becomes nobody outright, which keeps the right to pass directories that are root's.
"""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from muniment.errors import MunimentError

NOBODY = 65534
_NAMESPACE = ("unshare", "--user", f"--map-user={NOBODY}", f"--map-group={NOBODY}")
_CAPABILITIES = "-all,+dac_override"
_DROPPING = (
    "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", f"--bounding-set={_CAPABILITIES}",
    f"--inh-caps={_CAPABILITIES}", f"--ambient-caps={_CAPABILITIES}", "--pdeathsig=INT",
)  # fmt: skip


def as_unprivileged(command: list[str]) -> list[str]:
    """The command as a user that PostgreSQL accepts; raises ``store.start_failed`` where root finds no way."""
    return [*_prefix(), *command] if os.geteuid() == 0 else command


def hand_over(directory: Path) -> None:
    """Gives the directory's files to the user that ``as_unprivileged`` runs as, where they are another's."""
    if os.geteuid() != 0 or not directory.exists():
        return
    owner = NOBODY if _prefix()[:1] == _DROPPING[:1] else 0
    if directory.stat().st_uid == owner:
        return
    for parent, _, files in os.walk(directory):
        for name in ("", *files):
            os.chown(os.path.join(parent, name), owner, owner, follow_symlinks=False)


@cache
def _prefix() -> tuple[str, ...]:
    for prefix in (_NAMESPACE, _DROPPING):
        if shutil.which(prefix[0]) and _works(prefix):
            return prefix
    raise MunimentError(
        "store.start_failed", "PostgreSQL refuses to run as root, and neither unshare nor setpriv may change that"
    )


def _works(prefix: tuple[str, ...]) -> bool:
    done = subprocess.run([*prefix, "id", "-u"], check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.returncode == 0 and done.stdout.strip() == str(NOBODY)
