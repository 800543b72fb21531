"""Internal numbers of a tenant (records, sources, groups, ...), handed out in blocks.

A block is taken in a transaction of its own, so that two long writes do not wait for each other's numbers. A write
that fails leaves a gap, which means nothing.
"""

from typing import Literal

from muniment.database.pool import Database

Counter = Literal["record", "source", "group", "space", "run", "query", "job"]


async def allocate(database: Database, tenant: int, counter: Counter, count: int = 1) -> range:
    """``count`` fresh consecutive numbers of the tenant, from 1 on."""
    async with database.scope(tenant) as scope:
        end: int = await scope.value("numbers.allocate", counter=counter, count=count)
    return range(end - count, end)
