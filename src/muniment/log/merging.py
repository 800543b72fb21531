"""When the tail of a space's postings has grown enough to be merged into blocks."""

from collections.abc import Sequence
from typing import Final

from muniment.database.pool import Scope
from muniment.queue import enqueue

_LOOK_EVERY: Final = 64
_ROWS_A_DOCUMENT: Final = 16  # a chat message has about as many terms; a guess is enough to start a merge by


async def enqueue_merge(scope: Scope, space: int, records: Sequence[int], merge_rows: int) -> None:
    """Enqueues one merge of the space where its tail holds about ``merge_rows`` rows.

    Counting documents instead of rows reads one index range, and only a write that reaches a record number divisible
    by 64 looks at all. Where a merge of the space is being enqueued by another transaction, this one waits for it.
    """
    if not any(number % _LOOK_EVERY == 0 for number in records):
        return
    documents: int = await scope.value("records.tail_documents", space=space)
    if documents * _ROWS_A_DOCUMENT >= merge_rows:
        await enqueue(scope, "merge", {"space": space}, space=space, dedup=str(space))
