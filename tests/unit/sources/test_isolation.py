"""A reader in a child: what it finds comes back as data, and whatever it does ends as an error of its own source."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources import Parsed, read_source, registry
from muniment.sources.isolation import locate_isolated, unpack_isolated
from muniment.sources.isolation.client import stop_fork_server
from muniment.sources.parsed import Origin

_MODULE = """
import ctypes, os, signal, socket, time
from datetime import UTC, datetime
from muniment.errors import MunimentError
from muniment.sources.format import Format
from muniment.sources.parsed import Chunk, Parsed, Part

AT = datetime(2026, 1, 2, tzinfo=UTC)

def answer(origin, text, parts=()):
    chunk = Chunk(text, origin.place() | {"chunk": 0, "lines": (1, 2)}, {"title": "T"}, "Noor", "user", AT, {"n": 1})
    return Parsed("data", origin.media_type, "T", "german", [chunk], notes=["n"], at=AT, parts=list(parts))

def reached(port):
    with socket.socket() as there:
        return there.connect_ex(("127.0.0.1", port)) == 0

def write():
    with open("/tmp/muniment-test-written", "wb") as file:
        file.write(b"x")
        file.flush()

ACTS = {
    b"abort": os.abort,
    b"segfault": lambda: ctypes.string_at(0),
    b"exit": lambda: os._exit(7),
    b"spin": lambda: any(iter(int, 1)),
    b"sleep": lambda: time.sleep(60),
    b"memory": lambda: bytearray(600 * 1024**2),
    b"killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    b"recursion": lambda: (lambda again: again(again))(lambda again: again(again)),
    b"value": lambda: int("a secret word"),
    b"write": write,
}

def read(data, origin):
    if data == b"environment":
        return answer(origin, repr(sorted(os.environ)))
    if data == b"settings":
        return answer(origin, repr([origin.settings.chunk_characters, origin.settings.api_key, origin.settings.host]))
    if data == b"parts":
        return answer(origin, "x", [Part("a/b", "b", None, b"\\0" * 10, AT), Part("c", None, "text/plain", b"c" * 5)])
    if data.startswith(b"connect "):
        return answer(origin, str(reached(int(data.split()[1]))))
    if data == b"damaged":
        raise MunimentError("source.damaged", "It is.", page=3)
    if data == b"nul":
        return answer(origin, "a\\0b")
    if data == b"lone":
        return answer(origin, "a\\ud800b")
    if data in ACTS:
        ACTS[data]()
    return answer(origin, f"{len(data)} bytes")

def unpack(data, origin):
    for number in range(int(data)):
        yield Part(str(number), None, None, b"x" * 1000)
        if number == 3:
            time.sleep(0.2)

def locate(data, locator):
    if data in ACTS:
        ACTS[data]()
    return data.decode()[locator["at"]:]

FORMAT = Format("acts", ("application/x-acts",), (".acts",), read, locate, isolated=True, unpack=unpack)
"""


def _can_leave_the_network() -> bool:
    code = "import ctypes, sys; sys.exit(ctypes.CDLL(None).unshare(0x50000000) != 0)"
    return subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.fixture(scope="module", autouse=True)
def acts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A format of another distribution that does what its bytes say."""
    place = tmp_path_factory.mktemp("distribution")
    (place / "isolated_acts.py").write_text(_MODULE)
    (place / "isolated_acts-1.dist-info").mkdir()
    (place / "isolated_acts-1.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: isolated-acts\nVersion: 1\n"
    )
    (place / "isolated_acts-1.dist-info" / "entry_points.txt").write_text(
        f"[{registry.ENTRY_POINT_GROUP}]\nacts = isolated_acts:FORMAT\n"
    )
    sys.path.insert(0, str(place))
    registry.formats.cache_clear()
    stop_fork_server()
    yield
    stop_fork_server()
    sys.path.remove(str(place))
    sys.modules.pop("isolated_acts", None)
    registry.formats.cache_clear()


def read(data: bytes, **settings: Any) -> Parsed:
    return read_source(
        data, kind="file", filename="a.acts", media_type=None, source_key="k", settings=Settings(**settings)
    )


def refusal(data: bytes, **settings: Any) -> MunimentError:
    with pytest.raises(MunimentError) as caught:
        read(data, **settings)
    assert read(b"fine").chunks[0].text == "4 bytes"  # the next source is none the worse
    return caught.value


def test_what_is_read_comes_back_whole() -> None:
    parsed = read(b"x" * 3_000_000)
    (chunk,) = parsed.chunks
    assert chunk.text == "3000000 bytes" and chunk.locator["lines"] == [1, 2] and chunk.metadata == {"n": 1}
    assert (chunk.speaker, chunk.role, chunk.at) == ("Noor", "user", datetime(2026, 1, 2, tzinfo=UTC))
    assert (parsed.modality, parsed.title, parsed.language, parsed.notes) == ("data", "T", "german", ["n"])
    assert parsed.at == chunk.at and chunk.fields == {"title": "T"}


def test_parts_come_with_their_bytes() -> None:
    first, second = read(b"parts").parts
    assert (first.key, first.filename, first.data, first.at) == (
        "a/b",
        "b",
        bytes(10),
        datetime(2026, 1, 2, tzinfo=UTC),
    )
    assert (second.key, second.media_type, second.data) == ("c", "text/plain", b"ccccc")


@pytest.mark.parametrize(
    ("act", "code", "facts"),
    [
        (b"abort", "source.parser_crashed", {"signal": "SIGABRT"}),
        (b"segfault", "source.parser_crashed", {"signal": "SIGSEGV"}),
        (b"exit", "source.parser_crashed", {"signal": None}),
        (b"killed", "source.too_large_in_memory", {}),
        (b"memory", "source.too_large_in_memory", {"limit": 256 * 1024**2, "setting": "MUNIMENT_PARSE_MEMORY"}),
        (b"recursion", "source.too_complex", {}),
        (b"damaged", "source.damaged", {"page": 3}),
        (b"nul", "input.nul_byte", {"chunk": 0, "character": 1}),
        (b"lone", "input.encoding_invalid", {"chunk": 0, "character": 1}),
        (b"write", "source.parser_crashed", {"error": "OSError"}),
    ],
)
def test_whatever_a_reader_does_is_an_error_of_its_source(act: bytes, code: str, facts: dict[str, Any]) -> None:
    error = refusal(act, parse_memory=256 * 1024**2)
    assert error.code == code
    assert facts.items() <= error.facts.items()


def test_a_reader_that_takes_too_long_is_ended_by_either_clock() -> None:
    spun = refusal(b"spin", parse_cpu_seconds=1)
    assert (spun.code, spun.facts["setting"]) == ("source.too_slow", "MUNIMENT_PARSE_CPU_SECONDS")
    slept = refusal(b"sleep", parse_seconds=0.3)
    assert (slept.code, slept.facts["setting"]) == ("source.too_slow", "MUNIMENT_PARSE_SECONDS")


def test_a_readers_own_mistake_is_told_without_what_it_read() -> None:
    error = refusal(b"value")
    assert (error.code, error.facts["error"]) == ("source.parser_crashed", "ValueError")
    assert "secret" not in repr((error.detail, error.facts))


def test_a_reader_has_no_environment_and_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUNIMENT_API_KEY", "secret")
    assert "MUNIMENT" not in read(b"environment").chunks[0].text
    shown = read(b"settings", chunk_characters=777, api_key="secret", host="10.0.0.1").chunks[0].text
    assert shown == "[777, None, '127.0.0.1']"


@pytest.mark.skipif(not _can_leave_the_network(), reason="the system lets nobody leave its network")
def test_a_reader_has_no_network() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        assert read(f"connect {port}".encode()).chunks[0].text == "False"


def test_parts_are_given_one_by_one_and_only_while_they_are_asked_for() -> None:
    chosen = registry.find_format(None, "a.acts")
    assert chosen is not None
    origin = Origin("file", "k", "a.acts", "application/x-acts", None, "english", Settings(parse_seconds=0.5))
    parts = unpack_isolated(chosen, b"10", origin)
    assert next(parts).key == "0"
    time.sleep(0.6)  # what its asker takes is no time of the reader
    assert [part.key for part in parts] == [str(number) for number in range(1, 10)]
    endless = unpack_isolated(chosen, b"1000000000", origin)
    next(endless)
    endless.close()  # type: ignore[attr-defined]
    assert until(lambda: not children_of(fork_server()))


def test_what_a_locator_points_at_is_read_in_a_child_too() -> None:
    chosen = registry.find_format(None, "a.acts")
    assert chosen is not None
    assert locate_isolated(chosen, b"word by word", {"at": 5}, Settings()) == "by word"
    with pytest.raises(MunimentError) as caught:
        locate_isolated(chosen, b"abort", {"at": 0}, Settings())
    assert caught.value.code == "source.parser_crashed"


def test_what_is_unpacked_is_bounded() -> None:
    chosen = registry.find_format(None, "a.acts")
    assert chosen is not None
    origin = Origin("file", "k", None, "application/x-acts", None, "english", Settings(max_expanded_bytes=10_000))
    with pytest.raises(MunimentError) as caught:
        list(unpack_isolated(chosen, b"1000000000", origin))
    assert (caught.value.code, caught.value.facts["setting"]) == ("input.too_large", "MUNIMENT_MAX_EXPANDED_BYTES")


def test_a_fork_server_that_was_killed_is_started_again() -> None:
    read(b"fine")
    os.kill(fork_server(), 9)
    assert until(lambda: read_or_none(b"fine") is not None)


def read_or_none(data: bytes) -> Parsed | None:
    try:
        return read(data)
    except MunimentError:
        return None


def test_no_process_outlives_the_one_that_had_it_read(tmp_path: Path) -> None:
    code = (
        "import os, sys, threading, time\n"
        "from muniment.settings import Settings\n"
        "from muniment.sources import read_source\n"
        "def read(data):\n"
        "    read_source(data, kind='file', filename='a.acts', media_type=None, source_key='k', settings=Settings())\n"
        "read(b'fine')\n"
        "threading.Thread(target=read, args=(b'sleep',), daemon=True).start()\n"
        "print('ready', flush=True)\n"
        "time.sleep(60)\n"
    )
    environment = {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None and process.stdout.readline() == b"ready\n"
        assert until(lambda: any(children_of(server) for server in children_of(process.pid)))
        (server,) = children_of(process.pid)
        family = [server, *children_of(server)]
        process.kill()
    assert until(lambda: not any(alive(each) for each in family))


def fork_server() -> int:
    (server,) = [child for child in children_of(os.getpid()) if b"fork_server" in command(child)]
    return server


def children_of(process: int) -> list[int]:
    try:
        tasks = list(Path(f"/proc/{process}/task").iterdir())
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except FileNotFoundError:
        return []


def command(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except FileNotFoundError:
        return b""


def alive(process: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except FileNotFoundError:
        return False


def until(holds: Callable[[], bool]) -> bool:
    """Whether it comes to hold within a time that no working machine needs."""
    return any(holds() or time.sleep(0.05) for _ in range(400))


def test_the_request_fits_its_frame() -> None:
    from muniment.sources.isolation.client import REQUEST_BYTES

    longest = {"format": "x" * 200, "work": "locate", "memory": 2**60, "cpu_seconds": 86_400, "seconds": 86_400.0}
    assert len(json.dumps(longest)) < REQUEST_BYTES
