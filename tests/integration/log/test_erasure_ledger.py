"""An erasure is in the ledger before it is in the database: a crash between the two erases later, never less."""

from pathlib import Path

import pytest

from muniment.errors import MunimentError
from muniment.log.ledger import LedgerLine, append_line, read_ledgers
from muniment.memory.local import LocalMuniment
from muniment.model.identifiers import ERASURE, new_id, public_id
from muniment.model.namespace import Namespace
from muniment.settings import Settings


async def _remember(memory: LocalMuniment, text: str) -> str:
    receipt = await memory.ingest_messages([{"role": "user", "content": text}], group_id="chat")
    return (receipt.items[0].record_ids or [])[0]


async def test_nothing_is_erased_while_the_ledger_cannot_be_written(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "store")
    async with LocalMuniment(settings, Namespace()) as memory:
        record = await _remember(memory, "The quay closes at dusk.")
        (settings.store_dir / "erasures").write_text("in the way of the directory")
        with pytest.raises(MunimentError) as caught:
            await memory.erase(records=[record], reason="asked to")
        assert caught.value.code == "store.ledger_unusable"
        assert (await memory.record(record)).text == "The quay closes at dusk."
        (settings.store_dir / "erasures").unlink()
        assert (await memory.erase(records=[record], reason="asked to")).records == 1
        assert (await memory.record(record)).text is None
    [lines] = read_ledgers(settings).values()
    assert [line.records for line in lines] == [[record]]


async def test_an_erasure_of_which_only_the_line_was_left_is_made_at_the_next_start(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "store")
    async with LocalMuniment(settings, Namespace()) as memory:
        record, other = await _remember(memory, "The quay closes at dusk."), await _remember(memory, "Ida rows.")
        runtime = await memory._open()
        async with runtime.database.scope(runtime.tenant.number) as scope:
            tenant = await scope.value("tenants.public_id")
        line = LedgerLine(public_id(ERASURE, new_id()), runtime.tenant.number, [record], [], "asked to")
        await append_line(settings, tenant, line)
    async with LocalMuniment(settings, Namespace()) as memory:
        assert (await memory.record(record)).text is None
        assert (await memory.record(other)).text == "Ida rows."
        assert (await memory.erasure(line.erasure)).records == 1
        assert (await memory.validate()).findings == []
