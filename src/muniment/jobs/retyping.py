"""The job ``retype``: names that had no type, told anew by the one that a later fact gives them."""

from typing import Any

from muniment.jobs.context import JobContext
from muniment.log.retyping import retype_namesakes


async def retype(context: JobContext, tenant: int, arguments: dict[str, Any]) -> dict[str, Any]:
    """Joins what ``arguments["facts"]`` name with what was told of the same names without a type."""
    return {"facts": await retype_namesakes(context.database, tenant, arguments["facts"])}
