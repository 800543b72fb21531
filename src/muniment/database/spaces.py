"""Spaces: the number under which a namespace's rows are kept, and which spaces a question sees."""

from muniment.database.numbers import allocate
from muniment.database.pinning import current_pin
from muniment.database.pool import Database, Scope
from muniment.model.namespace import Namespace


def _fields(namespace: Namespace) -> dict[str, str | None]:
    return {"project": namespace.project_id, "user": namespace.user_id, "agent": namespace.agent_id}


async def intern_space(database: Database, tenant: int, namespace: Namespace) -> int:
    """The number of exactly this namespace's space, made where it is new.

    Raises ``auth.namespace_denied`` where the context is pinned to another.
    """
    pin = current_pin()
    if pin is not None:
        pin.refuse_others(namespace)
    async with database.scope(tenant) as scope:
        known = await find_space(scope, namespace)
    if known is not None:
        return known
    fresh = (await allocate(database, tenant, "space"))[0]
    async with database.scope(tenant, whole=True) as scope:  # a pinned scope sees the space once it is there
        await scope.execute("spaces.insert", space=fresh, **_fields(namespace))
    async with database.scope(tenant) as scope:
        known = await find_space(scope, namespace)
    assert known is not None
    return known


async def find_space(scope: Scope, namespace: Namespace) -> int | None:
    """The number of exactly this namespace's space, None where nothing was ever written to it."""
    known: int | None = await scope.value("spaces.find", **_fields(namespace))
    return known


async def visible_spaces(scope: Scope, namespace: Namespace) -> list[int]:
    """The spaces that agree with the namespace in each field it names, in ascending order; often none or one."""
    rows = await scope.rows("spaces.visible", shared=namespace.include_shared, **_fields(namespace))
    return [row["space_id"] for row in rows]
