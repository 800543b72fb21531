"""What an open transaction may still see stays in the files: until it ends nobody is told that it is gone."""

import time
from pathlib import Path

import psycopg
import pytest

from muniment.database.embedded import EmbeddedServer
from muniment.database.setup import driver_conninfo
from muniment.errors import MunimentError
from muniment.jobs import vacuuming
from muniment.memory.local import LocalMuniment
from muniment.model.namespace import Namespace
from muniment.model.source import SourceInput
from muniment.settings import Settings

WORD = "zorblaxian"


def _in_files(place: Path) -> list[str]:
    return [str(path) for path in place.rglob("*") if path.is_file() and WORD.encode() in path.read_bytes().lower()]


async def test_an_erasure_is_no_more_than_purged_while_a_transaction_may_see_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vacuuming, "_PATIENCE", 0.3)
    place = tmp_path / "store"
    server = EmbeddedServer(place)
    settings = Settings(data_dir=place, embedding_provider="none", job_retry_delay=0.2, close_drain=20.0)
    async with LocalMuniment(settings, Namespace()) as memory:
        run = await memory.ingest(SourceInput(kind="text", text=f"The {WORD} met at noon.", source_key="a"))
        reader = psycopg.connect(driver_conninfo(server.url()))
        reader.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        reader.execute("select 1")
        receipt = await memory.erase(records=run.items[0].record_ids, reason="asked to")
        with pytest.raises(MunimentError, match="may still see what was erased") as refused:
            vacuuming.rewrite_files(server.url(), None)
        assert refused.value.code == "store.busy" and f"process {reader.info.backend_pid}" in refused.value.detail
        runtime = await memory._open()
        await runtime.runner.drain(5)
        assert (await memory.erasure(receipt.id)).state == "purged"
        reader.close()
        deadline = time.monotonic() + 120
        while (await memory.erasure(receipt.id)).state != "vacuumed":
            assert time.monotonic() < deadline, await memory.jobs()
            await runtime.runner.drain(10)
    assert server.wait_stopped()
    assert _in_files(place) == []
