"""Setting a tenant's policy: each is an entry of the log, and the last one is in force."""

from collections.abc import Mapping, Sequence

from muniment.audit.chain import record_act
from muniment.database.policies import policy_in_force
from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.lifecycle import admit_reason
from muniment.log.seal import NewEntry, seal
from muniment.model.policy import Policy, RetentionRule, SensitiveClass, SensitiveRule, policy_of
from muniment.providers.sensitive import load_finder
from muniment.queue import enqueue

EXPIRE = "expire"
"""The kind of the job that carries out what policies say of retention."""


async def put_policy(
    database: Database,
    tenant: int,
    *,
    classes: Mapping[SensitiveClass, SensitiveRule],
    retention: Sequence[RetentionRule],
    reason: str,
) -> Policy:
    """Puts a whole policy in force from the next request on; one that is in force already is left as it is.

    Raises ``input.invalid``, and ``policy.detector_missing`` where classes are named and what finds them is not
    installed.
    """
    reason = admit_reason(database, reason)
    asked = Policy(classes=dict(classes), retention=list(retention))
    _require_sense(asked)
    if asked.classes:
        await load_finder(asked.classes)
    async with database.scope(tenant) as scope:
        known = await policy_in_force(scope)
        if known.content == asked.content:
            return known
        detail = {**asked.content, "reason": reason}
        commit = await seal(scope, [NewEntry("policy", 0, detail=detail)], None)
        if asked.retention:
            await enqueue(scope, EXPIRE, {}, dedup=EXPIRE)
        await record_act(scope, "policy.put", commit=commit.number)
    return policy_of(detail, commit.number, commit.at)


async def get_policy(database: Database, tenant: int) -> Policy:
    """The policy in force."""
    async with database.scope(tenant) as scope:
        return await policy_in_force(scope)


async def list_policies(database: Database, tenant: int, limit: int = 500) -> list[Policy]:
    """The policies that there were, the one in force first."""
    async with database.scope(tenant) as scope:
        rows = await scope.rows("policies.list", limit=limit)
    return [policy_of(row["detail"], row["commit_no"], row["at"]) for row in rows]


def _require_sense(policy: Policy) -> None:
    marked = {name for name, rule in policy.classes.items() if rule.ingest == "mark"}
    for rule in policy.retention:
        if rule.sensitive is not None and rule.sensitive not in marked:
            raise MunimentError(
                "input.invalid",
                f"retention of {rule.sensitive} needs the class to be marked at ingest",
                field="retention",
                sensitive=rule.sensitive,
            )
