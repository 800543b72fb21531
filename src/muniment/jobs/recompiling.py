"""The job ``claims``: claims that a commit made stale, recompiled."""

from typing import Any

from muniment.derivation.compiling import compile_claims
from muniment.jobs.context import JobContext


async def recompile(context: JobContext, tenant: int, arguments: dict[str, Any]) -> dict[str, Any]:
    """Recompiles every stale key of the tenant; a second run finds none."""
    return {"keys": await compile_claims(context.database, tenant)}
