"""A question watched while it is answered: its stages, its evidence, and the answer as it is written, as events."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress

from muniment.model.events import (
    AnswerDeltaEvent,
    EvidenceEvent,
    QueryEvent,
    ResultEvent,
    RetractedEvent,
    StageEvent,
)
from muniment.model.result import QueryResult
from muniment.retrieval.result import hits
from muniment.retrieval.state import Search, StageRecord

_LAST_OF_EVIDENCE = ("budget", "ground")  # the former may be switched off


class Watcher:
    """Observes one search and hears what a model writes; puts both into a queue, and blocks nothing."""

    def __init__(self) -> None:
        self.events: asyncio.Queue[QueryEvent | None] = asyncio.Queue()
        self._shown = ""

    def observe(self, search: Search, stage: StageRecord) -> None:
        """A stage has ended. After the last that changes the evidence, the evidence follows."""
        self.events.put_nowait(StageEvent(name=stage.name, decision=stage.decision, duration_ms=stage.duration_ms))
        if stage.name == next((name for name in _LAST_OF_EVIDENCE if search.runs(name)), None):
            self.events.put_nowait(EvidenceEvent(hits=hits(search)))

    def written(self, text: str) -> None:
        """A piece more of the answer."""
        self._shown += text
        self.events.put_nowait(AnswerDeltaEvent(text=text))

    def withdrawn(self, because: str) -> None:
        """What was written no longer counts; told where something was shown."""
        if self._shown:
            self._shown = ""
            self.events.put_nowait(RetractedEvent(because=because))

    def finished(self, answer: str) -> None:
        """The answer is given: its last words, which were held back until they had passed, are told too."""
        if self._shown and answer.startswith(self._shown) and answer != self._shown:
            self.written(answer[len(self._shown) :])


async def watched(ask: Callable[[Watcher], Awaitable[QueryResult]]) -> AsyncGenerator[QueryEvent, None]:
    """The events of the question that ``ask`` asks, the result last; raises what it raises.

    The question is asked when the first event is awaited, and given up when the iterator is closed.
    """
    watcher = Watcher()

    async def run() -> QueryResult:
        try:
            result = await ask(watcher)
            watcher.finished(result.answer)
            return result
        finally:
            watcher.events.put_nowait(None)

    asking = asyncio.create_task(run())
    try:
        while (event := await watcher.events.get()) is not None:
            yield event
        yield ResultEvent(result=await asking)
    finally:
        asking.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await asking
