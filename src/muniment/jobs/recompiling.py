"""The job ``claims``: claims that a commit made stale, recompiled."""

from typing import Any, Final

from muniment.derivation.compiling import compile_claims
from muniment.derivation.relations import learn_relations
from muniment.jobs.context import JobContext

_MOST_RELATIONS: Final = 50


async def recompile(context: JobContext, tenant: int, arguments: dict[str, Any]) -> dict[str, Any]:
    """Recompiles every stale key of the tenant; a second run finds none.

    Before, it learns what the facts show of their relations, which may make more of them stale.
    """
    async with context.database.scope(tenant) as scope:
        names: list[str] = await scope.value("relations.unsaid", most=_MOST_RELATIONS)
    learned = await learn_relations(context.database, tenant, names) if names else []
    return {"keys": await compile_claims(context.database, tenant), "learned": len(learned)}
