"""The process that forks a child for each source that is read in isolation.

It is started by ``client``, single-threaded and without environment, holds no data, and imports readers once, so that
a child costs a fork. It leaves the network where the system lets it, and ends when its socket closes, that is when the
process that started it ends in whatever way; its children end with it.
"""

import ctypes
import json
import os
import select
import signal
import socket
import sys
from contextlib import suppress
from typing import Any, Final

from muniment.sources.format import preload
from muniment.sources.isolation.child import run_child
from muniment.sources.isolation.client import REQUEST_BYTES
from muniment.sources.registry import formats

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_NICENESS: Final = 10  # searches go first


def main(control: socket.socket) -> None:
    """Forks a child for each request until the other side closes its end."""
    _leave_the_network()
    os.nice(_NICENESS)
    waker, wake = os.pipe()
    os.set_blocking(waker, False)
    os.set_blocking(wake, False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal's group; the end of our parent is what counts
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    children: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([control.fileno(), waker], [], [])
        if waker in ready:
            with suppress(BlockingIOError):
                os.read(waker, REQUEST_BYTES)
            _reap(children)
        if control.fileno() in ready:
            message, descriptors, _, _ = socket.recv_fds(control, REQUEST_BYTES, 2)
            while message and len(message) < REQUEST_BYTES and (more := control.recv(REQUEST_BYTES - len(message))):
                message += more
            if len(message) < REQUEST_BYTES:
                break
            _fork(json.loads(message), descriptors, control, children)
    for child in children:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


def _fork(request: dict[str, Any], descriptors: list[int], control: socket.socket, children: dict[int, int]) -> None:
    data, status = descriptors
    _import(request["format"])
    child = os.fork()
    if child:
        os.close(data)
        children[child] = status
        return
    try:  # nothing of the child may ever return into the loop above
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        control.close()
        for other in (status, *children.values()):
            os.close(other)
        run_child(socket.socket(fileno=data), request)
    finally:
        os._exit(0)


def _import(name: str) -> None:
    """Imports what reads the format here, once, so that each child has it already."""
    for each in formats():
        if each.name == name:
            with suppress(Exception):  # the child fails by it again, and says so
                preload(each)


def _reap(children: dict[int, int]) -> None:
    """Tells of each child that ended how it ended, to whoever still wants to know."""
    for child, status in list(children.items()):
        ended, how = os.waitpid(child, os.WNOHANG)
        if ended:
            del children[child]
            with suppress(OSError):
                os.write(status, json.dumps(os.waitstatus_to_exitcode(how)).encode())
            os.close(status)


def _leave_the_network() -> None:
    """Moves into a network of its own, which has nothing in it. Containers often forbid that: then it stays."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).unshare(_NEW_USER | _NEW_NETWORK)
