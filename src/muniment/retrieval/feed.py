"""The live feed: query runs of this process, told to whoever listens while they go."""

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from muniment.errors import MunimentError
from muniment.model.identifiers import QUERY, public_id
from muniment.model.query_runs import RunEvent
from muniment.retrieval.result import answerability_share
from muniment.retrieval.state import Observer, Search, StageRecord

MOST_WAITING: Final = 256
"""How many events wait for a listener; what comes while they are not read is lost, and the listener is told."""
MOST_LISTENERS: Final = 64
"""How many may listen to one tenant's runs at a time."""


class Listening:
    """One listener's events, in order. Not to be shared between tasks."""

    def __init__(self, query_id: str | None = None, past: list[RunEvent] | None = None) -> None:
        """Only of the run ``query_id`` where it is given, of which ``past`` has happened already."""
        self.query_id = query_id
        self.ended = False
        self._waiting: deque[RunEvent] = deque(past or ())
        self._lost = 0
        self._arrived = asyncio.Event()

    def tell(self, event: RunEvent) -> None:
        """Puts an event behind the others; never blocks. A listener that lags behind loses it."""
        if self.query_id not in (None, event.id):
            return
        if self._lost or len(self._waiting) >= MOST_WAITING:
            self._lost += 1
        else:
            self._waiting.append(event)
        self._arrived.set()

    def end(self) -> None:
        """No more will come: whoever waits is woken."""
        self.ended = True
        self._arrived.set()

    async def next(self, seconds: float) -> RunEvent | None:
        """The next event, or None where none came for so long. A gap is told where it lies."""
        if not self._waiting and not self._lost and not self.ended:
            self._arrived.clear()
            try:
                async with asyncio.timeout(seconds):
                    await self._arrived.wait()
            except TimeoutError:
                return None
        if self._waiting:
            return self._waiting.popleft()
        lost, self._lost = self._lost, 0
        return RunEvent(type="gap", lost=lost) if lost else None


class RunFeed:
    """What the query runs of one process do, by tenant. All calls are made on one event loop, and none blocks."""

    def __init__(self) -> None:
        self._listening: dict[int, set[Listening]] = {}
        self._running: dict[tuple[int, str], list[RunEvent]] = {}

    @contextmanager
    def listen(self, tenant: int) -> Iterator[Listening]:
        """All that happens in the tenant's runs from now on; raises ``feed.full``."""
        with self._among(tenant, Listening()) as listening:
            yield listening

    def close(self) -> None:
        """Ends all listening, so that a server that stops need not wait for it."""
        for others in self._listening.values():
            for listening in others:
                listening.end()

    def runs(self, tenant: int, query_id: str) -> bool:
        """Whether this run is under way in this process."""
        return (tenant, query_id) in self._running

    @contextmanager
    def follow(self, tenant: int, query_id: str) -> Iterator[Listening | None]:
        """What has happened in a run and what will; None where it does not run in this process."""
        past = self._running.get((tenant, query_id))
        if past is None:
            yield None
            return
        with self._among(tenant, Listening(query_id, past)) as listening:
            yield listening

    @contextmanager
    def _among(self, tenant: int, listening: Listening) -> Iterator[Listening]:
        others = self._listening.setdefault(tenant, set())
        if len(others) >= MOST_LISTENERS:
            raise MunimentError("feed.full", f"{MOST_LISTENERS} listen already", limit=MOST_LISTENERS)
        others.add(listening)
        try:
            yield listening
        finally:
            others.discard(listening)
            if not others:
                self._listening.pop(tenant, None)

    def observing(self, observer: Observer | None) -> Observer:
        """An observer that tells each stage to the feed, and then to ``observer``."""

        def observe(search: Search, stage: StageRecord) -> None:
            self._stage(search, stage)
            if observer is not None:
                observer(search, stage)

        return observe

    @contextmanager
    def running(self, search: Search) -> Iterator[None]:
        """A run from its beginning to its end: a result, or what the block raises."""
        identifier = _id(search)
        self._running[search.tenant, identifier] = []
        self._tell(search, RunEvent(type="started", id=identifier, mode=search.mode, question=search.question))
        try:
            yield
            last = RunEvent(
                type="finished",
                id=identifier,
                duration_ms=search.elapsed_ms(),
                hits=len(search.evidence),
                abstain=search.abstain,
                score=answerability_share(search),
            )
        except BaseException as error:  # also where the caller has gone
            code = error.code if isinstance(error, MunimentError) else "internal"
            last = RunEvent(type="failed", id=identifier, error=code, duration_ms=search.elapsed_ms())
            raise
        finally:
            self._tell(search, last)
            del self._running[search.tenant, identifier]

    def _stage(self, search: Search, stage: StageRecord) -> None:
        self._tell(
            search,
            RunEvent(
                type="stage",
                id=_id(search),
                number=len(search.trace),
                name=stage.name,
                decision=stage.decision,
                duration_ms=stage.duration_ms,
            ),
        )

    def _tell(self, search: Search, event: RunEvent) -> None:
        past = self._running.get((search.tenant, _id(search)))
        if past is not None:
            past.append(event)
        for listening in self._listening.get(search.tenant, ()):
            listening.tell(event)


def _id(search: Search) -> str:
    return public_id(QUERY, search.query_id)
