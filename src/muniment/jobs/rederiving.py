"""The job ``rederive``: what an earlier version of the program derived, derived anew by this one.

Every process that looks after the queue finds out for each tenant a minute after its start (see ``expiring``), so that
an upgrade needs no command. Until it has run, a validation says that it is due.
"""

from typing import Any, Final

from muniment.database.pool import Database
from muniment.derivation.compiling import recompile_all
from muniment.extraction.rules.extractor import EXTRACTOR
from muniment.jobs.context import JobContext
from muniment.jobs.summarizing import summarize_anew
from muniment.log.extraction import ask_for_facts
from muniment.model.derivations import CURRENT, RENEWED_BY, Derivation
from muniment.queue import enqueue

KIND: Final = "rederive"


async def rederive(context: JobContext, tenant: int, _arguments: dict[str, Any]) -> dict[str, Any]:
    """Makes all claims and summaries anew, and has the rules read again what earlier ones read, where their versions
    changed."""
    outdated = await outdated_derivations(context.database, tenant)
    done = {"keys": 0, "records": 0, "groups": 0}
    if "claims" in outdated:
        done["keys"] = await recompile_all(context.database, tenant)
        await set_derived(context.database, tenant, "claims")
    if "rules" in outdated:
        # also where rules read nothing new any more: what they have read would tell what this version knows to be wrong
        done["records"] = await ask_for_facts(context.database, tenant, "rules", EXTRACTOR, unseen=False)
        await set_derived(context.database, tenant, "rules")
    if "summaries" in outdated:
        if context.settings.summaries != "off":
            done["groups"] = await summarize_anew(context, tenant)
        await set_derived(context.database, tenant, "summaries")
    return done


async def schedule_rederiving(database: Database, tenant: int) -> None:
    """Puts the job into the queue where something of the tenant was derived by an earlier version."""
    if await outdated_derivations(database, tenant):
        async with database.scope(tenant) as scope:
            await enqueue(scope, KIND, {}, dedup=KIND, priority=-2)


async def outdated_derivations(database: Database, tenant: int) -> list[Derivation]:
    """What of the tenant was derived by an earlier version than this program's. One look-up."""
    async with database.scope(tenant) as scope:
        versions = {row["name"]: row["version"] for row in await scope.rows("derivation.versions")}
    return [name for name, version in CURRENT.items() if versions.get(name) != version]


async def set_derived(database: Database, tenant: int, name: Derivation) -> None:
    """Notes that all of it is by this program's version from now on."""
    async with database.scope(tenant) as scope:
        await scope.execute("derivation.set_version", name=name, version=CURRENT[name])


def told_outdated(outdated: list[Derivation]) -> list[str]:
    """What a person is told of it."""
    return [
        f"{name}: derived by an earlier version; a job derives them anew, or at once: {RENEWED_BY[name]}"
        for name in outdated
    ]
