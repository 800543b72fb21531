"""The job ``summarize``: summaries brought up to the log."""

from typing import Any, Protocol

from muniment.database.pool import Database
from muniment.derivation.profiles.compiling import compile_profiles
from muniment.derivation.summaries.compiling import Compiler, Progress
from muniment.derivation.summaries.drafting import Drafting
from muniment.derivation.summaries.following import follow_log
from muniment.errors import MunimentError
from muniment.jobs.context import JobContext
from muniment.log.stale_summaries import enqueue_summaries
from muniment.providers.chat import ChatModel
from muniment.providers.embedding import Embedder


class SummaryTools(Protocol):
    """What compiling takes of a job's context, or of a runtime."""

    @property
    def database(self) -> Database: ...

    @property
    def embedder(self) -> Embedder | None: ...

    @property
    def model_no(self) -> int | None: ...

    @property
    def summary_chat(self) -> ChatModel | None: ...


def compiler_of(tools: SummaryTools) -> Compiler:
    """What compiles here."""
    return Compiler(tools.database, Drafting(tools.database, tools.summary_chat), tools.embedder, tools.model_no)


async def summarize(context: JobContext, tenant: int, arguments: dict[str, Any]) -> dict[str, Any]:
    """Reads on in the log and compiles what is due; a second run finds nothing.

    Raises the code of a model that did not answer, when all else is done: the job is tried again, with growing pauses.
    """
    if context.settings.summaries == "off":
        return {}
    await follow_log(context.database, tenant)
    compiler = compiler_of(context)
    told = await compiler.compile_due(tenant)
    profiles = await compile_profiles(compiler, tenant)
    if told.unanswered is not None:
        raise MunimentError(told.unanswered, "the model that writes summaries did not answer: they wait for it")
    if told.waiting:
        async with context.database.scope(tenant) as scope:
            await enqueue_summaries(scope)
    return {"groups": told.groups, "versions": told.versions, "waiting": told.waiting, "profiles": profiles}


async def summarize_anew(tools: SummaryTools, tenant: int, progress: Progress | None = None) -> int:
    """Makes the cards and episodes of all groups again in place, whatever they say; how many groups there were."""
    async with tools.database.scope(tenant) as scope:
        await scope.execute("summaries.forget_progress")
    await follow_log(tools.database, tenant)
    told = await compiler_of(tools).compile_due(tenant, anew=True, progress=progress)
    return told.groups
