"""An event loop in a thread of its own, for callers without one."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from muniment.errors import MunimentError

T = TypeVar("T")


class BackgroundLoop:
    """Runs coroutines for threads that wait for them; any number of threads at once."""

    def __init__(self, name: str) -> None:
        """Starts the thread. It is a daemon: a program that forgets to stop it ends all the same."""
        self._loop = asyncio.new_event_loop()
        self._guard = threading.Lock()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def call(self, work: Coroutine[Any, Any, T], timeout: float | None = None) -> T:
        """The coroutine's result, or what it raises; an interrupt of the caller cancels it.

        ``timeout`` in seconds raises TimeoutError. Raises ``memory.closed`` after ``stop``.
        """
        with self._guard:
            if self._stopped:
                work.close()
                raise MunimentError("memory.closed", "this memory has been closed; open it anew")
            if threading.current_thread() is self._thread:
                work.close()
                raise RuntimeError("the plain form cannot be used from its own event loop; use AsyncMuniment there")
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(timeout)
        except BaseException:
            future.cancel()
            raise

    def stop(self, timeout: float | None = None) -> None:
        """Ends the loop and its thread, and what still runs in it; may be called twice."""
        with self._guard:
            if self._stopped:
                return
            self._stopped = True
            self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            left = asyncio.all_tasks(self._loop)
            for task in left:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
        finally:
            asyncio.set_event_loop(None)
            self._loop.close()
