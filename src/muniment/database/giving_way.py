"""How work that nobody waits for to the last millisecond lets searches pass between its steps: writes, and jobs.

A search of a few hundredths of a second that shares its core with a write takes twice as long. So a write stops before
each statement, and between pieces of what it computes, while a search is under way. For how long it may be held up it
earns by working, and it stops no more once others wait for it: no write stands still for ever.
"""

import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Final, TypeVar

STRETCH: Final = 3.0
"""How many times as long as it works it may be held up."""

LONGEST: Final = 1.0
"""For how many seconds it may be held up at a time, however long it worked before."""

_LOOK_AGAIN: Final = 0.002  # seconds between two looks of a thread
_PIECE: Final = 8  # items, a few milliseconds of work

_Item = TypeVar("_Item")


class GivingWay:
    """Work under way that gives way, in the context of its task and of the threads that compute for it."""

    def __init__(
        self, busy: Callable[[], bool], until_calm: Callable[[float], Awaitable[object]], patience: float
    ) -> None:
        """``busy`` says whether somebody is to pass, ``until_calm`` waits until nobody is, for so many seconds at most.
        ``patience`` seconds are allowed from the start."""
        self._busy = busy
        self._until_calm = until_calm
        self._allowed = patience
        self._since = time.perf_counter()
        self._hurried = False
        self._loop_thread = threading.get_ident()

    def hurry(self) -> None:
        """Gives way no more: others wait for what it holds, or it has ended."""
        self._hurried = True

    async def step(self) -> None:
        """Lets searches pass before the next step."""
        if not self._hurried and self._busy() and self._earned() > 0:
            await self._until_calm(self._allowed)
            self._spent()

    def step_in_thread(self) -> None:
        """The same where a thread computes; does nothing on the event loop, which the searches need."""
        if threading.get_ident() == self._loop_thread:
            return
        while not self._hurried and self._busy() and self._earned() > 0:
            time.sleep(_LOOK_AGAIN)
            self._spent()

    def _earned(self) -> float:
        now = time.perf_counter()
        if self._allowed < LONGEST:
            self._allowed = min(LONGEST, self._allowed + STRETCH * (now - self._since))
        self._since = now
        return self._allowed

    def _spent(self) -> None:
        now = time.perf_counter()
        self._allowed -= now - self._since
        self._since = now


_current: ContextVar[GivingWay | None] = ContextVar("giving_way", default=None)


@contextmanager
def giving_way(work: GivingWay | None) -> Iterator[None]:
    """While the block runs, its steps are those of ``work``, or of nothing that gives way."""
    before = _current.set(work)
    try:
        yield
    finally:
        with suppress(ValueError):  # a generator that nobody ended is ended in another context
            _current.reset(before)
        if work is not None:
            work.hurry()  # a task that it left behind is not held up on its behalf


async def step() -> None:
    """A step of the work in whose context this is; does nothing where it gives nobody way."""
    work = _current.get()
    if work is not None:
        await work.step()


def hurry() -> None:
    """From here on the work gives way no more."""
    work = _current.get()
    if work is not None:
        work.hurry()


def in_steps(items: Iterable[_Item]) -> Iterator[_Item]:
    """The items, of which a thread takes a few at a time where searches are under way."""
    work = _current.get()
    for number, item in enumerate(items):
        if work is not None and number % _PIECE == 0:
            work.step_in_thread()
        yield item
