"""Running a part of a search so that its running out of time leaves the rest what was found before."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from muniment.database.pool import translated_errors
from muniment.errors import MunimentError
from muniment.retrieval.state import Search

_GRACE = 0.05  # of the deadline

Found = TypeVar("Found")


async def guarded(
    search: Search, share: float, part: Callable[[], Awaitable[Found]], *, least: float = 0.0
) -> Found | None:
    """What the part gives, or None where it ran over ``share`` of the deadline; ``least`` seconds it has in any case.

    A statement is ended by the database, whatever else is waited for a moment later here. Raises ``store.*`` for
    everything else. Costs next to nothing where nothing happens: one savepoint serves all parts of a transaction, since
    a search writes nothing before its end.
    """
    if search.guarded_scope is not search.scope:
        await search.scope.execute("scope.guard")
        search.guarded_scope = search.scope
    await search.deadline.bound(search.scope, share, least=least)
    seconds = max(least, search.deadline.remaining(share))
    try:
        async with asyncio.timeout(seconds + _GRACE * search.deadline.seconds):
            with translated_errors():
                return await part()
    except TimeoutError:
        pass
    except MunimentError as error:
        if error.code != "store.busy":
            raise
    await search.scope.execute("scope.recover")
    search.deadline.forget()
    return None
