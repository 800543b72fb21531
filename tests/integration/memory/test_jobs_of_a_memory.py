"""Background jobs through every way to a memory, and the keys that may manage them."""

from collections.abc import AsyncIterator
from contextlib import nullcontext
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr
from sqlalchemy import create_engine, text

from muniment.api.app import create_app
from muniment.errors import MunimentError
from muniment.memory import AsyncMuniment
from muniment.memory.local import LocalMuniment
from muniment.memory.remote import RemoteMuniment
from muniment.model.namespace import Namespace
from muniment.runtime import Runtime, open_runtime
from muniment.settings import Settings
from muniment.tenancy.keys import create_key
from muniment.tenancy.principal import SCOPES


@pytest.fixture
def idle(admin_url: str, tmp_path: Path) -> Settings:
    """A store where no job runs: all are left to workers, and none is there."""
    return Settings(
        database_url=SecretStr(admin_url), data_dir=tmp_path / "store", pool_size=4, run_jobs_here=False,
        embedding_provider="none", extraction="off", summaries="off", tail_writes=1, close_drain=0.0,
    )  # fmt: skip


@pytest.fixture
async def runtime(idle: Settings) -> AsyncIterator[Runtime]:
    async with open_runtime(idle, run_jobs=True) as opened:
        yield opened


async def _remote(runtime: Runtime, *scopes: str) -> RemoteMuniment:
    app = create_app(runtime.settings, nullcontext(runtime))
    app.state.runtime = runtime
    key = await create_key(runtime.database, runtime.tenant.number, "test", scopes)
    return RemoteMuniment("http://server", key.secret, Namespace(), 60.0, transport=httpx.ASGITransport(app=app))


@pytest.fixture(params=["local", "remote"])
async def memory(request: pytest.FixtureRequest, runtime: Runtime, idle: Settings) -> AsyncIterator[AsyncMuniment]:
    opened = LocalMuniment(idle, Namespace()) if request.param == "local" else await _remote(runtime, *SCOPES)
    async with opened:
        yield opened


async def _code(awaitable: object) -> str:
    with pytest.raises(MunimentError) as caught:
        await awaitable  # type: ignore[misc]
    return caught.value.code


async def test_jobs_are_listed_cancelled_and_requeued(memory: AsyncMuniment, admin_url: str) -> None:
    await _ingest(memory)
    (job,) = (await memory.jobs()).jobs
    assert (job.kind, job.state, job.attempts) == ("merge", "queued", 0)
    assert await memory.job(job.id) == job
    assert (await memory.jobs(state="dead")).jobs == []
    assert await _code(memory.requeue_job(job.id)) == "job.not_dead"
    _kill(admin_url)
    assert [dead.id for dead in (await memory.jobs(state="dead", kind="merge", limit=1)).jobs] == [job.id]
    assert (await memory.requeue_job(job.id)).state == "queued"
    assert (await memory.cancel_job(job.id)).state == "cancelled"
    assert await _code(memory.cancel_job(job.id)) == "job.ended"
    assert await _code(memory.job("j_" + "0" * 32)) == "job.not_found"
    assert await _code(memory.job("../records")) == "job.not_found"
    assert await _code(memory.jobs(state="lost")) == "input.invalid"


async def test_a_reading_key_sees_jobs_and_manages_none(runtime: Runtime, idle: Settings) -> None:
    async with LocalMuniment(idle, Namespace()) as local:
        await _ingest(local)
    async with await _remote(runtime, "memory:read") as reader:
        (job,) = (await reader.jobs()).jobs
        assert await _code(reader.cancel_job(job.id)) == "auth.scope_missing"
        assert await _code(reader.requeue_job(job.id)) == "auth.scope_missing"


async def test_a_job_is_told_as_events_until_it_ends(runtime: Runtime, idle: Settings) -> None:
    async with LocalMuniment(idle, Namespace()) as local:
        await _ingest(local)
        (job,) = (await local.jobs()).jobs
        await local.cancel_job(job.id)
    app = create_app(idle, nullcontext(runtime))
    app.state.runtime = runtime
    key = await create_key(runtime.database, runtime.tenant.number, "test", ["memory:read"])
    headers = {"Authorization": f"Bearer {key.secret}"}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://server") as client:
        answer = await client.get(f"/api/v1/jobs/{job.id}/events", headers=headers)
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert "event: ended" in answer.text and '"state":"cancelled"' in answer.text
        missing = await client.get("/api/v1/jobs/j_nothing/events", headers=headers)
        assert (missing.status_code, missing.json()["code"]) == (404, "job.not_found")


async def _ingest(memory: AsyncMuniment) -> None:
    """As much as it takes to enqueue a merge of the index's tail."""
    turns = [{"role": "Maya", "content": f"Ferry {n} leaves at noon."} for n in range(64)]
    await memory.ingest_messages(turns, group_id="chat")


def _kill(admin_url: str) -> None:
    """Makes all jobs dead letters, as after their last attempt."""
    engine = create_engine(admin_url)
    with engine.begin() as connection:
        connection.execute(text("update muniment_jobs.queue set state = 'dead', attempts = 5"))
        connection.execute(text("update muniment.job set outcome = 'dead', error = 'x', finished_at = now()"))
    engine.dispose()
