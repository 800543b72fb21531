"""The real PgBouncer for the tests: one that is there, or Debian's, unpacked beside the environment without root."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from sqlalchemy import URL

from muniment.database.unprivileged import as_unprivileged

MISSING = (
    "PgBouncer is not here and could not be fetched with apt-get ({reason}). "
    "Install it, or name its program in MUNIMENT_TEST_PGBOUNCER."
)
CONFIGURATION = """
[databases]
{database} = host={server} port=5432 dbname={database}
[pgbouncer]
unix_socket_dir = {directory}
listen_port = 6432
auth_type = trust
auth_file = {directory}/users
pool_mode = transaction
default_pool_size = {pool_size}
max_client_conn = 100
ignore_startup_parameters = extra_float_digits
"""


def pgbouncer_command() -> list[str]:
    """How to run PgBouncer; raises AssertionError saying what to do where there is none."""
    named = os.environ.get("MUNIMENT_TEST_PGBOUNCER") or shutil.which(
        "pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin"
    )
    if named:
        return [named]
    unpacked = Path(sys.prefix) / "pgbouncer"
    if not unpacked.is_dir():
        try:
            _fetch(unpacked)
        except (OSError, subprocess.CalledProcessError) as error:
            reason = getattr(error, "stderr", None) or str(error)
            raise AssertionError(MISSING.format(reason=reason.strip()[-300:])) from error
    libraries = ":".join(str(path) for path in (unpacked / "usr" / "lib").glob("*-linux-*"))
    return ["env", f"LD_LIBRARY_PATH={libraries}", str(unpacked / "usr" / "sbin" / "pgbouncer")]


def _fetch(unpacked: Path) -> None:
    with tempfile.TemporaryDirectory(dir=unpacked.parent) as name:
        place, whole = Path(name), Path(name) / "whole"
        _run("dpkg-deb", "--extract", _download(place, "pgbouncer"), whole)
        depends = _run("dpkg-deb", "--field", next(place.glob("pgbouncer_*.deb")), "Depends")
        for package in (part.split("(")[0].split("|")[0].strip() for part in depends.split(",")):
            if package.startswith("lib") and not _installed(package):
                _run("dpkg-deb", "--extract", _download(place, package), whole)
        if not unpacked.exists():  # another test process may have been first
            whole.rename(unpacked)


def _download(place: Path, package: str) -> Path:
    try:
        _run("apt-get", "download", package, cwd=place)
    except subprocess.CalledProcessError:  # no package lists here: keep some of our own
        own = [
            f"-oDir::State={place}/state",
            f"-oDir::Cache={place}/cache",
            "-oDir::State::status=/var/lib/dpkg/status",
        ]
        (place / "state" / "lists" / "partial").mkdir(parents=True, exist_ok=True)
        (place / "cache" / "archives" / "partial").mkdir(parents=True, exist_ok=True)
        _run("apt-get", *own, "update", cwd=place)
        _run("apt-get", *own, "download", package, cwd=place)
    return next(place.glob(f"{package}_*.deb"))


def _installed(package: str) -> bool:
    return subprocess.run(["dpkg", "-s", package], check=False, capture_output=True).returncode == 0


def _run(*command: str | Path, cwd: Path | None = None) -> str:
    done = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, cwd=cwd)
    return done.stdout


@contextmanager
def running_pgbouncer(url: URL, directory: Path, pool_size: int) -> Iterator[URL]:
    """PgBouncer in transaction mode before the database, with so many server connections a user; gives its URL."""
    directory.mkdir(mode=0o700)
    text = CONFIGURATION.format(
        database=url.database, server=url.query["host"], directory=directory, pool_size=pool_size
    )
    (directory / "pgbouncer.ini").write_text(text)
    (directory / "users").write_text('"muniment_app" ""\n"postgres" ""\n')
    before = url.update_query_dict({"host": str(directory), "port": "6432"})
    with open(directory / "log", "wb") as log:
        process = subprocess.Popen(
            as_unprivileged([*pgbouncer_command(), "-q", str(directory / "pgbouncer.ini")]), stdout=log, stderr=log
        )
    try:
        _await_socket(process, directory)
        yield before
    finally:
        process.terminate()
        process.wait(30)


def _await_socket(process: subprocess.Popen[bytes], directory: Path) -> None:
    deadline = time.monotonic() + 30
    while not (directory / ".s.PGSQL.6432").exists():
        words = (directory / "log").read_text()
        assert process.poll() is None and time.monotonic() < deadline, f"PgBouncer did not start: {words}"
        time.sleep(0.02)


def server_connections(url: URL) -> int:
    """How many connections the server has from the service role."""
    with psycopg.connect(host=str(url.query["host"]), dbname=url.database, user="postgres") as connection:
        row = connection.execute(
            "select count(*) from pg_stat_activity where usename = 'muniment_app' and datname = current_database()"
        ).fetchone()
    assert row is not None
    return int(row[0])
