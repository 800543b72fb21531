"""The policy in force: the last one in the tenant's log."""

from muniment.database.pool import Row, Scope
from muniment.model.policy import Policy, policy_of


async def policy_in_force(scope: Scope) -> Policy:
    """The tenant's policy, the empty one where none was ever set. The scope must see all spaces."""
    row = await scope.row("policies.current")
    return Policy() if row is None else policy_of(row["detail"], row["commit_no"], row["at"])


def policy_beside(row: Row) -> Policy:
    """The policy in force in a row that tells it beside other things."""
    if row["policy_commit"] is None:
        return Policy()
    return policy_of(row["policy"], row["policy_commit"], row["policy_at"])
