"""A tenant's own profile: it ranks that tenant's searches, and runs keep the version by which they ranked."""

import pytest
from asking import search, write_text

from muniment.database.pool import Database
from muniment.log.writer import Writer
from muniment.retrieval.engine import Retriever
from muniment.retrieval.profile import DEFAULT
from muniment.retrieval.runs import get_query_run
from muniment.retrieval.stored_profiles import put_profile, stored_version
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant


@pytest.fixture
def writer(database: Database, settings: Settings) -> Writer:
    """Writes without vectors: the constants are what is tested."""
    return Writer(database, None, None, settings)


@pytest.fixture
def retriever(database: Database, settings: Settings) -> Retriever:
    return Retriever(database, None, None, settings)


async def test_a_changed_default_ranks_for_its_tenant_only_and_earlier_versions_stay(
    database: Database, writer: Writer, retriever: Retriever, tenant: Tenant, other_tenant: Tenant
) -> None:
    for each in (tenant, other_tenant):
        for n in range(3):
            await write_text(writer, each, f"The pier {n} is blue.", f"pier-{n}")
    first = await put_profile(database, tenant.number, "default", "default", {"coverage": {"k1": 0.3}})
    changed = (await search(retriever, tenant, "pier")).hits[0].score
    assert changed != (await search(retriever, other_tenant, "pier")).hits[0].score
    second = await put_profile(database, tenant.number, "default", "default", {"coverage": {"k1": 6.0}})
    result = await search(retriever, tenant, "pier")
    assert result.hits[0].score != changed
    run = await get_query_run(database, tenant.number, result.query_id)
    named = run.parameters["profile"]
    assert (named["name"], named["version"], named["digest"]) == ("default", second.version, second.digest)
    async with database.scope(tenant.number) as scope:
        old = await stored_version(scope, "default", first.version, first.digest)
        assert old is not None and old.coverage.k1 == 0.3
        assert await stored_version(scope, "default", DEFAULT.version, DEFAULT.digest()) == DEFAULT
        digests = [row["digest"] for row in await scope.rows("profiles.list")]
    assert digests == [second.digest], "the digest that is stored is that of the version it stands by"
