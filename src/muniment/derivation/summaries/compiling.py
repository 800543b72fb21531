"""Compiling what is due: each group's summaries brought up to what its records and facts say now.

What a group says is read in one transaction, made into drafts outside of any, and written in another, in which the
group is locked and is the same still: so nothing that was erased or closed meanwhile gets into a summary.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from muniment.database.pool import Database
from muniment.derivation.summaries.drafting import Drafted, Drafting
from muniment.derivation.summaries.source import GroupSource, digest_of, read_group
from muniment.derivation.summaries.versions import Draft, Place, replace_versions, unchanged
from muniment.providers.embedding import Embedder

Progress = Callable[[str, int, int], None]
"""Called with the name of a projection, how much of it is done, and how much there is."""

_BATCH: Final = 32
_TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class Compiled:
    """What came of a group: how many versions are new, whether it kept changing and waits, and why a model did not
    answer about it."""

    versions: int = 0
    waits: bool = False
    unanswered: str | None = None


@dataclass(slots=True)
class CompiledDue:
    """What came of all groups that were due: the numbers of groups, of new versions, and of groups that must wait since
    they kept changing; and why a model did not answer."""

    groups: int = 0
    versions: int = 0
    waiting: int = 0
    unanswered: str | None = None


@dataclass(frozen=True, slots=True)
class Compiler:
    """What compiling needs. Without ``embedder`` and ``model_no`` summaries are found by their words only."""

    database: Database
    drafting: Drafting
    embedder: Embedder | None = None
    model_no: int | None = None

    async def compile_due(self, tenant: int, *, anew: bool = False, progress: Progress | None = None) -> CompiledDue:
        """Compiles every group that is due.

        A group that changes faster than it can be read waits for the next run. So do those about which the model did
        not answer, in the rules' form; after the first of them it is asked about no other.
        """
        told = CompiledDue()
        after = 0
        while True:
            async with self.database.scope(tenant) as scope:
                due = [row["group_no"] for row in await scope.rows("summaries.due", after=after, limit=_BATCH)]
            if not due:
                return told
            for group_no in due:
                if self.drafting.chat is not None and not anew:  # what a model takes minutes for can be read meanwhile
                    told.versions += await self._first_by_rules(tenant, group_no)
                compiled = await self.compile_group(tenant, group_no, anew=anew, unanswered=told.unanswered)
                told.unanswered = compiled.unanswered or told.unanswered
                told.waiting += compiled.waits
                told.versions += compiled.versions
                told.groups += 1
            after = due[-1]
            if progress is not None:
                progress("summaries", told.groups, told.groups)

    async def _first_by_rules(self, tenant: int, group_no: int) -> int:
        """Writes the rules' form of a group that has no summaries yet, which stays due; how many versions are new."""
        async with self.database.scope(tenant) as scope:
            if await scope.rows("summaries.current", group_no=group_no):
                return 0
        by_rules = replace(self, drafting=Drafting(self.database))
        return (await by_rules.compile_group(tenant, group_no, stays_due=True)).versions

    async def compile_group(
        self, tenant: int, group_no: int, *, anew: bool = False, stays_due: bool = False, unanswered: str | None = None
    ) -> Compiled:
        """Brings one due group up to date.

        With ``anew`` the versions that count are made again in place, whatever they say. After a model was
        ``unanswered`` it is not asked: what it wrote stays where it still fits, the rules' form stands for the rest,
        and the group stays due.
        """
        for _ in range(_TRIES):
            async with self.database.scope(tenant, seconds=self.database.settings.write_timeout) as scope:
                source = await read_group(scope, group_no, self.model_no)
                current = await scope.rows("summaries.current", group_no=group_no)
            before = [] if anew else current
            drafted = Drafted([]) if source is None else await self.drafting.drafts(tenant, source, before, unanswered)
            drafts = drafted.drafts
            vectors = await self.embedded([each for each in drafts if anew or unchanged(each, current) is None])
            async with self.database.scope(tenant, seconds=self.database.settings.write_timeout) as scope:
                if await scope.value("summaries.lock_due", group_no=group_no) is None:
                    return Compiled()
                await scope.execute("summaries.lock_group", group_no=group_no)
                inputs, commit = await digest_of(scope, group_no)
                if inputs != (None if source is None else source.inputs):
                    continue
                place = _place(group_no, source, commit)
                if anew:
                    await scope.execute("summaries.delete_current", group_no=group_no)
                current = await scope.rows("summaries.current", group_no=group_no)
                new = await replace_versions(scope, place, drafts, current, vectors, self.model_no)
                if not stays_due and drafted.unanswered is None:
                    await scope.execute("summaries.done", group_no=group_no)
                return Compiled(new, unanswered=drafted.unanswered)
        return Compiled(waits=True)

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
