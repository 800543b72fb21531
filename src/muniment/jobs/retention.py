"""Carrying out what policies say of retention: what is past its time is closed, or erased for good."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from muniment.database.policies import policy_in_force
from muniment.jobs.context import JobContext
from muniment.log.erasure import erase
from muniment.log.lifecycle import forget
from muniment.model.identifiers import RECORD, public_id
from muniment.model.policy import MARK, Policy, RetentionRule

_STEP: Final = 500  # records in one entry of the log, or one erasure


async def keep_policy(context: JobContext, tenant: int) -> dict[str, int]:
    """Closes and erases the tenant's records that are past their time; how many of each, derived ones aside.

    A record's age is that of the commit that stored it, not of what it tells. What rests on it goes with it, as ever.
    Reads the numbers of all records older than the shortest time.
    """
    async with context.database.scope(tenant) as scope:
        policy = await policy_in_force(scope)
    done = {"closed": 0, "erased": 0} if policy.retention else {}
    for rule in policy.retention:
        commit = await _last_commit(context, tenant, rule)
        name = "closed" if rule.action == "close" else "erased"
        after = 0
        while rows := await _old(context, tenant, rule, commit, after):
            ids = [public_id(RECORD, row["record_id"]) for row in rows]
            done[name] += await _end(context, tenant, rule, policy, ids)
            after = rows[-1]["record_no"]
            await context.progress(sum(done.values()), None)
    return done


async def _last_commit(context: JobContext, tenant: int, rule: RetentionRule) -> int:
    moment = datetime.now(UTC) - timedelta(days=rule.days)
    async with context.database.scope(tenant) as scope:
        commit: int = await scope.value("policies.last_commit_before", moment=moment)
    return commit


async def _old(context: JobContext, tenant: int, rule: RetentionRule, commit: int, after: int) -> Sequence[Any]:
    statement = "policies.old_live" if rule.action == "close" else "policies.old_content"
    mark = None if rule.sensitive is None else f"{MARK}{rule.sensitive}"
    async with context.database.scope(tenant, seconds=context.settings.write_timeout) as scope:
        return await scope.rows(statement, mark=mark, commit=commit, after=after, limit=_STEP)


async def _end(context: JobContext, tenant: int, rule: RetentionRule, policy: Policy, ids: list[str]) -> int:
    of = "" if rule.sensitive is None else f" of {rule.sensitive}"
    reason = f"retention{of}: {rule.days:g} days, by the policy of commit {policy.commit}"
    if rule.action == "erase":
        return (await erase(context.database, tenant, records=ids, reason=reason)).records
    return len((await forget(context.database, tenant, ids, reason)).closed)
