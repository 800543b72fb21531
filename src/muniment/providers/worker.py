"""One thread for the work of a model, in which a question overtakes a batch."""

import asyncio
import itertools
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

URGENT = 0
BULK = 1
BACKGROUND = 2
_LAST = 3

T = TypeVar("T")
_Item = tuple[int, int, "Future[Any] | None", "Callable[[], Any] | None"]


class PriorityWorker:
    """Runs functions one at a time in a thread of its own: by priority, and in the order given where it is equal.

    Work that takes long must come in slices, since nothing that runs is interrupted: an urgent call waits for at
    most one slice. The thread starts with the first call.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._items: queue.PriorityQueue[_Item] = queue.PriorityQueue()
        self._order = itertools.count()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False

    async def run(self, function: Callable[[], T], *, priority: int = BULK) -> T:
        """The function's result, or what it raises. A call that is cancelled while it waits never runs."""
        future: Future[T] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError(f"{self._name} is closed")
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._thread.start()
            self._items.put((priority, next(self._order), future, function))
        return await asyncio.wrap_future(future)

    async def close(self) -> None:
        """Ends the thread after the work already given; may be called twice."""
        with self._lock:
            thread, self._thread = self._thread, None
            self._closed = True
            if thread is not None:
                self._items.put((_LAST, next(self._order), None, None))
        if thread is not None:
            await asyncio.to_thread(thread.join)

    def _work(self) -> None:
        while True:
            _, _, future, function = self._items.get()
            if future is None or function is None:
                return
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(function())
            except BaseException as error:
                future.set_exception(error)
            del future, function  # results must not live on while the thread waits for more
