"""The keeper: a small process that holds one embedded PostgreSQL for as long as any process uses it.

Run as a script, on the standard library alone, so that it starts fast and does not depend on the package.

Every user of a store holds a shared lock on ``users.lock``, which the kernel drops however the user dies. The
keeper waits for the exclusive lock, which it gets when the last user is gone, and then stops PostgreSQL. Should
the keeper itself be killed, PostgreSQL gets its parent-death signal. So nothing is left behind in either case.

usage: keeper.py STORE_DIR POSTGRES [ARGUMENT ...]
"""

import ctypes
import fcntl
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType

PR_SET_PDEATHSIG = 1
FAST_SHUTDOWN = signal.SIGINT
ANOTHER_KEEPER = 3
_AGAIN_SECONDS = 1.0


def _lock_within(lock: int, seconds: float) -> bool:
    """Takes the lock, which those who look whether a keeper lives also hold for an instant."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.002)


def _die_with_keeper() -> None:
    signal.signal(
        FAST_SHUTDOWN, signal.SIG_DFL
    )  # which we ignore: else it would be lost until PostgreSQL listens to it
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, FAST_SHUTDOWN)


def _shut_down(postgres: "subprocess.Popen[bytes]") -> None:
    """Ends PostgreSQL, also where it has only just been started and does not listen to signals yet."""
    while True:
        postgres.send_signal(FAST_SHUTDOWN)
        try:
            postgres.wait(_AGAIN_SECONDS)
        except subprocess.TimeoutExpired:
            continue
        return


def main() -> int:
    store, command = Path(sys.argv[1]), sys.argv[2:]
    for ignored in (signal.SIGINT, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    keeper_lock = os.open(store / "keeper.lock", os.O_RDWR | os.O_CREAT, 0o600)
    if not _lock_within(keeper_lock, seconds=2.0):
        return ANOTHER_KEEPER
    users_lock = os.open(store / "users.lock", os.O_RDWR | os.O_CREAT, 0o600)
    postgres = subprocess.Popen(command, preexec_fn=_die_with_keeper, stdin=subprocess.DEVNULL)

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise SystemExit(0)

    def child_ended(_signal: int, _frame: FrameType | None) -> None:
        if postgres.poll() is not None:
            raise SystemExit(postgres.returncode or 1)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGCHLD, child_ended)
    try:
        if postgres.poll() is None:
            fcntl.flock(users_lock, fcntl.LOCK_EX)
    finally:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if postgres.poll() is None:
            _shut_down(postgres)
    return postgres.returncode


if __name__ == "__main__":
    raise SystemExit(main())
