"""The runtime: opened whole or not at all, and closed in order."""

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import SecretStr
from sqlalchemy import create_engine, text

from muniment.errors import MunimentError
from muniment.log.proofs import verify_record_proof
from muniment.memory import AsyncMuniment
from muniment.runtime import open_runtime
from muniment.settings import Settings
from muniment.tenancy.tenants import create_tenant


def _held(store: Path) -> bool:
    """Whether an embedded server of this store runs, or is about to stop."""
    return (store / "postgres" / "postmaster.pid").exists()


async def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        await asyncio.sleep(0.05)


@pytest.fixture
def there(admin_url: str, settings: Settings) -> Settings:
    """A store in a migrated database."""
    return settings.model_copy(update={"database_url": SecretStr(admin_url)})


def _connections(admin_url: str) -> int:
    engine = create_engine(admin_url)
    try:
        with engine.begin() as connection:
            statement = "select count(*) from pg_stat_activity where datname = current_database() and usename = :role"
            count: int = connection.execute(text(statement), {"role": "muniment_app"}).scalar_one()
            return count
    finally:
        engine.dispose()


async def test_it_opens_everything_and_leaves_no_connection(there: Settings, admin_url: str) -> None:
    async with open_runtime(there, run_jobs=True) as runtime:
        assert runtime.runner.started
        assert runtime.embedder is not None
        assert runtime.model_no is not None
        again = runtime.tenant
        assert _connections(admin_url) > 0
    assert _connections(admin_url) == 0
    async with open_runtime(there, run_jobs=False) as runtime:
        assert not runtime.runner.started
        assert runtime.tenant == again


async def test_without_a_model_it_opens_too(there: Settings) -> None:
    async with open_runtime(there.model_copy(update={"embedding_provider": "none"}), run_jobs=True) as runtime:
        assert (runtime.embedder, runtime.model_no) == (None, None)


async def test_opening_that_fails_half_way_closes_what_was_open(there: Settings, admin_url: str) -> None:
    with pytest.raises(MunimentError) as caught:
        async with open_runtime(there.model_copy(update={"embedding_model": "no-such-model"}), run_jobs=True):
            raise AssertionError("it must not open")
    assert caught.value.code.startswith("provider.")
    assert _connections(admin_url) == 0


async def test_an_error_inside_closes_everything_as_well(there: Settings, admin_url: str) -> None:
    with pytest.raises(ZeroDivisionError):
        async with open_runtime(there, run_jobs=True):
            raise ZeroDivisionError
    assert _connections(admin_url) == 0


async def test_a_start_that_is_cancelled_leaves_no_server_behind(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "store", embedding_provider="none")
    opening = asyncio.create_task(open_runtime(settings, run_jobs=True).__aenter__())
    await asyncio.sleep(0.3)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    await _until(lambda: _held(tmp_path / "store"))  # the thread goes on to the end of its work
    await _until(lambda: not _held(tmp_path / "store"))


async def test_what_a_closing_leaves_is_done_at_the_next_opening(there: Settings) -> None:
    hurried = there.model_copy(update={"close_drain": 0.0, "job_stop_grace": 0.0, "job_poll": 60.0})
    idle = hurried.model_copy(update={"pgbouncer": True})  # does not hear of new jobs, and polls once a minute
    turns = [{"role": "Maya", "content": f"Ferry {n} leaves at noon."} for n in range(3)]
    async with AsyncMuniment.open(settings=idle) as memory:
        await memory.start()
        await asyncio.sleep(0.2)
        await memory.ingest_messages(turns, group_id="chat", wait="lexical")
        assert (await memory.sources())[0].embedded == 0
    async with AsyncMuniment.open(settings=there) as memory:
        deadline = time.monotonic() + 60
        while (await memory.sources())[0].embedded < 3:
            assert time.monotonic() < deadline
            await asyncio.sleep(0.05)


async def test_closing_works_off_the_jobs_of_a_short_program(there: Settings) -> None:
    quiet = there.model_copy(update={"pgbouncer": True, "job_poll": 60.0, "close_drain": 60.0})
    async with AsyncMuniment.open(settings=quiet) as memory:
        await memory.start()
        await asyncio.sleep(0.2)
        await memory.ingest_messages([{"role": "a", "content": "Noon."}], group_id="chat", wait="lexical")
    async with AsyncMuniment.open(settings=quiet) as memory:
        assert (await memory.sources())[0].embedded == 1


async def test_each_tenant_has_its_own_checkpoints_and_reports(there: Settings) -> None:
    async with open_runtime(there, run_jobs=False) as runtime:
        other = await create_tenant(runtime.database, "other")
        first, second = [await runtime.checkpoint(tenant.number) for tenant in (runtime.tenant, other)]
        assert first.splitlines()[0] != second.splitlines()[0]
        report = await runtime.validate(other.number, checkpoint=second)
        assert report.valid
        with pytest.raises(MunimentError):
            await runtime.validate(other.number, checkpoint=first)


async def test_an_awaited_memory_is_open_and_a_database_url_wins_over_the_path(there: Settings, tmp_path: Path) -> None:
    path = tmp_path / "elsewhere"
    memory = await AsyncMuniment.open(path, settings=there)
    try:
        run = await memory.ingest_messages([{"role": "a", "content": "Noon."}], group_id="chat")
        verify_record_proof(await memory.proof(run.items[0].record_ids[0]))
    finally:
        await memory.close()
    assert not (path / "postgres").exists()
    assert {"signing.key"} <= set(os.listdir(path))
