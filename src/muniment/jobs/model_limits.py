"""What bounds the calls of models that read records: a tenant's budget and quota, and how often a record is tried."""

from collections.abc import Awaitable, Callable, Sequence

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.jobs.context import JobContext
from muniment.model.source import Method

Spent = Callable[[Database, int], Awaitable[tuple[int, int]]]
"""The tokens that a tenant's calls took in the last 24 hours, and how many calls those were."""


async def affordable(context: JobContext, tenant: int, budget: int, spent: Spent, tokens: int) -> bool:
    """Whether so many tokens more fit into the budget of the last 24 hours, 0 for none, and the quota of the day."""
    try:
        await context.database.quotas.require_model_tokens(tenant)
    except MunimentError as error:
        if error.code != "quota.model_tokens_exceeded":
            raise
        return False
    return budget == 0 or (await spent(context.database, tenant))[0] + tokens <= budget


async def tried_enough(context: JobContext, tenant: int, method: Method, numbers: Sequence[int], most: int) -> bool:
    """Whether the attempt under way is the last of ``most`` that one of the records has."""
    async with context.database.scope(tenant) as scope:
        states = await scope.rows("extraction.states", records=list(numbers), method=method)
    return max((row["attempts"] for row in states), default=0) + 1 >= most
