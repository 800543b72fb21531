"""A streaming replica serves searches while it is near enough, says how near, and otherwise the primary does."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr
from sqlalchemy import URL, make_url
from standby import pause_replay, running_standby

from muniment.database.embedded import EmbeddedServer
from muniment.database.replica import Replica
from muniment.database.setup import driver_conninfo
from muniment.errors import MunimentError
from muniment.log.erasure import erase
from muniment.memory.local import LocalMuniment
from muniment.model.identifiers import QUERY, parse_id
from muniment.model.namespace import Namespace
from muniment.model.request import QueryRequest, SearchRequest
from muniment.model.result import SearchResult
from muniment.model.source import SourceInput
from muniment.model.sql_logins import SqlLoginRequest
from muniment.runtime import Runtime, open_runtime
from muniment.settings import Settings
from muniment.tenancy.sql_logins import create_login, drop_login


@pytest.fixture(scope="module")
def primary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    """A server of its own: a replica copies all of it, also other tests' databases."""
    with EmbeddedServer(tmp_path_factory.mktemp("primary"), {"fsync": "off", "shared_buffers": "32MB"}) as running:
        yield running


@pytest.fixture(scope="module")
def standby(primary: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[URL]:
    asyncio.run(_set_up(_settings(primary)))
    with running_standby(primary, tmp_path_factory.mktemp("standby") / "server", "muniment") as url:
        yield url


async def _set_up(settings: Settings) -> None:
    async with LocalMuniment(settings, Namespace()) as memory:
        await memory.ingest(SourceInput(kind="text", text="The quay closes at dusk.", source_key="quay"))


def _settings(primary: EmbeddedServer, standby: URL | None = None) -> Settings:
    return Settings(
        data_dir=primary.store, embedding_provider="none", extraction="off", summaries="off", pool_size=3,
        close_drain=0, replica_poll=0.05, replica_max_lag=60.0,
        replica_url=None if standby is None else SecretStr(standby.render_as_string(hide_password=False)),
    )  # fmt: skip


@pytest.fixture
async def runtime(primary: EmbeddedServer, standby: URL) -> AsyncIterator[Runtime]:
    async with open_runtime(_settings(primary, standby), run_jobs=False) as opened:
        await _until(opened, usable=True)
        yield opened


async def _until(runtime: Runtime, *, usable: bool) -> None:
    assert runtime.replica is not None
    deadline = time.monotonic() + 60
    while runtime.replica.usable is not usable:
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)


async def _search(runtime: Runtime, question: str) -> SearchResult:
    return await runtime.retriever.search(runtime.tenant.number, SearchRequest(query=question))


def _on_replica(result: SearchResult) -> bool:
    return any("replica" in note for note in result.notes)


async def test_searches_go_to_the_replica_and_their_runs_are_stored_on_the_primary(runtime: Runtime) -> None:
    found = await _search(runtime, "When does the quay close?")
    assert [hit.text for hit in found.hits] == ["The quay closes at dusk."]
    assert _on_replica(found)
    async with runtime.database.scope(runtime.tenant.number) as scope:
        assert await scope.value("query_runs.get", query_id=parse_id(QUERY, found.query_id)) is not None
    answer = await runtime.retriever.query(runtime.tenant.number, QueryRequest(question="When does the quay close?"))
    assert answer.answer == "The quay closes at dusk. [1]" and any("replica" in note for note in answer.notes)


async def test_a_replica_that_is_too_far_behind_is_left_out_until_it_has_caught_up(
    runtime: Runtime, standby: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert runtime.replica is not None
    pause_replay(standby, paused=True)
    try:
        await _write(runtime, "The lighthouse is white.")
        monkeypatch.setattr(runtime.settings, "replica_max_lag", 1.0)
        await _until(runtime, usable=False)
        found = await _search(runtime, "lighthouse white")
        assert not _on_replica(found) and [hit.text for hit in found.hits] == ["The lighthouse is white."]
    finally:
        pause_replay(standby, paused=False)
    await _until(runtime, usable=True)
    monkeypatch.undo()
    found = await _search(runtime, "lighthouse white")
    assert _on_replica(found) and [hit.text for hit in found.hits] == ["The lighthouse is white."]


async def test_an_idle_primary_makes_its_replica_no_staler(runtime: Runtime) -> None:
    assert runtime.replica is not None
    before = runtime.replica.lag
    await asyncio.sleep(1.5)
    deadline = time.monotonic() + 60
    while runtime.replica.lag >= before + 1.0:  # as if each look had been in vain
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)


async def test_what_is_erased_is_not_served_by_a_replica_that_has_it_still(runtime: Runtime, standby: URL) -> None:
    record = await _write(runtime, "The password is swordfish.")
    while record not in [hit.record_id for hit in (await _search(runtime, "password swordfish")).hits]:
        pass  # not yet streamed
    pause_replay(standby, paused=True)
    try:
        await erase(runtime.database, runtime.tenant.number, records=[record], reason="asked to")
        with pytest.raises(MunimentError) as caught:
            while True:
                assert _on_replica(await _search(runtime, "password swordfish"))
        assert caught.value.code == "store.busy"
        found = await _search(runtime, "password swordfish")  # by the primary: the replica was left out
        assert not _on_replica(found) and record not in [hit.record_id for hit in found.hits]
    finally:
        pause_replay(standby, paused=False)


async def test_a_primary_is_no_replica_and_one_that_is_away_is_waited_for(
    primary: EmbeddedServer, runtime: Runtime, tmp_path: Path
) -> None:
    own = make_url(primary.url("muniment_app"))
    for url in (own, own.set(query={"host": str(tmp_path)})):
        replica = Replica(url.render_as_string(hide_password=False), runtime.database, runtime.settings)
        try:
            await replica.start()
            assert not replica.usable and replica.lag == float("inf")
        finally:
            await replica.close()


async def test_a_role_that_sees_all_tenants_is_refused_on_the_replica_too(runtime: Runtime, standby: URL) -> None:
    replica = Replica(standby.set(username="postgres").render_as_string(), runtime.database, runtime.settings)
    with pytest.raises(MunimentError) as caught:
        await replica.start()
    await replica.close()
    assert caught.value.code == "store.unsafe_role"


async def _write(runtime: Runtime, text: str) -> str:
    source = SourceInput(kind="text", text=text, source_key=text)
    run = await runtime.writer.ingest_sources(runtime.tenant.number, Namespace(), [source])
    return (run.items[0].record_ids or [])[0]


async def test_sql_logins_are_held_to_their_limits_on_the_replica_too(
    primary: EmbeddedServer, standby: URL, runtime: Runtime
) -> None:
    admin_url = primary.url()
    login = await create_login(runtime.database, admin_url, runtime.tenant.number, SqlLoginRequest(), seconds=60)
    limited = _settings(primary, standby).model_copy(update={"sql_login_statement_limit": 0.5, "sql_login_period": 0.2})
    try:
        async with open_runtime(limited, run_jobs=False) as watching:
            await _until(watching, usable=True)
            signed_in = driver_conninfo(standby.set(username=login.name))
            async with await psycopg.AsyncConnection.connect(signed_in, autocommit=True) as session:
                await session.execute("set statement_timeout = 0")
                with pytest.raises(psycopg.errors.QueryCanceled):
                    await session.execute("select pg_sleep(60)")
    finally:
        await drop_login(runtime.database, admin_url, runtime.tenant.number, login.name)
