"""Enqueueing a job inside the transaction that causes the work. Running them is ``muniment.jobs``."""

import json
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from muniment.database.pool import Scope
from muniment.model.identifiers import new_id


async def enqueue(
    scope: Scope,
    kind: str,
    arguments: dict[str, Any],
    *,
    space: int | None = None,
    dedup: str | None = None,
    priority: int = 0,
    delay: float = 0.0,
) -> UUID | None:
    """Puts a job into the scope's transaction; it exists if and when that commits.

    ``dedup`` names the job among the tenant's of this kind: where one of that name still waits, nothing is added
    and None is returned. Until the other's transaction ends, this one waits for it. Higher ``priority`` runs
    first. ``delay`` in seconds. Without a ``space`` it belongs to the first that a pinned scope sees, else to none.
    The arguments are JSON values: numbers of records, never their texts.
    """
    if space is None and scope.pinned:
        space = scope.pinned[0]  # row security lets a pinned scope write nothing of the whole tenant's
    job: UUID | None = await scope.value(
        "queue.enqueue",
        space=space,
        job=new_id(),
        kind=kind,
        arguments=json.dumps(arguments),
        dedup=dedup,
        priority=priority,
        delay=delay,
    )
    return job


async def hasten(scope: Scope, kinds: Sequence[str]) -> int:
    """Has jobs of these kinds that wait for their time, and have not failed, run now; how many there were."""
    hastened: int = await scope.value("queue.hasten", kinds=list(kinds))
    return hastened
