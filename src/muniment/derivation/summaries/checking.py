"""Summaries against their definition: what a group's records and facts make of it by rules."""

from collections.abc import AsyncIterator
from typing import Any, Final

from muniment.database.pool import Database, Scope
from muniment.derivation.profiles.compiling import profile_draft, without_changes
from muniment.derivation.summaries.drafting import drafts_by_rules
from muniment.derivation.summaries.source import read_group
from muniment.derivation.summaries.versions import said_by
from muniment.log.validation.findings import Findings
from muniment.model.result import ValidationReport

_BATCH: Final = 200
_CHECK: Final = "summaries"


async def check_summaries(
    database: Database, tenant: int, report: ValidationReport, model_no: int | None
) -> ValidationReport:
    """The report with what is wrong about summaries; nothing is looked at where the log was never read for them, or
    is not read to its end yet."""
    findings = Findings()
    findings.looked(_CHECK, 0)
    async with database.scope(tenant, seconds=database.settings.write_timeout, snapshot=True) as scope:
        if await scope.value("summaries.behind") == 0:
            async for group_key, wrong in wrong_groups(scope, model_no):
                findings.looked(_CHECK)
                if wrong is not None:
                    findings.add(_CHECK, wrong, group=group_key)
            async for wrong in wrong_profiles(scope):
                findings.looked(_CHECK)
                if wrong is not None:
                    findings.add(_CHECK, wrong)
    listed = [*report.findings, *findings.listed]
    return report.model_copy(
        update={"valid": not listed, "findings": listed, "checks": report.checks | findings.checks}
    )


async def wrong_groups(scope: Scope, model_no: int | None) -> AsyncIterator[tuple[str, str | None]]:
    """Each group that is not due, by its key, with what is wrong about its summaries, None where nothing is.

    What a model wrote is held against what it was given alone. Reads all groups.
    """
    after = 0
    while rows := await scope.rows("summaries.undue_groups", after=after, limit=_BATCH):
        for row in rows:
            yield row["group_key"], await _wrong(scope, row["group_no"], model_no)
        after = rows[-1]["group_no"]


async def _wrong(scope: Scope, group_no: int, model_no: int | None) -> str | None:
    source = await read_group(scope, group_no, model_no)
    current = await scope.rows("summaries.current", group_no=group_no)
    if source is None:
        return "a group without records has summaries" if current else None
    if not current:
        return "a group has no summaries"
    if any(row["inputs"] != source.inputs for row in current):
        return "summaries of a group were made of something else than it holds"
    expected = [draft.says() for draft in drafts_by_rules(source)]
    found: list[Any] = [said_by(row) for row in current]
    by_rules = all(row["form"].startswith("rules:") for row in current)
    if by_rules and sorted(expected) != sorted(found):
        return "summaries of a group do not say what its records make of it"
    return None


async def wrong_profiles(scope: Scope) -> AsyncIterator[str | None]:
    """For each entity with live facts whose profile is not due, what is wrong about it, None where nothing is."""
    space, key = 0, ""
    while rows := await scope.rows("entity_profiles.entities", after_space=space, after_key=key, limit=_BATCH):
        for row in rows:
            space, key = row["space_id"], row["entity_key"]
            if row["due"]:
                continue
            draft, _ = await profile_draft(scope, space, key)
            current = await scope.rows("entity_profiles.current", space=space, entity_key=key)
            said = [(each["title"], each["text"], without_changes(each["detail"])) for each in current]
            expected = [] if draft is None else [(draft.title, draft.text, dict(draft.detail))]
            yield None if said == expected else "the profile of an entity does not say what its facts make of it"
