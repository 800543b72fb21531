"""The memory interface in its plain form: the same methods, which wait."""

from __future__ import annotations

import atexit
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from muniment.memory.background import BackgroundLoop
from muniment.memory.opening import AsyncMuniment
from muniment.memory.plain.accounting import PlainAccounting
from muniment.memory.plain.asking import PlainAsking
from muniment.memory.plain.credentials import PlainCredentials
from muniment.memory.plain.derived import PlainDerived
from muniment.memory.plain.evidence import PlainEvidence
from muniment.memory.plain.integrity import PlainIntegrity
from muniment.memory.plain.jobs import PlainJobs
from muniment.memory.plain.lifecycle import PlainLifecycle
from muniment.memory.plain.members import PlainMembers
from muniment.memory.plain.policies import PlainPolicies
from muniment.memory.plain.query_runs import PlainQueryRuns
from muniment.memory.plain.sql_logins import PlainSqlLogins
from muniment.memory.plain.tenants import PlainTenants
from muniment.memory.plain.writing import PlainWriting
from muniment.model.namespace import Namespace
from muniment.settings import Settings

_CLOSE_AT_EXIT = 30.0  # seconds, after which the end of the program no longer waits


class Muniment(
    PlainWriting, PlainAsking, PlainQueryRuns, PlainEvidence, PlainLifecycle, PlainDerived, PlainJobs, PlainPolicies,
    PlainIntegrity, PlainAccounting, PlainCredentials, PlainMembers, PlainSqlLogins, PlainTenants,
):  # fmt: skip
    """The memory of one namespace, as ``AsyncMuniment``, whose methods say what each does and raises.

    May be used from several threads at once, and where an event loop runs (it blocks that). Close it, or use it as
    a context manager; what a program leaves open is closed at its end.
    """

    def __init__(self, make: Callable[[], AsyncMuniment]) -> None:
        """For ``open`` and ``connect``. ``make`` gives the asyncio form; it is called on the event loop's thread."""
        self._loop = BackgroundLoop("muniment")
        self._closing = threading.Lock()
        try:
            self._memory: AsyncMuniment = self._loop.call(_started(make))
        except BaseException:
            self._loop.stop()
            raise
        _opened.add(self)

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        *,
        namespace: Namespace | None = None,
        settings: Settings | None = None,
        tenant: str | None = None,
    ) -> Self:
        """Opens the store at ``path``, made where there is none; see ``AsyncMuniment.open``."""
        return cls(lambda: AsyncMuniment.open(path, namespace=namespace, settings=settings, tenant=tenant))

    @classmethod
    def connect(cls, url: str, *, api_key: str, namespace: Namespace | None = None, timeout: float = 600.0) -> Self:
        """The memory behind a server's REST API; see ``AsyncMuniment.connect``."""
        return cls(lambda: AsyncMuniment.connect(url, api_key=api_key, namespace=namespace, timeout=timeout))

    @property
    def namespace(self) -> Namespace:
        """The namespace named at the opening."""
        return self._memory.namespace

    def close(self) -> None:
        """Lets go of everything; may be called twice. A local store first works off short jobs for some seconds."""
        self._close(None)

    def _close(self, timeout: float | None) -> None:
        with self._closing:
            if self not in _opened:
                return
            _opened.discard(self)
            try:
                self._loop.call(self._memory.close(), timeout)
            finally:
                self._loop.stop(timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


async def _started(make: Callable[[], AsyncMuniment]) -> AsyncMuniment:
    memory = make()
    await memory.start()
    return memory


_opened: weakref.WeakSet[Muniment] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for memory in list(_opened):
        # threads can no longer be started now, so that something may be left to the operating system
        with suppress(Exception):
            memory._close(_CLOSE_AT_EXIT)
