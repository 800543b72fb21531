"""Recompiling claims: what facts and decisions made stale is brought up to its definition, a key at a time."""

from collections.abc import Callable
from typing import Final

from muniment.database.pool import Database

BATCH: Final = 32  # keys a transaction: a lock is held no longer than these take
FACTS: Final = 1000  # whose keys are noted in a transaction

Progress = Callable[[str, int, int], None]
"""Called with the name of a projection, how much of it is done, and how much there is."""


async def compile_claims(database: Database, tenant: int) -> int:
    """Recompiles all stale keys of the tenant and returns how many that were; safe to run many times at once.

    Returns when no key is stale that was so at the call, also where others recompile them. Raises ``store.*``.
    """
    compiled = 0
    while True:
        async with database.scope(tenant, seconds=database.settings.write_timeout) as scope:
            row = await scope.row("claims.compile", limit=BATCH)
        assert row is not None
        compiled += int(row["keys"])
        if not row["more"]:
            return compiled


async def recompile_all(database: Database, tenant: int, *, progress: Progress | None = None) -> int:
    """Makes every version of every claim anew from the log; how many keys. Each key is replaced in one transaction."""
    tell = progress or _silent
    seconds = database.settings.write_timeout
    async with database.scope(tenant, seconds=seconds) as scope:
        await scope.execute("claims.mark_known_keys")
    after: int | None = -1
    while after is not None:
        async with database.scope(tenant, seconds=seconds) as scope:
            after = await scope.value("claims.mark_some_facts", after=after, limit=FACTS)
    async with database.scope(tenant, seconds=seconds) as scope:
        total: int = await scope.value("claims.stale")
    done = 0
    if total:
        tell("claims", 0, total)
    while True:
        async with database.scope(tenant, seconds=seconds) as scope:
            row = await scope.row("claims.compile", limit=BATCH)
        assert row is not None
        done += int(row["keys"])
        if row["keys"]:
            tell("claims", done, max(done, total))
        if not row["more"]:
            return done


def _silent(_projection: str, _done: int, _total: int) -> None:
    return None
