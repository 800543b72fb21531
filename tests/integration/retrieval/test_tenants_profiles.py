"""A tenant's own profile: it ranks that tenant's searches, and runs keep the version by which they ranked."""

import json

import pytest
from asking import ids, search, write_text
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from muniment.database.pool import Database, Scope
from muniment.errors import MunimentError
from muniment.log.writer import Writer
from muniment.retrieval.engine import Retriever
from muniment.retrieval.profile import DEFAULT
from muniment.retrieval.replay import replay_run
from muniment.retrieval.runs import get_query_run, read_run
from muniment.retrieval.stored_profiles import get_profile, list_profiles, put_profile, stored_version
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


async def _keep(scope: Scope, name: str, version: int, base: str, changes: dict[str, object]) -> None:
    """Stores a profile as an earlier version of the program may have, which this one would refuse."""
    await scope.execute(
        "profiles.insert", name=name, version=version, base=base, changes=json.dumps(changes), digest="d" * 64
    )


UNUSABLE: dict[str, tuple[str, dict[str, object], str]] = {
    "lens": ("default", {"fusion": {"weights": {"lens": 2.0}}}, "fusion.weights: there is no route 'lens'"),
    "planner": ("default", {"planner": "oracle"}, "there is no such ranking or planner"),
    "section": ("reference", {"lenses": {"k1": 1.0}}, "a profile has no lenses"),
    "kind": ("default", {"lexical": {"k1": "high"}}, "lexical.k1: must be a number"),
    "base": ("classic", {}, "there is no such retrieval profile"),
}


@pytest.fixture
async def gone(database: Database, tenant: Tenant) -> None:
    async with database.scope(tenant.number) as scope:
        for name, (base, changes, _) in UNUSABLE.items():
            await _keep(scope, name, 1, base, changes)
        await _keep(scope, "mine", 1, "default", {"lexical": {"k1": 1.3}})


async def test_a_profile_that_can_no_longer_be_used_is_listed_with_its_reason_beside_the_others(
    gone: None, database: Database, tenant: Tenant, other_tenant: Tenant
) -> None:
    listed = {profile.name: profile for profile in await list_profiles(database, tenant.number)}
    assert set(listed) == {*UNUSABLE, "default", "mine", "reference"}
    assert [name for name, profile in listed.items() if profile.unusable is None] == ["default", "mine", "reference"]
    assert listed["mine"].parameters["lexical"]["k1"] == 1.3
    for name, (base, changes, why) in UNUSABLE.items():
        assert await get_profile(database, tenant.number, name) == listed[name]
        assert (listed[name].base, listed[name].changes, listed[name].version) == (base, changes, 1)
        assert listed[name].parameters == {} and why in (listed[name].unusable or "")
    assert len(await list_profiles(database, other_tenant.number)) == 2


async def test_a_search_by_a_profile_that_can_no_longer_be_used_is_refused_until_it_is_set_anew(
    gone: None, database: Database, writer: Writer, retriever: Retriever, tenant: Tenant
) -> None:
    await write_text(writer, tenant, "The pier is blue.", "pier")
    for name in UNUSABLE:
        with pytest.raises(MunimentError) as refused:
            await search(retriever, tenant, "pier", profile=name)
        assert refused.value.code == "profile.unusable" and UNUSABLE[name][2] in refused.value.detail
        assert (refused.value.facts["name"], refused.value.facts["version"]) == (name, 1)
    for usable in ("mine", "default", None):
        assert (await search(retriever, tenant, "pier", profile=usable)).hits
    made = await put_profile(database, tenant.number, "lens", "default", {"lexical": {"k1": 1.4}})
    assert (made.version, made.unusable) == (2, None)
    assert (await search(retriever, tenant, "pier", profile="lens")).hits


async def test_a_run_is_made_again_by_another_profile_where_its_own_can_no_longer_be_used(
    database: Database, writer: Writer, retriever: Retriever, tenant: Tenant, admin_url: str
) -> None:
    await write_text(writer, tenant, "The pier is blue.", "pier")
    await put_profile(database, tenant.number, "mine", "default", {"lexical": {"k1": 1.4}})
    result = await search(retriever, tenant, "pier", profile="mine")
    engine = create_async_engine(admin_url)
    async with engine.begin() as connection:
        changes = json.dumps({"fusion": {"weights": {"lens": 2.0}}})
        await connection.execute(
            text("update muniment.retrieval_profile set changes = cast(:changes as jsonb)"), {"changes": changes}
        )
    await engine.dispose()
    replay = await replay_run(database, retriever.tools, tenant.number, result.query_id)
    assert [hit.record_id for hit in replay.hits] == ids(result)
    async with database.scope(tenant.number) as scope:
        assert (await read_run(scope, result.query_id)).profile is None
