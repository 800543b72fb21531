"""Reading on in the log: which groups' summaries its new commits make stale."""

from typing import Final

from muniment.database.pool import Database

COMMITS: Final = 100
"""Commits that are read in one transaction."""


async def follow_log(database: Database, tenant: int) -> None:
    """Notes what is stale since the last reading, up to the last commit; safe to run many times at once."""
    async with database.scope(tenant) as scope:
        await scope.execute("summaries.begin")
    behind = 1
    while behind > 0:
        async with database.scope(tenant, seconds=database.settings.write_timeout) as scope:
            behind = await scope.value("summaries.follow", commits=COMMITS) or 0
