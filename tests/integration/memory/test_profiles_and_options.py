"""Retrieval profiles and the options of a search, the same over a store and over a server."""

from collections.abc import AsyncIterator
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from muniment.api.app import create_app
from muniment.errors import MunimentError
from muniment.memory import AsyncMuniment
from muniment.memory.local import LocalMuniment
from muniment.memory.remote import RemoteMuniment
from muniment.model.namespace import Namespace
from muniment.retrieval.profile import DEFAULT, REFERENCE
from muniment.runtime import open_runtime
from muniment.settings import Settings
from muniment.tenancy.keys import create_key
from muniment.tenancy.principal import SCOPES

SPACE = Namespace(project_id="atlas")


@pytest.fixture
def store_settings(admin_url: str, tmp_path: Path) -> Settings:
    """A store without an embedding model, in a database of the test's own."""
    return Settings(
        database_url=SecretStr(admin_url), data_dir=tmp_path / "store", embedding_provider="none", pool_size=4
    )


@pytest.fixture(params=["local", "remote"])
async def memory(request: pytest.FixtureRequest, store_settings: Settings) -> AsyncIterator[AsyncMuniment]:
    if request.param == "local":
        async with LocalMuniment(store_settings, SPACE) as opened:
            yield opened
        return
    async with open_runtime(store_settings, run_jobs=True) as runtime:
        app = create_app(store_settings, nullcontext(runtime))
        app.state.runtime = runtime
        key = await create_key(runtime.database, runtime.tenant.number, "test", SCOPES)
        transport = httpx.ASGITransport(app=app)
        async with RemoteMuniment("http://server", key.secret, SPACE, 60.0, transport=transport) as opened:
            yield opened


async def _error(awaitable: Any) -> MunimentError:
    with pytest.raises(MunimentError) as caught:
        await awaitable
    return caught.value


async def test_a_profile_of_ones_own_is_listed_shown_and_searched_with(memory: AsyncMuniment) -> None:
    assert [(each.name, each.base) for each in await memory.profiles()] == [("default", None), ("reference", None)]
    made = await memory.put_profile("Mine-1.x", {"lexical": {"k1": 1.4}}, base="reference")
    assert (made.version, made.base, made.parameters["lexical"]["k1"]) == (1, "reference", 1.4)
    assert await memory.profile("Mine-1.x") == made
    assert [each.name for each in await memory.profiles()] == ["Mine-1.x", "default", "reference"]
    await memory.ingest_messages([{"role": "Ada", "content": "The pier is blue."}], group_id="chat")
    found = await memory.search("pier", profile="Mine-1.x")
    assert (await memory.query_run(found.query_id)).profile == "Mine-1.x"


REFUSED_CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"lexical": {"k9": 1}}, "lexical.k9"),
    ({"nothing": 1}, "nothing"),
    ({"name": "x"}, "name"),
    ({"lexical": {"k1": "much"}}, "lexical.k1"),
    ({"lexical": {"k1": True}}, "lexical.k1"),
    ({"lexical": {"k1": -1}}, "lexical.k1"),
    ({"lexical": {"b": 1.5}}, "lexical.b"),
    ({"lexical": {"limit": 1_000_000}}, "lexical.limit"),
    ({"lexical": 3}, "lexical"),
    ({"lexical": {"language": "klingon"}}, "lexical.language"),
    ({"lexical": {"language": "English"}}, "lexical.language"),
    ({"gate": {"rounds": 1.5}}, "gate.rounds"),
    ({"fusion": {"weights": {"lexical": -1}}}, "fusion.weights.lexical"),
    ({"fusion": {"weights": {"lexcial": 2}}}, "fusion.weights.lexcial"),
    ({"fusion": {"balances": {"mixed": {"sematnic": 2}}}}, "fusion.balances.mixed.sematnic"),
    ({"budget": {"characters_per_token": 0}}, "budget.characters_per_token"),
    ({"seconds": 0}, "seconds"),
]


async def test_a_change_that_cannot_be_names_its_parameter(memory: AsyncMuniment) -> None:
    for changes, parameter in REFUSED_CHANGES:
        error = await _error(memory.put_profile("mine", changes))
        assert (error.code, error.facts["parameter"]) == ("input.invalid", parameter)
    assert (await _error(memory.profile("mine"))).code == "profile.not_found"
    refused = await _error(memory.put_profile("mine", {"lexical": {"language": "klingon"}}))
    assert {"german", "simple"} <= set(refused.facts["known"]) and "'klingon'" in refused.detail
    assert "german" in refused.detail
    assert (await memory.put_profile("mine", {"lexical": {"language": "german"}})).version == 1


async def test_profiles_that_cannot_be_are_refused_for_the_right_reason(memory: AsyncMuniment) -> None:
    base = await _error(memory.put_profile("mine", {}, base="fancy"))
    assert (base.code, base.facts["profiles"]) == ("input.invalid", ["default", "reference"])
    large = {"fusion": {"weights": {f"route-{n}": 1.0 for n in range(2000)}}}
    assert (await _error(memory.put_profile("mine", large))).code == "input.too_large"
    for name in ("", "a/b", "..", "x" * 65, "ü"):
        assert (await _error(memory.put_profile(name, {}))).code == "input.invalid"
    for name in ("a/../default", "..", "nobody"):
        assert (await _error(memory.profile(name))).code == "profile.not_found"
    assert (await _error(memory.put_profile("mine", {"lexical": {"k1": float("nan")}}))).code.startswith("input.")
    assert (await _error(memory.search("x", profile="nobody"))).code == "input.invalid"


async def test_the_same_profile_put_again_stays_the_same_version(memory: AsyncMuniment) -> None:
    first = await memory.put_profile("default", {"lexical": {"k1": 1.4}})
    assert await memory.put_profile("default", {"lexical": {"k1": 1.4}}) == first
    second = await memory.put_profile("default", {})
    assert (second.version, second.parameters["lexical"]) == (first.version + 1, DEFAULT.parameters()["lexical"])
    assert (await memory.put_profile("default", {"lexical": {"k1": 1.4}})).version == first.version + 2


async def test_a_profile_differs_from_the_built_in_one_of_its_name_and_counts_its_versions_on(
    memory: AsyncMuniment,
) -> None:
    made = await memory.put_profile("reference", {"lexical": {"k1": 1.4}})
    assert (made.base, made.version, made.parameters["ranking"]) == ("reference", REFERENCE.version + 1, "rerank")
    assert (await memory.put_profile("mine", {})).base == "default"
    assert (await memory.put_profile("reference", {}, base="default")).parameters["ranking"] == DEFAULT.ranking


REFUSED_OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"filters": {"colour": "red"}}, "input.filter_unknown"),
    ({"filters": {"time": {"from": "2026-01-01T00:00:00Z"}}}, "input.filter_unknown"),
    ({"filters": {"metadata": {"k": {"near": 1}}}}, "input.filter_unknown"),
    ({"filters": {"said": {"since": "2026-01-01T00:00:00"}}}, "input.time_without_zone"),
    ({"as_of": datetime(2026, 1, 1)}, "input.time_without_zone"),
    ({"asked_at": datetime(2026, 1, 1)}, "input.time_without_zone"),
    ({"as_of": datetime(251, 10, 19, tzinfo=timezone(-timedelta(hours=18)))}, "input.time_invalid"),
    ({"filters": {"said": {"until": "2026-01-01T00:00:00+23:59"}}}, "input.time_invalid"),
    ({"filters": {"kind": "rumour"}}, "input.invalid"),
    ({"filters": {"group": []}}, "input.invalid"),
    ({"filters": {"group": "a"}, "group_id": "b"}, "input.invalid"),
    ({"filters": {"time": {}}}, "input.invalid"),
    ({"without": ["magic"]}, "input.invalid"),
    ({"timeout": 0}, "input.invalid"),
    ({"known_at": 99}, "input.invalid"),
]


async def test_an_option_that_cannot_be_is_refused_by_search_and_query(
    memory: AsyncMuniment,
) -> None:
    for options, code in REFUSED_OPTIONS:
        assert (await _error(memory.search("pier", **options))).code == code, options
        assert (await _error(memory.query("pier?", **options))).code == code, options


async def test_what_may_be_left_out_is_listed_where_it_is_not_known(memory: AsyncMuniment) -> None:
    error = await _error(memory.search("pier", without=["magic"]))
    assert {"lexical", "semantic", "gate", "deep_recall", "budget"} <= set(error.facts["known"])
    assert "'magic'" in error.detail and all(name in error.detail for name in error.facts["known"])


async def test_options_reach_the_search(memory: AsyncMuniment) -> None:
    for speaker, at in (("Ada", 1), ("Ben", 2)):
        message = {"speaker": speaker, "content": "The pier is blue.", "at": datetime(2026, 1, at, tzinfo=UTC)}
        await memory.ingest_messages([message], group_id=speaker)
    assert [hit.speaker for hit in (await memory.search("pier", filters={"speaker": "Ben"})).hits] == ["Ben"]
    assert [hit.speaker for hit in (await memory.search("pier", known_at=1)).hits] == ["Ada"]
    as_of = datetime(2026, 1, 1, 12, tzinfo=UTC)
    assert [hit.speaker for hit in (await memory.search("pier", as_of=as_of)).hits] == ["Ada"]
    assert (await memory.search("pier", without=["lexical"])).hits == []
