"""Spaces: one number per namespace, and who sees which."""

import asyncio

from muniment.database.pool import Database
from muniment.database.spaces import intern_space, visible_spaces
from muniment.model.namespace import Namespace
from muniment.tenancy.tenants import Tenant


async def test_many_writers_of_a_new_namespace_agree_on_its_space(database: Database, tenant: Tenant) -> None:
    namespace = Namespace(project_id="atlas", user_id="maya")
    numbers = await asyncio.gather(*(intern_space(database, tenant.number, namespace) for _ in range(8)))
    assert len(set(numbers)) == 1


async def test_a_question_sees_the_spaces_that_agree_in_each_named_field(database: Database, tenant: Tenant) -> None:
    maya = await intern_space(database, tenant.number, Namespace(project_id="atlas", user_id="maya"))
    liam = await intern_space(database, tenant.number, Namespace(project_id="atlas", user_id="liam"))
    shared = await intern_space(database, tenant.number, Namespace(project_id="atlas"))
    other = await intern_space(database, tenant.number, Namespace(project_id="borealis", user_id="maya"))
    async with database.scope(tenant.number) as scope:
        assert await visible_spaces(scope, Namespace(project_id="atlas")) == [maya, liam, shared]
        assert await visible_spaces(scope, Namespace(user_id="maya")) == [maya, other]
        assert await visible_spaces(scope, Namespace(project_id="atlas", user_id="maya")) == [maya]
        with_shared = Namespace(project_id="atlas", user_id="maya", include_shared=True)
        assert await visible_spaces(scope, with_shared) == [maya, shared]
        assert await visible_spaces(scope, Namespace()) == [maya, liam, shared, other]


async def test_another_tenant_sees_no_space(database: Database, tenant: Tenant, other_tenant: Tenant) -> None:
    await intern_space(database, tenant.number, Namespace(project_id="atlas"))
    async with database.scope(other_tenant.number) as scope:
        assert await visible_spaces(scope, Namespace()) == []
