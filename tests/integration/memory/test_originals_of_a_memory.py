"""Originals come back as they came; a record is shown in its place; and a large archive holds nobody up."""

import asyncio
import io
import zipfile
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import nullcontext
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from muniment.api.app import create_app
from muniment.errors import MunimentError
from muniment.memory.local import LocalMuniment
from muniment.memory.remote import RemoteMuniment
from muniment.model.namespace import Namespace
from muniment.model.source import SourceInput
from muniment.runtime import open_runtime
from muniment.settings import Settings
from muniment.tenancy.keys import create_key
from muniment.tenancy.principal import SCOPES

MAYA = Namespace(project_id="atlas-core", user_id="maya")
TEXT = b"The first paragraph <script>alert(1)</script>.\n\n" + b"The second one. " * 74 + b"\n\nThe last.\n"


def store(admin_url: str, tmp_path: Path) -> Settings:
    return Settings(
        database_url=SecretStr(admin_url), data_dir=tmp_path / "store", embedding_provider="none", pool_size=4
    )


@pytest.fixture
async def served(admin_url: str, tmp_path: Path) -> AsyncIterator[tuple[RemoteMuniment, httpx.AsyncClient]]:
    """A server, and two ways to speak to it."""
    settings = store(admin_url, tmp_path)
    async with open_runtime(settings, run_jobs=True) as runtime:
        app = create_app(settings, nullcontext(runtime))
        app.state.runtime = runtime
        key = await create_key(runtime.database, runtime.tenant.number, "test", SCOPES)
        transport = httpx.ASGITransport(app=app)
        headers = {"Authorization": f"Bearer {key.secret}"}
        async with (
            RemoteMuniment("http://server", key.secret, MAYA, 60.0, transport=transport) as memory,
            httpx.AsyncClient(transport=transport, base_url="http://server/api/v1", headers=headers) as client,
        ):
            yield memory, client


def packed(members: int, size: int) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for number in range(members):
            archive.writestr(f"{number}.txt", f"Member {number}. ".encode() * (size // 12))
    return made.getvalue()


def as_file(data: bytes, filename: str) -> SourceInput:
    return SourceInput(kind="file", content_base64=b64encode(data).decode(), filename=filename)


async def test_an_original_comes_back_and_no_browser_runs_it(
    served: tuple[RemoteMuniment, httpx.AsyncClient],
) -> None:
    memory, client = served
    first = await memory.ingest(as_file(TEXT, 'strange "name";\u00fc.txt'))
    await memory.ingest(as_file(b"Changed.", 'strange "name";\u00fc.txt'))
    source = first.items[0].source_id or ""
    assert await memory.content(source) == b"Changed." and await memory.content(source, version=1) == TEXT
    answer = await client.get(f"/sources/{source}/content", params={"version": 1})
    assert answer.content == TEXT and answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''strange%20%22name%22%3B%C3%BC.txt"
    assert (
        answer.headers["x-content-type-options"] == "nosniff" and "sandbox" in answer.headers["content-security-policy"]
    )
    assert (answer.headers["x-source-media-type"], answer.headers["x-source-version"]) == ("text/plain", "1")
    for wrong in ({"version": 3}, {"version": 2**31 - 1}):
        assert (await client.get(f"/sources/{source}/content", params=wrong)).status_code == 404
    chat = await memory.ingest_messages([{"role": "Maya", "content": "Hello."}], group_id="chat")
    with pytest.raises(MunimentError) as caught:
        await memory.content(chat.items[0].source_id or "")
    assert caught.value.code == "source.no_original"


async def test_a_record_is_shown_in_its_place(served: tuple[RemoteMuniment, httpx.AsyncClient]) -> None:
    memory, client = served
    run = await memory.ingest(as_file(TEXT, "a.txt"))
    first, second, *_ = run.items[0].record_ids
    shown = await memory.preview(second)
    assert shown.exact and shown.text.startswith("The second one.") and shown.before.startswith("The first paragraph")
    assert (await memory.preview(first)).before == ""
    source = run.items[0].source_id or ""
    page = await client.get(f"/sources/{source}/preview", params={"record": second, "format": "html"})
    assert page.headers["content-type"].startswith("text/html") and "<script>" not in page.text
    assert "&lt;script&gt;" in page.text and "<mark>The second one." in page.text
    other = await memory.ingest(as_file(b"Another.", "b.txt"))
    wrong = await client.get(f"/sources/{source}/preview", params={"record": other.items[0].record_ids[0]})
    assert wrong.json()["code"] == "record.not_found"
    inside = await memory.ingest(as_file(packed(3, 100), "all.zip"))
    assert (await memory.preview(inside.items[0].record_ids[0])).exact


async def test_searches_are_answered_while_a_large_archive_is_read(admin_url: str, tmp_path: Path) -> None:
    archive = tmp_path / "large.zip"
    archive.write_bytes(packed(4, 400_000))
    async with LocalMuniment(store(admin_url, tmp_path), MAYA) as memory:
        await memory.ingest(as_file(b"Priya leads Atlas.", "a.txt"))
        reading = asyncio.create_task(memory.ingest(SourceInput(kind="file", path=archive)))
        answered = 0
        while not reading.done():
            found = await memory.search("Who leads Atlas?", top_k=3)
            answered += bool(found.hits)
            await asyncio.sleep(0.01)
        assert (await reading).state == "succeeded" and answered > 3
