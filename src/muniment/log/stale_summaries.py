"""What each commit leaves to be done for summaries: one job that reads on in the log."""

from typing import Final

from muniment.database.pool import Scope
from muniment.queue import enqueue

KIND: Final = "summarize"
"""The job that compiles what the log made stale."""


async def enqueue_summaries(scope: Scope) -> None:
    """Enqueues it, once while it waits, where summaries are on. Under the head lock, or where none is taken after."""
    settings = scope.settings
    if settings is not None and settings.summaries != "off":
        await enqueue(scope, KIND, {}, dedup=KIND, priority=-2, delay=settings.summaries_delay)
