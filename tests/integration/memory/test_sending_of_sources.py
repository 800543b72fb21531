"""Sources on their way to a server: large files as they are, the rest in JSON, with the same errors and items."""

import random
import zipfile
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from muniment.api.app import create_app
from muniment.errors import MunimentError
from muniment.memory.over_rest import sending
from muniment.memory.remote import RemoteMuniment
from muniment.model.namespace import Namespace
from muniment.model.source import SourceInput
from muniment.runtime import open_runtime
from muniment.settings import Settings
from muniment.tenancy.keys import create_key
from muniment.tenancy.principal import SCOPES

MAYA = Namespace(project_id="atlas-core", user_id="maya")


class Watched(httpx.ASGITransport):
    """Keeps where each request went, and the type of its body; answers 503 to the first of ``broken``."""

    def __init__(self, app: object, broken: int = 0) -> None:
        super().__init__(app=app)  # type: ignore[arg-type]
        self.sent: list[tuple[str, str]] = []
        self.broken = broken

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.sent.append((request.url.path.rsplit("/", 1)[-1], request.headers.get("Content-Type", "")))
        if self.broken and request.url.path.endswith("upload"):
            self.broken -= 1
            assert await request.aread()
            return httpx.Response(503, json={"code": "store.unavailable", "detail": "d"})
        return await super().handle_async_request(request)


@pytest.fixture
async def served(admin_url: str, tmp_path: Path) -> AsyncIterator[tuple[RemoteMuniment, Watched]]:
    """A server that takes requests of 1 MB and texts of 31 MB, and a client of it."""
    settings = Settings(
        database_url=SecretStr(admin_url), data_dir=tmp_path / "store", embedding_provider="none", pool_size=4,
        max_text_bytes=31_000_000, max_request_bytes=1_000_000,
    )  # fmt: skip
    async with open_runtime(settings, run_jobs=False) as runtime:
        app = create_app(settings, nullcontext(runtime))
        app.state.runtime = runtime
        key = await create_key(runtime.database, runtime.tenant.number, "test", SCOPES)
        watched = Watched(app)
        async with RemoteMuniment("http://server", key.secret, MAYA, 60.0, transport=watched) as memory:
            yield memory, watched


async def test_a_file_of_30_mb_is_stored_byte_for_byte_with_what_was_said_of_it(
    served: tuple[RemoteMuniment, Watched], tmp_path: Path
) -> None:
    memory, watched = served
    watched.broken = 1  # sent again, from its beginning
    path = tmp_path / "böte & lamps?.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.txt", "The ladder is in the shed.")
        archive.writestr("noise.bin", random.Random(1).randbytes(30_000_000))
    source = SourceInput(
        kind="file", path=path, source_key="the/key", at=datetime(2026, 1, 31, 9, tzinfo=UTC), title="Ä title",
        session_id="s1", metadata={"box": 7, "kept": True, "where": "Büro"},
    )  # fmt: skip
    run = await memory.ingest(source)
    assert [name for name, _ in watched.sent] == ["upload", "upload"]
    whole, inside = run.items
    assert (whole.source_key, inside.source_key) == ("the/key", "the/key!/a.txt")
    assert whole.source_id is not None
    assert await memory.content(whole.source_id) == path.read_bytes()
    assert (await memory.source(whole.source_id)).versions[0].filename == path.name
    record = await memory.record(inside.record_ids[0])
    assert record.metadata == source.metadata and record.said_at == source.at
    assert record.namespace.session_id == "s1" and record.namespace.user_id == "maya"


async def test_small_and_large_sources_are_one_run_in_the_order_given(
    served: tuple[RemoteMuniment, Watched], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, watched = served
    monkeypatch.setattr(sending, "LARGE", 1000)
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.txt").write_text(f"This is {name}. " * (500 if name == "b" else 5))
    sources = [SourceInput(kind="file", path=tmp_path / f"{name}.txt") for name in "abc"]
    inline = b64encode(b"Bytes of their own. " * 100).decode()
    sources.append(SourceInput(kind="file", content_base64=inline, filename="d.txt"))
    run = await memory.ingest(sources)
    assert [name for name, _ in watched.sent] == ["ingest", "upload", "ingest", "upload"]
    assert [(item.source_key, item.state) for item in run.items] == [(f"{name}.txt", "stored") for name in "abcd"]
    assert [item.index for item in run.items] == [0, 1, 2, 3]
    assert (await memory.run(run.id)) == run and run.state == "succeeded"
    again = await memory.ingest(sources, run=run.id)
    assert again.id == run.id and {item.state for item in again.items} == {"unchanged"}


async def test_many_small_sources_take_several_requests_which_have_one_effect_and_one_run(
    served: tuple[RemoteMuniment, Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, watched = served
    monkeypatch.setattr(sending, "TOGETHER", 50)
    sources = [SourceInput(kind="text", text=f"Note {number}. " * 5, source_key=f"n{number}") for number in range(5)]
    sources[0] = SourceInput(kind="file", content_base64="?", filename="bad.txt")
    run = await memory.ingest(sources, idempotency_key="k" * 255)
    assert len(watched.sent) == 4
    assert run.state == "partial"
    assert [item.state for item in run.items] == ["failed"] + ["stored"] * 4
    again = await memory.ingest(sources, idempotency_key="k" * 255)
    assert again == run
    assert (await memory.run(run.id)).items == run.items


async def test_an_ingest_that_breaks_between_its_requests_is_no_run_that_succeeded(
    served: tuple[RemoteMuniment, Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, watched = served
    monkeypatch.setattr(sending, "TOGETHER", 20)
    asked = watched.handle_async_request

    async def cut_off(request: httpx.Request) -> httpx.Response:
        if watched.sent:
            raise KeyboardInterrupt
        return await asked(request)

    monkeypatch.setattr(watched, "handle_async_request", cut_off)
    with pytest.raises(KeyboardInterrupt):
        await memory.ingest([SourceInput(kind="text", text=f"Note {number}. " * 5) for number in range(2)])
    monkeypatch.undo()
    (run,) = await memory.runs()
    assert (run.state, [item.state for item in run.items]) == ("running", ["stored"])


async def test_errors_are_those_of_json(
    served: tuple[RemoteMuniment, Watched], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, watched = served
    monkeypatch.setattr(sending, "LARGE", 1000)
    large = tmp_path / "large.txt"
    large.write_text("Words of a file. " * 100)
    missing = SourceInput(kind="file", path=tmp_path / "missing.txt")
    with pytest.raises(MunimentError) as caught:
        await memory.ingest([SourceInput(kind="file", path=large), missing])
    assert (caught.value.code, caught.value.facts["index"]) == ("source.unreadable", 1)
    assert not watched.sent  # nothing before all can be read
    run = await memory.ingest(
        [SourceInput(kind="file", content_base64="?" * 2000, filename="a.txt"), SourceInput(kind="text", text="Kept.")],
        raise_on_failure=False,
    )
    assert [item.error and item.error.code for item in run.items] == ["input.invalid", None]
    metadata = {f"{number}": "x" * 1000 for number in range(5)}
    run = await memory.ingest(SourceInput(kind="file", path=large, metadata=metadata))
    assert run.items[0].state == "stored" and watched.sent[-1][0] == "ingest"  # too much for a query


async def test_a_file_that_is_too_large_fails_alone(
    served: tuple[RemoteMuniment, Watched], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, _ = served
    monkeypatch.setattr(sending, "LARGE", 1000)
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.txt").write_text("Words. " * 300)
    monkeypatch.setattr("muniment.api.uploads.size_limit", lambda *_: (2000, "MUNIMENT_MAX_TEXT_BYTES"))
    monkeypatch.setattr("muniment.log.admission.size_limit", lambda *_: (2000, "MUNIMENT_MAX_TEXT_BYTES"))
    run = await memory.ingest([SourceInput(kind="file", path=tmp_path / f"{name}.txt") for name in "abc"])
    assert [item.error and item.error.code for item in run.items] == ["input.too_large"] * 3
