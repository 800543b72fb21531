"""Having a source read by a child: what a process does to get a child, and how its end becomes an error."""

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from typing import Any, Final

from muniment.errors import MunimentError
from muniment.settings import Settings
from muniment.sources.format import Format
from muniment.sources.isolation import wire
from muniment.sources.parsed import Origin, Parsed, Part

REQUEST_BYTES: Final = 1024  # of a request for a child, filled up with spaces
_START: Final = (
    "import json, socket, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from muniment.sources.isolation.fork_server import main; main(socket.socket(fileno=int(sys.argv[2])))"
)
# Libraries that would start threads as they are imported: a fork of a process with threads may never get on.
_ENVIRONMENT: Final = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_THREAD_LIMIT": "1"}
_PATIENCE: Final = 30.0  # seconds for what a child does outside of its own clock: to start, to take and to send data
_STOP: Final = 5.0


def read_isolated(chosen: Format, data: bytes, origin: Origin) -> Parsed:
    """What ``chosen.read`` gives, from a child. Blocks: call it in a thread.

    Raises what the reader raises, and ``source.too_slow``, ``source.too_large_in_memory``, ``source.parser_crashed``;
    ``input.too_large`` where the parts together have more than ``max_expanded_bytes``.
    """
    parsed: Parsed | None = None
    limit = origin.settings.max_expanded_bytes
    with closing(_answers(chosen, data, "read", origin.settings, wire.origin_as_json(origin))) as answers:
        for kind, sent in answers:
            if kind == wire.PARSED:
                parsed = wire.parsed_from_json(sent)
            elif parsed is not None and kind == wire.CHUNKS:
                parsed.chunks.extend(wire.chunks_from_json(sent))
            elif parsed is not None and kind == wire.PART:
                limit -= len(sent.data)
                if limit < 0:
                    raise too_much_inside(origin)
                parsed.parts.append(sent)
    if parsed is None:
        raise _crashed(None)
    return parsed


def unpack_isolated(chosen: Format, data: bytes, origin: Origin) -> Iterator[Part]:
    """What ``chosen.unpack`` gives, one by one as they are asked for, from a child that waits meanwhile.

    Close it (``contextlib.closing``) where not all are taken. Raises as ``read_isolated``.
    """
    left = origin.settings.max_expanded_bytes
    with closing(_answers(chosen, data, "unpack", origin.settings, wire.origin_as_json(origin))) as answers:
        for kind, sent in answers:
            if kind == wire.PART:
                left -= len(sent.data)
                if left < 0:
                    raise too_much_inside(origin)
                yield sent


def locate_isolated(chosen: Format, data: bytes, locator: Mapping[str, Any], settings: Settings) -> str:
    """What ``chosen.locate`` gives, from a child. Blocks; raises as ``read_isolated``."""
    with closing(_answers(chosen, data, "locate", settings, dict(locator))) as answers:
        for kind, sent in answers:
            if kind == wire.TEXT and isinstance(sent, str):
                return sent
    raise _crashed(None)


def show_isolated(chosen: Format, data: bytes, settings: Settings) -> Part:
    """What ``chosen.show`` gives under the settings' limits, from a child. Blocks; raises as ``read_isolated``."""
    limits = {"longest_side": settings.vision_longest_side, "max_image_pixels": settings.max_image_pixels}
    with closing(_answers(chosen, data, "show", settings, limits)) as answers:
        for kind, sent in answers:
            if kind == wire.PART and isinstance(sent, Part):
                return sent
    raise _crashed(None)


def too_much_inside(origin: Origin) -> MunimentError:
    """The error of a source in which there is more than may be unpacked."""
    limit = origin.settings.max_expanded_bytes
    return MunimentError(
        "input.too_large", f"Unpacked, the source has more than {limit} bytes.", limit=limit,
        setting="MUNIMENT_MAX_EXPANDED_BYTES",
    )  # fmt: skip


def _answers(
    chosen: Format, data: bytes, work: str, settings: Settings, asked: Mapping[str, Any]
) -> Generator[tuple[bytes, Any], None, None]:
    request = {
        "format": chosen.name, "work": work, "memory": settings.parse_memory,
        "cpu_seconds": settings.parse_cpu_seconds, "seconds": settings.parse_seconds,
    }  # fmt: skip
    with _SERVER.child(request) as (channel, status):
        channel.settimeout(settings.parse_seconds + _PATIENCE)
        try:
            wire.send(channel, wire.REQUEST, asked)
            wire.send(channel, wire.DATA, data)
        except (BrokenPipeError, ConnectionResetError):
            raise _ended(status, settings) from None
        except TimeoutError:
            raise _too_slow(settings) from None
        while True:
            try:
                kind, sent = wire.receive_json(channel)
                if kind == wire.PART:
                    sent = wire.part_from_json(sent, wire.receive(channel, settings.max_expanded_bytes)[1])
                elif kind == wire.ERROR:
                    raise wire.error_from_json(sent)
            except (wire.Broken, ConnectionResetError):
                raise _ended(status, settings) from None
            except TimeoutError:
                raise _too_slow(settings) from None
            if kind == wire.END:
                return
            yield kind, sent


def _ended(status: int, settings: Settings) -> MunimentError:
    """Why a child ended before it had said all."""
    ready, _, _ = select.select([status], [], [], _PATIENCE)
    told = os.read(status, 64) if ready else b""
    code = json.loads(told) if told else None
    if code in (-signal.SIGALRM, -signal.SIGXCPU):
        return _too_slow(settings, cpu=code == -signal.SIGXCPU)
    if code == -signal.SIGKILL:  # nobody else sends it but a system that is out of memory
        return MunimentError("source.too_large_in_memory", "The system ended the process that read the source.")
    return _crashed(code)


def _too_slow(settings: Settings, *, cpu: bool = False) -> MunimentError:
    name = "parse_cpu_seconds" if cpu else "parse_seconds"
    limit = getattr(settings, name)
    what = "of processor time" if cpu else "by the clock"
    return MunimentError(
        "source.too_slow", f"Reading the source takes more than {limit} seconds {what}.", limit=limit,
        setting=f"MUNIMENT_{name.upper()}",
    )  # fmt: skip


def _crashed(code: int | None) -> MunimentError:
    name = signal.Signals(-code).name if code is not None and -code in list(signal.Signals) else None
    return MunimentError("source.parser_crashed", "The process that read the source ended by itself.", signal=name)


class _ForkServer:
    """The fork server of this process, started when it is first needed and again when it has gone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._owner = 0

    @contextmanager
    def child(self, request: dict[str, Any]) -> Iterator[tuple[socket.socket, int]]:
        """A child that was forked for the request: the socket to it, and a pipe that tells how it ended."""
        ours, theirs = socket.socketpair()
        told, tells = os.pipe()
        try:
            with theirs:
                try:
                    self._send(json.dumps(request).encode().ljust(REQUEST_BYTES), [theirs.fileno(), tells])
                finally:
                    os.close(tells)
            yield ours, told
        finally:
            ours.close()
            os.close(told)

    def _send(self, message: bytes, descriptors: list[int]) -> None:
        with self._lock:
            for last in (False, True):
                try:
                    socket.send_fds(self._running(), [message], descriptors)
                    return
                except OSError:
                    self._stop()
                    if last:
                        raise MunimentError(
                            "source.parser_crashed", "The process that has sources read cannot be started."
                        ) from None

    def _running(self) -> socket.socket:
        if self._control is not None and self._owner == os.getpid():
            return self._control
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-X", "utf8", "-c", _START, json.dumps(sys.path), str(theirs.fileno())],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[theirs.fileno()], env=_ENVIRONMENT,
                close_fds=True,
            )  # fmt: skip
        self._control, self._owner = ours, os.getpid()
        return ours

    def _stop(self) -> None:
        control, process = self._control, self._process
        self._control = self._process = None
        if control is not None:
            control.close()
        if process is not None and self._owner == os.getpid():
            with suppress(subprocess.TimeoutExpired):
                process.wait(_STOP)
                return
            process.kill()
            process.wait()

    def stop(self) -> None:
        """Ends the server and with it every child; the next request starts another."""
        with self._lock:
            self._stop()


_SERVER: Final = _ForkServer()
stop_fork_server = _SERVER.stop
atexit.register(stop_fork_server)
