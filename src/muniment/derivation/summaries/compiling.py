"""Compiling what is due: each group's summaries brought up to what its records and facts say now.

What a group says is read in one transaction, made into drafts outside of any, and written in another, in which the
group is locked and is the same still: so nothing that was erased or closed meanwhile gets into a summary.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from muniment.database.pool import Database
from muniment.derivation.summaries.drafting import Drafting
from muniment.derivation.summaries.source import GroupSource, digest_of, read_group
from muniment.derivation.summaries.versions import Draft, Place, replace_versions, unchanged
from muniment.providers.embedding import Embedder

Progress = Callable[[str, int, int], None]
"""Called with the name of a projection, how much of it is done, and how much there is."""

_BATCH: Final = 32
_TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class Compiler:
    """What compiling needs. Without ``embedder`` and ``model_no`` summaries are found by their words only."""

    database: Database
    drafting: Drafting
    embedder: Embedder | None = None
    model_no: int | None = None

    async def compile_due(self, tenant: int, *, anew: bool = False, progress: Progress | None = None) -> dict[str, int]:
        """Compiles every group that is due; the numbers of groups, of new versions, and of groups that must wait.

        A group that changes faster than it can be read waits for the next run.
        """
        told = {"groups": 0, "versions": 0, "waiting": 0}
        after = 0
        while True:
            async with self.database.scope(tenant) as scope:
                due = [row["group_no"] for row in await scope.rows("summaries.due", after=after, limit=_BATCH)]
            if not due:
                return told
            for group_no in due:
                versions = await self.compile_group(tenant, group_no, anew=anew)
                told["groups"] += 1
                told["waiting" if versions is None else "versions"] += versions or 1
            after = due[-1]
            if progress is not None:
                progress("summaries", told["groups"], told["groups"])

    async def compile_group(self, tenant: int, group_no: int, *, anew: bool = False) -> int | None:
        """Brings one due group up to date; how many versions are new, None where it kept changing.

        With ``anew`` the versions that count are made again in place, whatever they say.
        """
        for _ in range(_TRIES):
            async with self.database.scope(tenant, seconds=self.database.settings.write_timeout) as scope:
                source = await read_group(scope, group_no, self.model_no)
                current = await scope.rows("summaries.current", group_no=group_no)
            drafts = [] if source is None else await self.drafting.drafts(tenant, source, [] if anew else current)
            vectors = await self.embedded([each for each in drafts if anew or unchanged(each, current) is None])
            async with self.database.scope(tenant, seconds=self.database.settings.write_timeout) as scope:
                if await scope.value("summaries.lock_due", group_no=group_no) is None:
                    return 0
                await scope.execute("summaries.lock_group", group_no=group_no)
                inputs, commit = await digest_of(scope, group_no)
                if inputs != (None if source is None else source.inputs):
                    continue
                place = _place(group_no, source, commit)
                if anew:
                    await scope.execute("summaries.delete_current", group_no=group_no)
                current = await scope.rows("summaries.current", group_no=group_no)
                new = await replace_versions(scope, place, drafts, current, vectors, self.model_no)
                await scope.execute("summaries.done", group_no=group_no)
                return new
        return None

    async def embedded(self, drafts: Sequence[Draft]) -> dict[str, list[float]]:
        """The vectors of drafts, by what is searched of them; none without a model."""
        if self.embedder is None or self.model_no is None or not drafts:
            return {}
        texts = [draft.searched() for draft in drafts]
        return dict(zip(texts, await self.embedder.embed(texts, background=True), strict=True))


def _place(group_no: int, source: GroupSource | None, commit: int) -> Place:
    if source is None:
        return Place(space=0, commit=commit, inputs="", language="english", group_no=group_no)
    return Place(source.space, commit, source.inputs, source.language, group_no)
