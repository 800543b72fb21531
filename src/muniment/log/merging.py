"""When the tail of a space's postings has grown enough to be merged into blocks."""

from collections.abc import Sequence
from typing import Final

from muniment.database.pool import Scope
from muniment.queue import enqueue

_LOOK_EVERY: Final = 64


async def enqueue_merge(scope: Scope, space: int, records: Sequence[int], merge_rows: int) -> None:
    """Enqueues one merge of the space where its tail holds ``merge_rows`` rows.

    Only a write that reaches a record number divisible by 64 looks: counting costs as much as a small write. Where
    another transaction is enqueueing a merge of the space, this one waits for its end, so call it late.
    """
    if not any(number % _LOOK_EVERY == 0 for number in records):
        return
    rows: int = await scope.value("records.tail_rows", space=space)
    if rows >= merge_rows:
        await enqueue(scope, "merge", {"space": space}, space=space, dedup=str(space))
