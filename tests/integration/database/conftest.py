"""Stores of a test's own, for tests that do to a server what the shared one must not suffer."""

import shutil
import time
from pathlib import Path

import psycopg
import pytest

from muniment.database.embedded import EmbeddedServer
from muniment.database.setup import driver_conninfo


@pytest.fixture(scope="session")
def initialised(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that was started and stopped once, to copy: initdb takes longer than most tests."""
    with EmbeddedServer(tmp_path_factory.mktemp("initialised") / "store") as server:
        url = driver_conninfo(server.url(database="postgres"))
        with psycopg.connect(url) as connection:
            connection.execute("create table kept (a int)")
            connection.execute("insert into kept values (1)")
    while (server.data / "postmaster.pid").exists():
        time.sleep(0.02)
    return server.store


@pytest.fixture
def store(initialised: Path, tmp_path: Path) -> Path:
    """A copy of it; nothing runs there yet."""
    return Path(shutil.copytree(initialised, tmp_path / "store"))
