"""A directory or repository through the memory: one run, touched where it changed, archived where it vanished."""

from collections.abc import AsyncIterator
from contextlib import nullcontext
from pathlib import Path

import httpx
import pytest
from dulwich import porcelain
from pydantic import SecretStr

from muniment.api.app import create_app
from muniment.memory import AsyncMuniment
from muniment.memory.local import LocalMuniment
from muniment.memory.remote import RemoteMuniment
from muniment.model.namespace import Namespace
from muniment.model.source import IngestionRun
from muniment.runtime import open_runtime
from muniment.settings import Settings
from muniment.tenancy.keys import create_key
from muniment.tenancy.principal import SCOPES

MAYA = Namespace(project_id="atlas-core", user_id="maya")


@pytest.fixture(params=["local", "remote"])
async def memory(request: pytest.FixtureRequest, admin_url: str, tmp_path: Path) -> AsyncIterator[AsyncMuniment]:
    settings = Settings(
        database_url=SecretStr(admin_url), data_dir=tmp_path / "store", embedding_provider="none", pool_size=4
    )
    if request.param == "local":
        async with LocalMuniment(settings, MAYA) as opened:
            yield opened
        return
    async with open_runtime(settings, run_jobs=True) as runtime:
        app = create_app(settings, nullcontext(runtime))
        app.state.runtime = runtime
        key = await create_key(runtime.database, runtime.tenant.number, "test", SCOPES)
        transport = httpx.ASGITransport(app=app)
        async with RemoteMuniment("http://server", key.secret, MAYA, 60.0, transport=transport) as opened:
            yield opened


def fill(root: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return root


def states(run: IngestionRun) -> dict[str | None, str]:
    return {item.source_key: item.state for item in run.items}


async def test_a_changed_directory_is_touched_where_it_changed(memory: AsyncMuniment, tmp_path: Path) -> None:
    root = fill(tmp_path / "docs", {f"{number:02}.txt": f"Note number {number}." for number in range(20)})
    first = await memory.ingest_tree(root)
    assert first.state == "succeeded" and len(first.items) == 21 and set(states(first).values()) == {"stored"}
    assert set(states(await memory.ingest_tree(root)).values()) == {"unchanged"}
    fill(root, {"03.txt": "Note three, changed.", "new.txt": "A new one."})
    (root / "04.txt").unlink()
    second = states(await memory.ingest_tree(root))
    assert {key: state for key, state in second.items() if state != "unchanged"} == {
        "03.txt": "stored", "new.txt": "stored", "docs/": "stored", "04.txt": "archived",
    }  # fmt: skip
    texts = {record.text for record in (await memory.records(limit=100)).records}
    assert "Note number 4." not in texts and "Note three, changed." in texts
    assert any("new.txt  10 bytes" in (text or "") for text in texts)


async def test_a_repositorys_files_know_their_commit(memory: AsyncMuniment, tmp_path: Path) -> None:
    root = fill(
        tmp_path / "atlas", {"README.md": "# Atlas\n\nIt launches in May.\n", ".gitignore": "*.log\n", "x.log": "x"}
    )
    with porcelain.init(str(root)) as repository:
        porcelain.add(repository, [str(root / "README.md")])
        commit = porcelain.commit(repository, message=b"first", author=b"A <a@b.c>", committer=b"A <a@b.c>").decode()
    run = await memory.ingest_tree(root, source_key="atlas")
    assert states(run) == {"atlas!/README.md": "stored", "atlas": "stored"}
    (hit,) = [hit for hit in (await memory.search("When does Atlas launch?")).hits if "May" in hit.text]
    assert (hit.locator["commit"], hit.locator["source_key"]) == (commit, "atlas!/README.md")
