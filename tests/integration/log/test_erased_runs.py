"""Erasing an ingestion run takes what it brought, and what it keeps of what failed to be tried again."""

from base64 import b64encode
from pathlib import Path

import pytest

from muniment.errors import MunimentError
from muniment.log.ledger import LedgerLine, append_line
from muniment.memory.local import LocalMuniment
from muniment.model.identifiers import ERASURE, new_id, public_id
from muniment.model.namespace import Namespace
from muniment.model.source import SourceInput
from muniment.settings import Settings

UNREADABLE = b"%PDF-1.4 zwieback marzipan"


async def _originals(memory: LocalMuniment) -> int:
    runtime = await memory._open()
    async with runtime.database.scope(runtime.tenant.number) as scope:
        row = await scope.row("validate.sizes")
    assert row is not None
    return int(row["blobs"])


def _settings(path: Path) -> Settings:
    return Settings(data_dir=path / "store", embedding_provider="none")


def _file(data: bytes, key: str) -> SourceInput:
    return SourceInput(kind="file", filename=key, source_key=key, content_base64=b64encode(data).decode())


async def test_the_kept_bytes_and_names_of_what_failed_go_with_what_was_stored(tmp_path: Path) -> None:
    async with LocalMuniment(_settings(tmp_path), Namespace()) as memory:
        kept = await memory.ingest([_file(b"The weir is dry.", "weir.txt")])
        run = await memory.ingest([_file(UNREADABLE, "recipe.pdf"), _file(b"The mill turns.", "mill.txt")])
        assert [item.state for item in run.items] == ["failed", "stored"]
        assert await _originals(memory) == 3
        receipt = await memory.erase(runs=[run.id], reason="asked to")
        assert receipt.records == 1
        assert await _originals(memory) == 1
        failed, stored = (await memory.run(run.id)).items
        assert failed.source_key is None and failed.error is not None and "erased" in failed.error.detail
        assert (await memory.record((stored.record_ids or [])[0])).text is None
        assert (await memory.record((kept.items[0].record_ids or [])[0])).text == "The weir is dry."
        with pytest.raises(MunimentError) as caught:
            await memory.retry(run.id)
        assert caught.value.code == "source.retry_impossible"
        assert (await memory.validate()).findings == []


async def test_bytes_that_another_run_keeps_stay_until_it_is_erased_too(tmp_path: Path) -> None:
    async with LocalMuniment(_settings(tmp_path), Namespace()) as memory:
        first = await memory.ingest([_file(UNREADABLE, "recipe.pdf")])
        second = await memory.ingest([_file(UNREADABLE, "copy.pdf")])
        await memory.erase(runs=[first.id], reason="asked to")
        assert await _originals(memory) == 1
        assert (await memory.run(second.id)).items[0].source_key == "copy.pdf"
        await memory.erase(runs=[second.id], reason="asked to")
        assert await _originals(memory) == 0
        with pytest.raises(MunimentError) as caught:
            await memory.erase(runs=["r_nothing"], reason="asked to")
        assert caught.value.code == "run.not_found"


async def test_a_restored_store_loses_the_run_by_its_ledger(tmp_path: Path) -> None:
    settings = _settings(tmp_path)
    async with LocalMuniment(settings, Namespace()) as memory:
        run = await memory.ingest([_file(UNREADABLE, "recipe.pdf")])
        runtime = await memory._open()
        async with runtime.database.scope(runtime.tenant.number) as scope:
            tenant = await scope.value("tenants.public_id")
        line = LedgerLine(public_id(ERASURE, new_id()), runtime.tenant.number, [], [], "asked to", [run.id])
        await append_line(settings, tenant, line)
    async with LocalMuniment(settings, Namespace()) as memory:
        assert (await memory.run(run.id)).items[0].source_key is None
        assert await _originals(memory) == 0


async def test_what_failed_under_a_name_that_an_erasure_takes_out_is_not_kept_without_it(tmp_path: Path) -> None:
    async with LocalMuniment(_settings(tmp_path), Namespace()) as memory:
        await memory.ingest([_file(b"\xff\xfe\x00 of no use", "zeppelin.txt")])
        stored = await memory.ingest_messages([{"role": "user", "content": "The zeppelin lands."}], group_id="chat")
        await memory.erase(records=stored.items[0].record_ids or [], reason="asked to")
        assert await _originals(memory) == 0
