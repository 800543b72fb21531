"""Internal numbers of a tenant (records, sources, groups, ...), handed out in blocks.

A block is taken in a transaction of its own, so that two long writes do not wait for each other's numbers. A write
that fails leaves a gap, which means nothing.
"""

from typing import Literal

from muniment.database.pool import Database, Scope

Counter = Literal["record", "source", "group", "space", "run", "query", "job", "summary"]


async def allocate(database: Database, tenant: int, counter: Counter, count: int = 1) -> range:
    """``count`` fresh consecutive numbers of the tenant, from 1 on."""
    async with database.scope(tenant) as scope:
        return await take_numbers(scope, counter, count)


async def take_numbers(scope: Scope, counter: Counter, count: int = 1) -> range:
    """The same inside a short transaction of the caller's, for whose end others wait.

    Who takes of several counters takes in the order run, record, source, group, so that nobody waits in a circle.
    """
    end: int = await scope.value("numbers.allocate", counter=counter, count=count)
    return range(end - count, end)
