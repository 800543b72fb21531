"""A streaming replica of a server of the tests, made with pg_basebackup and run beside it."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from psycopg import OperationalError, connect
from sqlalchemy import URL

from muniment.database.embedded import EmbeddedServer, binary
from muniment.database.unprivileged import as_unprivileged


@contextmanager
def running_standby(server: EmbeddedServer, directory: Path, database: str) -> Iterator[URL]:
    """A hot standby of the server, replaying as it streams; gives its URL for the service role."""
    directory.mkdir(mode=0o700)
    data, run = directory / "data", directory / "run"
    run.mkdir(mode=0o700)
    copy = ["pg_basebackup", "--pgdata", str(data), "--host", str(server.socket_dir()), "--username", "postgres"]
    copy += ["--write-recovery-conf", "--wal-method", "stream", "--checkpoint", "fast"]
    subprocess.run(as_unprivileged([str(binary(copy[0])), *copy[1:]]), check=True, capture_output=True)
    settings = {
        "unix_socket_directories": str(run),
        "listen_addresses": "",
        "hot_standby": "on",
        "hot_standby_feedback": "on",
        "max_connections": "200",
        "fsync": "off",
        "shared_buffers": "32MB",
    }
    command = [str(binary("postgres")), "-D", str(data), *(f"--{name}={value}" for name, value in settings.items())]
    with open(directory / "log", "wb") as log:
        process = subprocess.Popen(as_unprivileged(command), stdout=log, stderr=log, stdin=subprocess.DEVNULL)
    try:
        _await(process, run, database, directory / "log")
        yield URL.create("postgresql+psycopg", "muniment_app", database=database, query={"host": str(run)})
    finally:
        process.terminate()
        process.wait(60)


def _await(process: "subprocess.Popen[bytes]", run: Path, database: str, log: Path) -> None:
    deadline = time.monotonic() + 60
    while True:
        assert process.poll() is None and time.monotonic() < deadline, log.read_text()
        try:
            connect(host=str(run), user="postgres", dbname=database).close()
            return
        except OperationalError:
            time.sleep(0.1)


def pause_replay(url: URL, *, paused: bool) -> None:
    """Holds the replaying of what streams in, or lets it go on."""
    statement = "select pg_wal_replay_pause()" if paused else "select pg_wal_replay_resume()"
    with connect(host=str(url.query["host"]), user="postgres", dbname=url.database) as connection:
        connection.execute(statement)
