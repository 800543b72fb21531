"""Checkpoints: signed by one key, exported, and never over a log that is not what it was."""

import asyncio
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from log_seeding import write
from sqlalchemy import create_engine, text

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.checkpoints import export_file, exported_notes, sign_checkpoint
from muniment.log.notes import verify_checkpoint
from muniment.log.signing import key_file, signing_key
from muniment.log.tree import EMPTY_ROOT
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant


def corrupt(admin_url: str, *statements: str) -> None:
    """As the superuser, past every constraint."""
    engine = create_engine(admin_url)
    with engine.begin() as connection:
        connection.execute(text("set session_replication_role = replica"))
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


async def test_a_checkpoint_is_the_end_of_the_log_and_its_history_is_exported(
    database: Database, tenant: Tenant, settings: Settings
) -> None:
    empty = await sign_checkpoint(database, tenant.number)
    assert (empty.checkpoint.size, empty.checkpoint.root) == (0, EMPTY_ROOT)
    commit, _ = await write(database, tenant.number, "g", ["a", "b", "c"])
    signed = await sign_checkpoint(database, tenant.number)
    assert (signed.checkpoint.size, signed.checkpoint.root) == (3, commit.root)
    assert signed.checkpoint.origin == f"muniment/t_{tenant.public_id.hex}"
    assert (await sign_checkpoint(database, tenant.number)).note == signed.note
    assert exported_notes(settings, tenant.public_id) == [empty.note, signed.note]
    assert verify_checkpoint(signed.note, signed.key) == signed.checkpoint


async def test_many_who_sign_at_once_while_others_write_leave_a_whole_history(
    database: Database, tenant: Tenant, settings: Settings
) -> None:
    async def sign_and_write(number: int) -> None:
        await write(database, tenant.number, f"g{number}", ["a"])
        await sign_checkpoint(database, tenant.number)

    await asyncio.gather(*(sign_and_write(number) for number in range(8)))
    signed = await sign_checkpoint(database, tenant.number)
    found = [verify_checkpoint(note, signed.key).size for note in exported_notes(settings, tenant.public_id)]
    assert len(set(found)) == len(found) and max(found) == 8
    assert export_file(settings, tenant.public_id).read_text().count("\n\n") == 2 * len(found)


async def test_a_log_that_was_rewritten_or_cut_is_not_signed_again(
    database: Database, tenant: Tenant, admin_url: str
) -> None:
    await write(database, tenant.number, "g", ["a", "b", "c"])
    await sign_checkpoint(database, tenant.number)
    corrupt(admin_url, "update muniment.log_entry set leaf = sha256('x') where entry_no = 2")
    await write(database, tenant.number, "h", ["d"])
    with pytest.raises(MunimentError, match="does not extend"):
        await sign_checkpoint(database, tenant.number)
    corrupt(admin_url, "update muniment.log_head set entries = 1, peaks = array[sha256('x')]")
    with pytest.raises(MunimentError, match="shorter"):
        await sign_checkpoint(database, tenant.number)


async def test_a_rewrite_is_not_signed_where_only_the_stored_checkpoint_is_left(
    database: Database, tenant: Tenant, settings: Settings, admin_url: str
) -> None:
    await write(database, tenant.number, "g", ["a", "b", "c"])
    await sign_checkpoint(database, tenant.number)
    export_file(settings, tenant.public_id).unlink()
    corrupt(admin_url, "update muniment.log_head set peaks[2] = sha256('x')")
    with pytest.raises(MunimentError, match="does not extend"):
        await sign_checkpoint(database, tenant.number)


async def test_a_checkpoint_that_cannot_be_exported_is_an_error(
    database: Database, tenant: Tenant, settings: Settings
) -> None:
    await sign_checkpoint(database, tenant.number)
    path = export_file(settings, tenant.public_id)
    note = path.read_text()
    path.unlink()
    path.mkdir()
    await write(database, tenant.number, "g", ["a"])
    with pytest.raises(MunimentError) as raised:
        await sign_checkpoint(database, tenant.number)
    assert raised.value.code == "checkpoint.file_unusable"
    path.rmdir()
    path.write_text(note)
    await sign_checkpoint(database, tenant.number)
    assert len(exported_notes(settings, tenant.public_id)) == 2


def test_the_key_is_private_and_stays_the_same(settings: Settings) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = list(pool.map(lambda _: signing_key(settings), range(8)))
    assert len({key.private_bytes_raw() for key in keys}) == 1
    assert stat.S_IMODE(key_file(settings).stat().st_mode) == 0o600
    assert [path.name for path in settings.store_dir.iterdir()] == ["signing.key"]


def test_a_key_file_that_holds_no_such_key_is_named_in_the_error(tmp_path: Path) -> None:
    path = tmp_path / "elsewhere.pem"
    path.write_text("no key")
    with pytest.raises(MunimentError) as raised:
        signing_key(Settings(data_dir=tmp_path, signing_key_file=path))
    assert raised.value.code == "signing.key_unusable" and str(path) in raised.value.detail
