"""New records from which facts are to be extracted: noted as pending, with the jobs that will do it."""

from collections.abc import Sequence
from typing import Final

from muniment.database.pool import Scope
from muniment.log.facts import Method
from muniment.queue import enqueue
from muniment.settings import Settings

KINDS: Final[dict[Method, str]] = {"rules": "extract", "model": "extract_by_model"}
"""The kind of the job of each method."""
_STRETCH: Final = 1000  # positions of a group that share a job


async def expect_facts(
    scope: Scope, space: int, group: int, position: int, records: Sequence[int], settings: Settings
) -> None:
    """Notes records of one group, the first at ``position``, as pending, and enqueues their extraction.

    Part of the transaction that writes them; does nothing where the settings switch extraction off. One job waits for
    all that is pending in a stretch of a group, however many writes bring it. A model reads a while later, so that
    turns that come one by one are read together.
    """
    for method in settings.extraction_methods if records else ():
        await scope.execute("extraction.expect", method=method, space=space, records=list(records))
        await enqueue_extraction(
            scope, method, space, group, position, settings.extraction_delay if method == "model" else 0.0
        )


async def enqueue_extraction(
    scope: Scope, method: Method, space: int, group: int, position: int, delay: float = 0.0
) -> None:
    """Enqueues the job that reads what is pending in a group from about ``position`` on; once, while it waits."""
    start = position - position % _STRETCH
    await enqueue(
        scope,
        KINDS[method],
        {"group": group, "position": start},
        space=space,
        dedup=f"{group} {start}",
        priority=-1,
        delay=delay,
    )
