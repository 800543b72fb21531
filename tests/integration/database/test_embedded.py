"""The embedded server through what happens to processes: shared, killed, cut short, in odd places, as odd users."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from muniment.database import keeper
from muniment.database.embedded import EmbeddedServer
from muniment.database.setup import driver_conninfo
from muniment.errors import MunimentError

PATIENCE = 60.0  # for what must happen, at any speed of the machine
OPENER = """
import sys
from pathlib import Path
from muniment.database.embedded import EmbeddedServer
from muniment.errors import MunimentError
try:
    server = EmbeddedServer(Path(sys.argv[1])).open()
except MunimentError as error:
    sys.exit(f"{error.code}: {error.detail}")
print((server.data / "postmaster.pid").read_text().splitlines()[0], flush=True)
sys.stdin.read()
"""
AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a process as another user")


@pytest.fixture
def opener() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts processes that open a store, say the postmaster's process number, and leave when their input ends."""
    started: list[subprocess.Popen[str]] = []

    def start(store: Path, *prefix: str, python: str = sys.executable, **environment: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*prefix, python, "-c", OPENER, str(store)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=os.environ | environment,
        )  # fmt: skip
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def _postmaster_of(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, process.communicate()[1]
    return int(line)


def _refusal_of(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=PATIENCE)
    assert out == ""
    return err.strip().splitlines()[-1]


def _execute(server: EmbeddedServer, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(driver_conninfo(server.url(database="postgres")), autocommit=True) as connection:
        cursor = connection.execute(statement)  # type: ignore[call-overload]
        return cursor.fetchall() if cursor.description else []


def _await(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def _alive(number: int) -> bool:
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(number)], check=False, capture_output=True, text=True)
    return bool(listed.stdout.strip()) and not listed.stdout.strip().startswith("Z")


def _keeper_of(postmaster: int) -> int:
    listed = subprocess.run(["ps", "-o", "ppid=", "-p", str(postmaster)], check=True, capture_output=True, text=True)
    return int(listed.stdout)


def _postmaster(server: EmbeddedServer) -> int:
    return int((server.data / "postmaster.pid").read_text().splitlines()[0])


def test_killing_the_only_user_leaves_no_postgresql_and_loses_nothing(
    store: Path, opener: Callable[..., subprocess.Popen[str]]
) -> None:
    process = opener(store)
    postmaster = _postmaster_of(process)
    keeper = _keeper_of(postmaster)
    _execute(EmbeddedServer(store), "insert into kept values (2)")
    process.kill()
    process.wait()
    _await(lambda: not _alive(postmaster) and not _alive(keeper))
    with EmbeddedServer(store) as server:
        assert _execute(server, "select a from kept order by a") == [(1,), (2,)]


def test_the_first_of_two_users_to_leave_does_not_stop_the_server(
    store: Path, opener: Callable[..., subprocess.Popen[str]]
) -> None:
    first, second = opener(store), opener(store)
    postmaster = _postmaster_of(first)
    assert _postmaster_of(second) == postmaster
    first.communicate("")
    time.sleep(0.3)
    assert _alive(postmaster)
    assert _execute(EmbeddedServer(store), "select a from kept") == [(1,)]
    second.communicate("")
    _await(lambda: not _alive(postmaster))


def test_four_first_starts_at_once_agree_on_one_server(
    tmp_path: Path, opener: Callable[..., subprocess.Popen[str]]
) -> None:
    processes = [opener(tmp_path / "fresh") for _ in range(4)]
    assert len({_postmaster_of(process) for process in processes}) == 1
    assert [path.name for path in (tmp_path / "fresh").glob("initdb-*")] == []


def test_a_start_cut_short_in_initdb_is_begun_anew(
    tmp_path: Path, opener: Callable[..., subprocess.Popen[str]]
) -> None:
    fresh = tmp_path / "fresh"
    process = opener(fresh)
    _await(lambda: any(fresh.glob("initdb-*/PG_VERSION")))
    process.kill()
    process.wait()
    assert not (fresh / "postgres").exists(), "a directory that looks whole"
    with EmbeddedServer(fresh) as server:
        assert _execute(server, "select 1") == [(1,)]
    assert [path.name for path in fresh.glob("initdb-*")] == []


def test_killing_the_keeper_ends_the_server_and_the_next_use_starts_it(store: Path) -> None:
    with EmbeddedServer(store) as server:
        postmaster = _postmaster(server)
        _execute(server, "insert into kept values (2)")
        os.kill(_keeper_of(postmaster), signal.SIGKILL)
        server.ensure_running()
        assert not _alive(postmaster)
        assert _execute(server, "select a from kept order by a") == [(1,), (2,)]


_DEAF_AT_FIRST = """
import signal, sys, time
if sys.argv[1] == "ignores":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
time.sleep(2)
signal.signal(signal.SIGINT, lambda *_: sys.exit(0))
time.sleep(600)
"""


@pytest.mark.parametrize("at_first", ["ignores", "inherits"])
def test_a_server_that_does_not_listen_yet_when_the_last_user_leaves_is_ended(at_first: str, tmp_path: Path) -> None:
    command = [sys.executable, "-I", "-S", keeper.__file__, str(tmp_path)]
    program = [sys.executable, "-c", _DEAF_AT_FIRST, at_first]  # as PostgreSQL is between its start and its handlers
    subprocess.run([*command, *program], timeout=PATIENCE, check=False)


def test_killing_the_postmaster_is_recovered_from(store: Path) -> None:
    with EmbeddedServer(store) as server:
        _execute(server, "insert into kept values (2)")
        postmaster = _postmaster(server)
        os.kill(postmaster, signal.SIGKILL)
        _await(lambda: not _alive(postmaster))
        server.ensure_running()
        assert _execute(server, "select a from kept order by a") == [(1,), (2,)]


def test_a_watched_server_comes_back_by_itself_and_stays_away_after_close(store: Path) -> None:
    with EmbeddedServer(store) as server:
        server.start_watching(0.05)
        for _ in range(2):
            postmaster = _postmaster(server)
            os.kill(postmaster, signal.SIGKILL)
            _await(lambda: server.ready() and _postmaster(server) != postmaster)  # noqa: B023
        postmaster = _postmaster(server)
    _await(lambda: not _alive(postmaster))
    time.sleep(0.3)
    assert not server.ready()


def test_a_closed_server_is_not_started_by_looking_after_it(store: Path) -> None:
    server = EmbeddedServer(store).open()
    postmaster = _postmaster(server)
    server.close()
    server.close()
    _await(lambda: not _alive(postmaster))
    server.ensure_running()
    assert not server.ready()


def test_lock_files_that_name_a_living_stranger_do_not_stop_a_start(store: Path) -> None:
    """After a restart of a container, the number of the dead server is anybody's."""
    server = EmbeddedServer(store)
    stranger = subprocess.Popen(["sleep", "600"])
    try:
        lines = [
            str(stranger.pid),
            str(server.data),
            "1700000000",
            "5432",
            str(server.socket_dir()),
            "",
            "0 0",
            "ready",
        ]
        (server.data / "postmaster.pid").write_text("\n".join(lines) + "\n")
        server.socket_dir().mkdir(exist_ok=True)
        (server.socket_dir() / ".s.PGSQL.5432.lock").write_text("\n".join(lines[:5]) + "\n")
        with server:
            assert _execute(server, "select a from kept") == [(1,)]
        assert _alive(stranger.pid)
    finally:
        stranger.kill()
        stranger.wait()


def test_a_postgresql_that_somebody_else_started_in_the_directory_is_left_alone(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("muniment.database.embedded._STOP_TIMEOUT", 0.3)
    owner = EmbeddedServer(store).open()
    copy = EmbeddedServer(store.with_name("other"))
    copy.store.mkdir()
    copy.data.symlink_to(owner.data)
    copy.data = owner.data
    try:
        with pytest.raises(MunimentError) as caught:
            copy.open()
        assert caught.value.code == "store.locked"
        assert _execute(owner, "select a from kept") == [(1,)]
    finally:
        owner.close()


def test_a_path_too_long_for_a_socket_works(initialised: Path, tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 100) / "store"
    deep.parent.mkdir()
    shutil.copytree(initialised, deep)
    with EmbeddedServer(deep) as server:
        assert len(os.fsencode(server.store / "run" / ".s.PGSQL.5432")) > 103
        assert len(os.fsencode(server.socket_dir() / ".s.PGSQL.5432")) <= 103
        assert server.socket_dir().stat().st_mode & 0o777 == 0o700
        assert _execute(server, "select a from kept") == [(1,)]


def test_a_socket_directory_of_somebody_else_is_refused(store: Path) -> None:
    server = EmbeddedServer(store)
    shutil.rmtree(server.socket_dir())
    server.socket_dir().mkdir(mode=0o777)
    server.socket_dir().chmod(0o777)
    with pytest.raises(MunimentError, match="belongs to somebody else"):
        server.open()


def test_a_path_with_spaces_and_other_letters_works(initialised: Path, tmp_path: Path) -> None:
    with EmbeddedServer(Path(shutil.copytree(initialised, tmp_path / "mémoire d'été %41"))) as server:
        assert _execute(server, "select a from kept") == [(1,)]


def test_a_directory_that_cannot_be_made_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(MunimentError, match="cannot use the data directory") as caught:
        EmbeddedServer(tmp_path / "file" / "store").open()
    assert caught.value.code == "store.start_failed"


@pytest.mark.parametrize("content", ["garbage\n", "17\n", ""])
def test_a_data_directory_of_another_version_is_refused(store: Path, content: str) -> None:
    (store / "postgres" / "PG_VERSION").write_text(content)
    with pytest.raises(MunimentError, match="not one of PostgreSQL 18") as caught:
        EmbeddedServer(store).open()
    assert caught.value.code == "store.start_failed"


def test_what_postgresql_said_when_it_would_not_start_is_in_the_error(store: Path) -> None:
    (store / "postgres" / "global" / "pg_control").unlink()
    server = EmbeddedServer(store)
    with pytest.raises(MunimentError, match="pg_control"):
        server.open()
    assert not server.ready()


def test_a_socket_that_cannot_be_made_is_a_clear_error(store: Path) -> None:
    server = EmbeddedServer(store)
    (server.socket_dir() / ".s.PGSQL.5432").mkdir(parents=True)
    with pytest.raises(MunimentError, match="could not create any Unix-domain sockets") as caught:
        server.open()
    assert caught.value.code == "store.start_failed"


def test_a_setting_that_postgresql_refuses_is_a_clear_error(store: Path) -> None:
    with pytest.raises(MunimentError, match="invalid value for parameter"):
        EmbeddedServer(store, {"shared_buffers": "plenty"}).open()


def _python_for_everybody() -> str:
    """An interpreter that also nobody may run; that of the environment may lie in root's home."""
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        program = (
            "import subprocess, sys; assert sys.version_info >= (3, 11); subprocess.check_call([sys.executable, '-V'])"
        )
        if (
            shutil.which(python)
            and subprocess.run([*AS_NOBODY, python, "-c", program], capture_output=True).returncode == 0
        ):
            return python
    pytest.skip("no Python here that a user other than root may run")


@as_root
def test_a_user_that_is_not_root_starts_a_server_of_its_own(opener: Callable[..., subprocess.Popen[str]]) -> None:
    place = Path("/tmp") / f"muniment-test-{os.getpid()}"
    place.mkdir(mode=0o700)
    try:
        os.chown(place, 65534, 65534)
        packages = os.pathsep.join(path for path in sys.path if path)
        process = opener(place / "store", *AS_NOBODY, python=_python_for_everybody(), PYTHONPATH=packages)
        postmaster = _postmaster_of(process)
        owner = subprocess.run(["ps", "-o", "uid=", "-p", str(postmaster)], check=True, capture_output=True, text=True)
        assert int(owner.stdout) == 65534
        process.communicate("")
        _await(lambda: not _alive(postmaster))
    finally:
        shutil.rmtree(place)


@as_root
def test_a_directory_that_may_not_be_written_is_a_clear_error(
    tmp_path: Path, opener: Callable[..., subprocess.Popen[str]]
) -> None:
    assert "store.start_failed: cannot use the data directory" in _refusal_of(opener(tmp_path / "store", *AS_NOBODY))


@as_root
def test_root_without_user_namespaces_still_starts_and_finds_the_same_data(
    store: Path, tmp_path: Path, opener: Callable[..., subprocess.Popen[str]]
) -> None:
    forbidden = tmp_path / "bin"
    forbidden.mkdir()
    (forbidden / "unshare").write_text("#!/bin/sh\necho 'unshare failed: Operation not permitted' >&2\nexit 1\n")
    (forbidden / "unshare").chmod(0o755)
    process = opener(store, PATH=f"{forbidden}:{os.environ['PATH']}")
    postmaster = _postmaster_of(process)
    assert (store / "postgres").stat().st_uid == 65534
    assert _execute(EmbeddedServer(store), "select a from kept") == [(1,)]
    process.kill()
    process.wait()
    _await(lambda: not _alive(postmaster))
    with EmbeddedServer(store) as server:  # and where namespaces are allowed again
        assert _execute(server, "select a from kept") == [(1,)]


@as_root
def test_root_who_may_neither_make_namespaces_nor_change_its_user_is_told_so(
    store: Path, tmp_path: Path, opener: Callable[..., subprocess.Popen[str]]
) -> None:
    (tmp_path / "empty").mkdir()
    assert "refuses to run as root" in _refusal_of(opener(store, PATH=str(tmp_path / "empty")))
