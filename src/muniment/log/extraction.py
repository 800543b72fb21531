"""New records from which facts are to be extracted: noted as pending, with the jobs that will do it."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from muniment.database.pool import Database, Scope
from muniment.model.source import Method
from muniment.queue import enqueue
from muniment.queue.extraction import KINDS, resume_postponed
from muniment.settings import Settings

BUDGET_WINDOW: Final = timedelta(hours=24)
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


async def expect_description(scope: Scope, space: int, group: int, record: int, settings: Settings) -> None:
    """Notes an image, by its first record, as waiting for its description, and enqueues that.

    Part of the transaction that writes it; does nothing where the settings want no descriptions.
    """
    if settings.vision == "off":
        return
    await scope.execute("extraction.expect", method="vision", space=space, records=[record])
    await enqueue_extraction(scope, "vision", space, group, 0)


async def expect_again(scope: Scope, records: Sequence[int]) -> None:
    """Enqueues the extraction of those of the records that are still pending: they count again, and their jobs passed
    them by while they did not.

    Part of the transaction that opens them again.
    """
    for row in await scope.rows("extraction.waiting", records=list(records), stretch=_STRETCH):
        await enqueue_extraction(scope, row["method"], row["space_id"], row["group_no"], row["position"])


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


async def ask_for_facts(database: Database, tenant: int, method: Method, extractor: str, *, unseen: bool = True) -> int:
    """Enqueues the extraction of what the method never read, failed to read, put off for want of a budget, or read by
    another ``extractor``.

    Without ``unseen`` only what it read by another. Returns how many records that are. In transactions of 1,000.
    """
    asked, after = 0, 0
    while True:
        async with database.scope(tenant) as scope:
            rows = await scope.rows(
                "extraction.unextracted", method=method, extractor=extractor, after=after, limit=_STRETCH, unseen=unseen
            )
            if not rows:
                await resume_postponed(scope)
                return asked
            await scope.execute(
                "extraction.ask_again", method=method, records=[row["record_no"] for row in rows],
                spaces=[row["space_id"] for row in rows],
            )  # fmt: skip
            places = {(row["space_id"], row["group_no"], row["position"] - row["position"] % _STRETCH) for row in rows}
            for space, group, position in sorted(places):
                await enqueue_extraction(scope, method, space, group, position)
        asked, after = asked + len(rows), rows[-1]["record_no"]


async def spent_on_facts(database: Database, tenant: int) -> tuple[int, int]:
    """The tokens that models took for a tenant's facts in the last 24 hours, and in how many windows."""
    async with database.scope(tenant) as scope:
        row = await scope.row("extraction.spent", since=datetime.now(UTC) - BUDGET_WINDOW)
    assert row is not None
    return row["tokens"], row["calls"]
