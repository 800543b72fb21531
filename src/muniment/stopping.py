"""Stopping in time: who is told to stop closes what is open, within so many seconds, and then ends in any case.

Nothing that is stored needs an orderly end: what was not committed never was, the lease of a job runs out, and the
embedded PostgreSQL and the processes that read sources end with the process that started them.
"""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from types import FrameType
from typing import Any, Final

CLOSING_SECONDS: Final = 5.0
"""To close connections and files, behind what is given to requests and jobs."""
_THREADS_SECONDS: Final = 1.0  # for threads that are still at work when all is closed: nobody waits for what they do
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class Stopping:
    """What is done about SIGINT and SIGTERM. The first calls ``ask`` on the event loop, which is to end what runs; the
    second ends the process at once, with 128 and the signal's number; ``seconds`` after the first it ends with 0."""

    def __init__(self, seconds: float) -> None:
        self.asked = False
        self.ask: Callable[[], object] = lambda: None
        self._seconds = seconds
        self._loop: asyncio.AbstractEventLoop | None = None

    def listen(self) -> None:
        """Takes the signals over from now on; called on the event loop, by the task that a stop cancels unless ``ask``
        says otherwise."""
        task = asyncio.current_task()
        assert task is not None
        self._loop, self.ask = asyncio.get_running_loop(), task.cancel
        for number in _SIGNALS:
            signal.signal(number, self._told)

    def end_in(self, seconds: float) -> None:
        """Ends the process after so many seconds, if it still runs then."""
        timer = threading.Timer(seconds, _end, [0, "not all had ended in time: it ends all the same\n"])
        timer.daemon = True
        timer.start()

    def _told(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            _end(128 + number)
        self.asked = True
        self.end_in(self._seconds)
        assert self._loop is not None
        with suppress(RuntimeError):  # the loop is closed: everything has ended
            self._loop.call_soon_threadsafe(lambda: self.ask())


def run_until_stopped(work: Callable[[Stopping], Coroutine[Any, Any, None]], seconds: float) -> None:
    """Runs ``work``, which is told to stop by signals and has then so many seconds; raises what it raises."""
    stopping = Stopping(seconds)

    async def main() -> None:
        stopping.listen()
        try:
            await work(stopping)
        except asyncio.CancelledError:
            if not stopping.asked:
                raise

    before = {number: signal.getsignal(number) for number in _SIGNALS}
    try:
        with asyncio.Runner() as runner:
            runner.run(main())
            if stopping.asked:
                stopping.end_in(_THREADS_SECONDS)
    finally:
        if not stopping.asked:
            for number, handler in before.items():
                signal.signal(number, handler)


def _end(code: int, last_words: str = "") -> None:
    with suppress(Exception):
        sys.stderr.write(last_words)
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)
