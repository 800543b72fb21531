"""A backup opens as the store that it was, and loses again what was erased since."""

import shutil
from pathlib import Path

import pytest

from muniment.backup import back_up, restore
from muniment.database.embedded import EmbeddedServer
from muniment.errors import MunimentError
from muniment.memory.local import LocalMuniment
from muniment.model.namespace import Namespace
from muniment.settings import Settings


def _settings(directory: Path) -> Settings:
    return Settings(
        data_dir=directory, embedding_provider="none", extraction="off", summaries="off", close_drain=0, pool_size=2
    )


async def _remember(memory: LocalMuniment, text: str) -> str:
    run = await memory.ingest_messages([{"role": "user", "content": text}], group_id="chat")
    return (run.items[0].record_ids or [])[0]


async def _texts(memory: LocalMuniment) -> set[str]:
    return {hit.text for hit in (await memory.search("quay dusk dawn noon")).hits}


async def test_a_backup_of_a_running_store_is_restored_without_what_was_erased_since(tmp_path: Path) -> None:
    settings, target = _settings(tmp_path / "store"), tmp_path / "backup"
    async with LocalMuniment(settings, Namespace()) as memory:
        gone = await _remember(memory, "The quay closes at dusk.")
        stays = await _remember(memory, "The quay opens at dawn.")
        await memory.checkpoint()
        made = back_up(settings, target)
        assert made.signing_key and oct(target.stat().st_mode)[-3:] == "700"
        with pytest.raises(MunimentError) as caught:
            back_up(settings, target)
        assert caught.value.code == "backup.exists"
        await memory.erase(records=[gone], reason="asked to")
        await _remember(memory, "The quay rests at noon.")
        await memory.checkpoint()
        root = (await memory.validate()).root

    # the database is lost, and what lies beside it is not
    assert EmbeddedServer(settings.store_dir).wait_stopped()
    shutil.rmtree(settings.store_dir / "postgres")
    done = await restore(settings, target)
    assert (done.erasures, done.checkpoints_set_aside) == (1, 1)
    async with LocalMuniment(settings, Namespace()) as memory:
        assert await _texts(memory) == {"The quay opens at dawn."}
        assert (await memory.record(gone)).text is None
        validated = await memory.validate()
        assert (validated.findings, validated.checkpoint) == ([], "matches")
        assert validated.root != root
        await memory.checkpoint()
        assert (await memory.proof(stays)).record_id == stays
    [lost] = (settings.store_dir / "checkpoints").glob("*.lost.txt")
    assert lost.read_text().count("muniment/t_") >= 1

    # on another machine, with the ledger of the backup alone
    other = _settings(tmp_path / "other")
    assert (await restore(other, target)).erasures == 0
    async with LocalMuniment(other, Namespace()) as memory:
        assert await _texts(memory) == {"The quay opens at dawn.", "The quay closes at dusk."}
        assert (await memory.validate()).checkpoint == "matches"


async def test_a_damaged_backup_and_a_store_that_is_there_are_refused(tmp_path: Path) -> None:
    settings, target = _settings(tmp_path / "store"), tmp_path / "backup"
    async with LocalMuniment(settings, Namespace()) as memory:
        await _remember(memory, "The quay closes at dusk.")
        await memory.checkpoint()  # which makes the key
        back_up(settings, target)
    with pytest.raises(MunimentError) as caught:
        await restore(settings, target)
    assert caught.value.code == "store.exists"
    lacking = tmp_path / "lacking"
    shutil.copytree(target, lacking)
    (lacking / "signing.key").unlink()
    largest = max((target / "postgres" / "base").rglob("*"), key=lambda path: path.stat().st_size)
    content = bytearray(largest.read_bytes())
    content[len(content) // 2] ^= 1
    largest.write_bytes(content)
    other = _settings(tmp_path / "other")
    for damaged in (target, lacking, tmp_path / "nothing"):
        with pytest.raises(MunimentError) as caught:
            await restore(other, damaged)
        assert caught.value.code == "backup.invalid"
    assert not (tmp_path / "other" / "postgres").exists() and not (tmp_path / "other" / "signing.key").exists()


async def test_another_database_is_backed_up_otherwise(tmp_path: Path, admin_url: str) -> None:
    settings = _settings(tmp_path / "store").model_copy(update={"database_url": admin_url})
    with pytest.raises(MunimentError) as caught:
        back_up(settings, tmp_path / "backup")
    assert caught.value.code == "input.invalid"
