"""A child: reads one source under its limits, sends what it found, and ends."""

import ctypes
import resource
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from muniment.errors import MunimentError
from muniment.sources.isolation import wire
from muniment.sources.parsed import Part
from muniment.sources.registry import formats

_PARENT_DEATH: Final = 1  # PR_SET_PDEATHSIG
_CPU_GRACE: Final = 5  # seconds between the signal that ends the process and the one that nothing can hold up
_LARGEST: Final = 2**40
_Result = TypeVar("_Result")


def run_child(data: socket.socket, request: Mapping[str, Any]) -> None:
    """Serves one request; every way in which it ends is known to the other side.

    The limits of the system end the process where Python cannot be asked: by SIGXCPU for processor time, by SIGALRM
    for time by the clock, which counts only while it reads and not while it waits for its reader.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DEATH, signal.SIGKILL)
    _limit(request)
    with data:
        try:
            _serve(data, request)
        except MunimentError as error:
            wire.send(data, wire.ERROR, wire.error_as_json(error))
        except (BrokenPipeError, ConnectionResetError, wire.Broken):
            return  # whoever asked went away
        except MemoryError:
            wire.send(data, wire.ERROR, wire.error_as_json(_out_of_memory(request)))
        except RecursionError:
            deep = MunimentError("source.too_complex", "The source is nested too deep to be read.")
            wire.send(data, wire.ERROR, wire.error_as_json(deep))
        except Exception as error:
            wire.send(data, wire.ERROR, wire.error_as_json(_fault(error)))


def _limit(request: Mapping[str, Any]) -> None:
    memory, cpu = request["memory"], request["cpu_seconds"]
    memory += _own_memory()
    with suppress(ValueError, OSError):  # not every system can limit it
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + _CPU_GRACE))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # no file may grow: nothing is written
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _own_memory() -> int:
    """The bytes of address space that a child has before it reads anything."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return 0
    return pages * resource.getpagesize()


def _serve(data: socket.socket, request: Mapping[str, Any]) -> None:
    chosen = next(each for each in formats() if each.name == request["format"])
    _, sent = wire.receive_json(data)
    _, content = wire.receive(data, _LARGEST)
    clock = _Clock(request["seconds"])
    if request["work"] == "locate":
        assert chosen.locate is not None
        locate = chosen.locate
        wire.send(data, wire.TEXT, clock.run(lambda: locate(content, sent)))
        wire.send(data, wire.END, {})
        return
    if request["work"] == "show":
        assert chosen.show is not None
        show = chosen.show
        wire.send_part(data, clock.run(lambda: show(content, sent)))
        wire.send(data, wire.END, {})
        return
    origin = wire.origin_from_json(sent)
    if request["work"] == "unpack":
        assert chosen.unpack is not None
        _send_parts(data, clock, chosen.unpack(content, origin))
    else:
        parsed = clock.run(lambda: chosen.read(content, origin))
        wire.send_parsed(data, parsed)
        _send_parts(data, clock, parsed.parts)
    wire.send(data, wire.END, {})


def _send_parts(data: socket.socket, clock: "_Clock", parts: Iterable[Part]) -> None:
    """Sends parts one by one; while the other side takes its time, the clock stands still."""
    each = iter(parts)
    while (part := clock.run(lambda: next(each, None))) is not None:
        wire.send_part(data, part)


class _Clock:
    """The time that is left, in seconds. It runs only during ``run``; at its end the system ends the process."""

    def __init__(self, seconds: float) -> None:
        self._left = seconds

    def run(self, work: Callable[[], _Result]) -> _Result:
        signal.setitimer(signal.ITIMER_REAL, self._left)
        try:
            return work()
        finally:
            self._left = max(signal.setitimer(signal.ITIMER_REAL, 0)[0], 1e-3)


def _out_of_memory(request: Mapping[str, Any]) -> MunimentError:
    return MunimentError(
        "source.too_large_in_memory", f"Reading the source takes more than {request['memory']} bytes of memory.",
        limit=request["memory"], setting="MUNIMENT_PARSE_MEMORY",
    )  # fmt: skip


def _fault(error: Exception) -> MunimentError:
    """A reader's own mistake: by its kind and place, never by its message, which may quote the source."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    at = f"{last[0].filename.rsplit('/', 1)[-1]}:{last[0].lineno}" if last else None
    return MunimentError(
        "source.parser_crashed", f"The reader failed with {type(error).__name__}.", error=type(error).__name__, at=at
    )
