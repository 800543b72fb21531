"""A file as the body of a request: read as any other, held to the limit of its format, screened, and done once."""

import io
import zipfile
from collections.abc import AsyncIterator
from contextlib import nullcontext
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from muniment.api.app import create_app
from muniment.log.policies import put_policy
from muniment.model.policy import SensitiveRule
from muniment.runtime import Runtime, open_runtime
from muniment.settings import Settings
from muniment.sources import registry
from muniment.tenancy.keys import create_key
from muniment.tenancy.principal import SCOPES

LIMIT = 100_000


@pytest.fixture
async def served(admin_url: str, tmp_path: Path) -> AsyncIterator[tuple[Runtime, httpx.AsyncClient]]:
    """A server that takes files of 100 kB, and requests of less."""
    settings = Settings(
        database_url=SecretStr(admin_url), data_dir=tmp_path / "store", embedding_provider="none", pool_size=4,
        max_file_bytes=LIMIT, max_text_bytes=LIMIT // 2, max_request_bytes=1000,
    )  # fmt: skip
    async with open_runtime(settings, run_jobs=False) as runtime:
        app = create_app(settings, nullcontext(runtime))
        app.state.runtime = runtime
        key = await create_key(runtime.database, runtime.tenant.number, "test", SCOPES)
        headers = {"Authorization": f"Bearer {key.secret}"}
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app=app), base_url="http://server/api/v1", headers=headers
        ) as client:
            yield runtime, client


def archive(size: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as packed:
        packed.writestr("a.txt", "The ladder is in the shed.")
        packed.writestr("b.txt", "The rope is red. " * (size // 17))
    return out.getvalue()


async def test_an_archive_larger_than_a_request_may_be_is_read_with_what_is_inside(
    served: tuple[Runtime, httpx.AsyncClient],
) -> None:
    _, client = served
    about = {"filename": "all.zip", "project_id": "p", "metadata": '{"box": 7}', "at": "2026-01-31T10:00:00+01:00"}
    data = archive(30_000)
    run = (await client.post("/sources/upload", params=about, content=data)).json()
    assert [(item["source_key"], item["state"]) for item in run["items"]] == [
        ("all.zip", "stored"), ("all.zip!/a.txt", "stored"), ("all.zip!/b.txt", "stored"),
    ]  # fmt: skip
    records = (await client.get("/records", params={"project_id": "p", "limit": 500})).json()["records"]
    assert {record["metadata"]["box"] for record in records} == {7}
    assert {record["said_at"] for record in records} == {"2026-01-31T10:00:00+01:00"}
    again = (await client.post("/sources/upload", params=about | {"run": run["id"]}, content=data)).json()
    assert again["id"] == run["id"] and [item["state"] for item in again["items"]] == ["unchanged"]


async def test_the_limit_is_that_of_the_format_and_is_named(served: tuple[Runtime, httpx.AsyncClient]) -> None:
    _, client = served

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(LIMIT // 1000 + 1):
            yield bytes(1000)

    for content in (bytes(LIMIT + 1), pieces()):
        answer = await client.post("/sources/upload", params={"filename": "all.zip"}, content=content)
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (413, "input.too_large")
        assert problem["facts"] == {"limit": LIMIT, "setting": "MUNIMENT_MAX_FILE_BYTES"}
    answer = await client.post("/sources/upload", params={"filename": "a.md"}, content=b"x" * (LIMIT // 2 + 1))
    assert answer.json()["facts"]["setting"] == "MUNIMENT_MAX_TEXT_BYTES"


async def test_one_key_is_one_upload_of_the_same_bytes(served: tuple[Runtime, httpx.AsyncClient]) -> None:
    _, client = served
    asked, key = {"filename": "a.txt"}, {"Idempotency-Key": "once"}
    first = await client.post("/sources/upload", params=asked, content=b"Hello there.", headers=key)
    again = await client.post("/sources/upload", params=asked, content=b"Hello there.", headers=key)
    assert first.json() == again.json() and first.json()["items"][0]["state"] == "stored"
    other = await client.post("/sources/upload", params=asked, content=b"Something else.", headers=key)
    assert other.json()["code"] == "idempotency.mismatch"


async def test_what_is_uploaded_is_screened(served: tuple[Runtime, httpx.AsyncClient]) -> None:
    runtime, client = served
    rules = {"email": SensitiveRule.model_validate({"ingest": "mask"})}
    await put_policy(runtime.database, runtime.tenant.number, classes=rules, retention=[], reason="a test")  # type: ignore[arg-type]
    run = await client.post("/sources/upload", params={"filename": "a.txt"}, content=b"Write to anna@example.org soon.")
    record = await client.get(f"/records/{run.json()['items'][0]['record_ids'][0]}")
    assert "anna@example.org" not in record.json()["text"] and "Write to" in record.json()["text"]


async def test_what_the_query_says_wrongly_is_refused(served: tuple[Runtime, httpx.AsyncClient]) -> None:
    _, client = served
    for wrong in ({"metadata": "{"}, {"metadata": "[1]"}, {"at": "yesterday"}, {"source_key": "a\0b"}):
        answer = await client.post("/sources/upload", params={"filename": "a.txt"} | wrong, content=b"Hello.")
        assert answer.status_code in (400, 422) and answer.json()["code"].startswith("input."), wrong


async def test_the_format_of_each_source_is_chosen_once(
    served: tuple[Runtime, httpx.AsyncClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, client = served
    asked: list[bytes] = []
    choose = registry.choose_format

    def counted(data: bytes, media_type: str | None, filename: str | None) -> registry.Choice:
        asked.append(data)
        return choose(data, media_type, filename)

    for module in ("registry", "trees.repository"):
        monkeypatch.setattr(f"muniment.sources.{module}.choose_format", counted)
    for module in ("documents", "ingestion", "previews"):
        monkeypatch.setattr(f"muniment.log.{module}.choose_format", counted)
    data = archive(3000)
    await client.post("/sources/upload", params={"filename": "all.zip"}, content=data)
    assert len(asked) == 3 and asked[0] == data and len(set(asked)) == 3
