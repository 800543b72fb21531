"""Correcting, forgetting, retracting, undoing and history through every way to a memory."""

from collections.abc import AsyncIterator
from contextlib import nullcontext
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from muniment.api.app import create_app
from muniment.errors import MunimentError
from muniment.memory import AsyncMuniment
from muniment.memory.local import LocalMuniment
from muniment.memory.remote import RemoteMuniment
from muniment.model.namespace import Namespace
from muniment.runtime import open_runtime
from muniment.settings import Settings
from muniment.tenancy.keys import create_key
from muniment.tenancy.principal import SCOPES


@pytest.fixture(params=["local", "remote"])
async def memory(request: pytest.FixtureRequest, admin_url: str, tmp_path: Path) -> AsyncIterator[AsyncMuniment]:
    settings = Settings(
        database_url=SecretStr(admin_url), data_dir=tmp_path / "store", embedding_provider="none", pool_size=4
    )
    if request.param == "local":
        async with LocalMuniment(settings, Namespace()) as opened:
            yield opened
        return
    async with open_runtime(settings, run_jobs=True) as runtime:
        app = create_app(settings, nullcontext(runtime))
        app.state.runtime = runtime
        key = await create_key(runtime.database, runtime.tenant.number, "test", SCOPES)
        transport = httpx.ASGITransport(app=app)
        async with RemoteMuniment("http://server", key.secret, Namespace(), 60.0, transport=transport) as remote:
            yield remote


async def test_a_record_is_corrected_forgotten_and_brought_back(memory: AsyncMuniment) -> None:
    turns = [{"role": "Maya", "content": f"The ferry leaves at {hour}."} for hour in ("noon", "six")]
    run = await memory.ingest_messages(turns, group_id="chat")
    first, second = run.items[0].record_ids or []
    corrected = await memory.correct(first, "The ferry leaves at one.", reason="a new timetable")
    assert (await memory.search("ferry one")).hits[0].text == "The ferry leaves at one."
    assert (await memory.search("ferry noon", filters={"kind": "raw"})).hits[0].record_id == second
    forgotten = await memory.forget([second], reason="asked to")
    assert forgotten.closed == [second]
    assert second not in [hit.record_id for hit in (await memory.search("ferry six")).hits]
    known = await memory.search("ferry six", known_at=forgotten.commit - 1)
    assert second in [hit.record_id for hit in known.hits]
    assert (await memory.undo(forgotten.commit, reason="a mistake")).reopened == [second]
    assert second in [hit.record_id for hit in (await memory.search("ferry six")).hits]
    told = await memory.history(first)
    assert [version.id for version in told.versions] == [first, corrected.correction]
    source = (await memory.record(first)).source_id
    assert set((await memory.retract(source, reason="not ours")).closed) == {second, corrected.correction}
    assert (await memory.search("ferry")).hits == []
    with pytest.raises(MunimentError) as caught:
        await memory.undo(10**6, reason="x")
    assert caught.value.code == "commit.not_found"
    assert (await memory.validate()).findings == []
