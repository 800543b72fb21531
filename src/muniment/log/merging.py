"""When the tail of a space's postings has grown enough to be merged into blocks."""

from collections.abc import Sequence
from typing import Final

from muniment.database.pool import Scope
from muniment.queue import enqueue
from muniment.settings import Settings

_LOOK_EVERY: Final = 64


async def enqueue_merge(scope: Scope, space: int, records: Sequence[int], settings: Settings) -> None:
    """Enqueues one merge of the space where its tail holds too many documents, or too many writes.

    Only a write that reaches a record number divisible by 64 looks: counting costs as much as a small write. Where
    another transaction is enqueueing a merge of the space, this one waits for its end, so call it late.
    """
    if not any(number % _LOOK_EVERY == 0 for number in records):
        return
    tail = await scope.row("records.tail_size", space=space)
    assert tail is not None
    if tail["documents"] >= settings.tail_documents or tail["writes"] >= settings.tail_writes:
        await enqueue(scope, "merge", {"space": space}, space=space, dedup=str(space))
