"""A database of one's own is dumped and restored by the commands of docs/operations.md, as they stand there."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr
from sqlalchemy import make_url

from muniment.database.embedded import EmbeddedServer, binary
from muniment.database.setup import driver_conninfo
from muniment.jobs.reporting import schedule_report
from muniment.memory.local import LocalMuniment
from muniment.model.namespace import Namespace
from muniment.runtime import open_runtime
from muniment.settings import Settings

PAGE = Path(__file__).parents[3] / "docs" / "operations.md"


def _command(program: str, server: EmbeddedServer, names: dict[str, str]) -> list[str]:
    """The page's command of a program, told of the server and the files of the test in place of those it names."""
    [line] = re.findall(rf"^ {{4}}({program} .*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    words = shlex.split(line.split("&&")[0], comments=True)
    told = {"db": str(server.socket_dir()), **names}
    return [str(binary(program)), *(told.get(word, word) for word in words[1:])]


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def _settings(url: str, directory: Path) -> Settings:
    return Settings(
        database_url=SecretStr(url), data_dir=directory, embedding_provider="none", summaries="off", pool_size=4
    )


def _claims(url: str) -> list[tuple[str, int]]:
    with psycopg.connect(driver_conninfo(make_url(url))) as connection:
        return connection.execute("select status, claims from ops.claims").fetchall()


@pytest.fixture
def restored_url(admin_url: str, server: EmbeddedServer) -> Iterator[str]:
    """The URL of a database that the test creates."""
    url = make_url(admin_url)
    yield url.set(database=f"{url.database}_restored").render_as_string(hide_password=False)
    with psycopg.connect(driver_conninfo(server.url(database="postgres")), autocommit=True) as superuser:
        superuser.execute(f'drop database if exists "{url.database}_restored" with (force)'.encode())


async def test_a_dump_is_restored_by_the_documented_commands(
    admin_url: str, restored_url: str, server: EmbeddedServer, tmp_path: Path
) -> None:
    settings = _settings(admin_url, tmp_path / "store")
    async with open_runtime(settings, run_jobs=False) as runtime:
        memory = LocalMuniment(settings, Namespace())
        memory._runtime = runtime
        await memory.ingest_messages([{"speaker": "Anna", "content": "I live in Oslo."}], group_id="chat")
        await runtime.runner.drain()
        await schedule_report(runtime.database)
        await runtime.runner.drain()
        await memory.checkpoint()
        root = (await memory.validate()).root
    filled = _claims(admin_url)
    assert filled == [("ACTIVE", 1)]
    file = str(tmp_path / "muniment.dump")
    source, target = make_url(admin_url).database or "", make_url(restored_url).database or ""
    _run(_command("pg_dump", server, {"/backups/muniment.dump": file, "muniment": source}))

    shutil.copytree(tmp_path / "store", tmp_path / "restored")
    settings = _settings(restored_url, tmp_path / "restored")
    _run(_command("createdb", server, {"muniment": target}))
    async with open_runtime(settings, run_jobs=False):  # what `muniment init` does
        pass
    _run(_command("pg_restore", server, {"/backups/muniment.dump": file, "muniment": target}))
    assert _claims(restored_url) == filled
    async with open_runtime(settings, run_jobs=False) as runtime:
        memory = LocalMuniment(settings, Namespace())
        memory._runtime = runtime
        validated = await memory.validate()
        assert (validated.findings, validated.checkpoint, validated.root) == ([], "matches", root)
        assert "I live in Oslo." in {hit.text for hit in (await memory.search("Oslo")).hits}
        await schedule_report(runtime.database)
        await runtime.runner.drain()
    assert _claims(restored_url) == filled
