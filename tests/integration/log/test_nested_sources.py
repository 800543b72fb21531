"""Sources inside sources: each is one of its own, succeeds or fails alone, and goes when it is no longer inside."""

import io
import zipfile
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

import pytest
from writing import ATLAS, all_records, counts, fetch, memo

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.erasure import erase
from muniment.log.sources import get_source, list_sources
from muniment.log.writer import Writer
from muniment.model.source import IngestionRun, SourceInput
from muniment.settings import Settings
from muniment.sources.archives.manifest import Entry, make_manifest
from muniment.tenancy.tenants import Tenant


def packed(*members: tuple[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 2, 3, 4, 6)), content)
    return made.getvalue()


def as_file(data: bytes, filename: str, **more: Any) -> SourceInput:
    return SourceInput(kind="file", content_base64=b64encode(data).decode(), filename=filename, **more)


def states(run: IngestionRun) -> list[tuple[str | None, str]]:
    return [(item.source_key, item.state) for item in run.items]


async def keys(database: Database, tenant: Tenant) -> list[str]:
    """The keys of the sources of all records that count."""
    return sorted({record.source_key for record in await all_records(database, tenant)})


async def test_members_of_an_archive_are_sources_of_their_own(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    inner = packed(("deep.md", b"# Deep\n\nThe depths.\n"))
    data = packed(
        ("a.txt", b"Apples."), ("b/inner.zip", inner), ("c.unknown", b"\x89PNG"), ("d.txt", b"\0\1"), ("e.txt", b"")
    )
    metadata = {"team": "core"}
    run = await writer.ingest_sources(
        tenant.number, ATLAS, [as_file(data, "all.zip", metadata=metadata), memo("x", "after")]
    )
    assert run.state == "succeeded"
    assert states(run) == [
        ("all.zip", "stored"), ("after", "stored"), ("all.zip!/a.txt", "stored"), ("all.zip!/b/inner.zip", "stored"),
        ("all.zip!/b/inner.zip!/deep.md", "stored"),
    ]  # fmt: skip
    records = {record.source_key: record for record in await all_records(database, tenant)}
    assert records["all.zip!/a.txt"].text == "Apples." and records["all.zip!/a.txt"].metadata == metadata
    assert "a.txt  7 bytes" in (records["all.zip"].text or "")
    deep = records["all.zip!/b/inner.zip!/deep.md"]
    assert (deep.locator["source_key"], deep.locator["filename"]) == ("all.zip!/b/inner.zip!/deep.md", "deep.md")
    around = await get_source(database, tenant.number, deep.source_id)
    inside = await get_source(database, tenant.number, around.parent_id or "")
    assert inside.source_key == "all.zip!/b/inner.zip"
    assert (await get_source(database, tenant.number, inside.parent_id or "")).source_key == "all.zip"
    assert (await get_source(database, tenant.number, run.items[0].source_id or "")).versions[0].notes


async def test_an_archive_that_did_not_change_writes_nothing_but_the_item(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    data = as_file(packed(("a.txt", b"Apples."), ("b.txt", b"Bananas.")), "all.zip")
    await writer.ingest_sources(tenant.number, ATLAS, [data])
    before = await counts(database, tenant)
    run = await writer.ingest_sources(tenant.number, ATLAS, [data])
    assert states(run) == [("all.zip", "unchanged")] and run.state == "succeeded"
    assert await counts(database, tenant) == before


async def test_a_changed_archive_touches_what_changed_and_archives_what_vanished(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    inner = packed(("x.txt", b"Cherries."))
    first = packed(("a.txt", b"Apples."), ("b.txt", b"Bananas."), ("inner.zip", inner))
    await writer.ingest_sources(tenant.number, ATLAS, [as_file(first, "all.zip")])
    second = packed(("a.txt", b"Apples."), ("b.txt", b"Blueberries."))
    run = await writer.ingest_sources(tenant.number, ATLAS, [as_file(second, "all.zip")])
    assert sorted(states(run), key=str) == [
        ("all.zip!/a.txt", "unchanged"), ("all.zip!/b.txt", "stored"), ("all.zip!/inner.zip!/x.txt", "archived"),
        ("all.zip!/inner.zip", "archived"), ("all.zip", "stored"),
    ]  # fmt: skip
    assert run.state == "succeeded"
    texts = {record.text for record in await all_records(database, tenant)}
    assert {"Apples.", "Blueberries."} <= texts and not {"Bananas.", "Cherries."} & texts
    again = await writer.ingest_sources(tenant.number, ATLAS, [as_file(first, "all.zip")])
    assert ("all.zip!/inner.zip!/x.txt", "stored") in states(again)


async def test_a_member_fails_alone_and_can_be_tried_again(
    writer: Writer, database: Database, tenant: Tenant, settings: Settings
) -> None:
    data = packed(("a.txt", b"Apples."), ("big.txt", b"Word. " * 100))
    strict = Writer(database, None, None, settings.model_copy(update={"max_text_bytes": 300}))
    database.settings.max_text_bytes, before = 300, database.settings.max_text_bytes
    try:
        run = await strict.ingest_sources(tenant.number, ATLAS, [as_file(data, "all.zip")])
    finally:
        database.settings.max_text_bytes = before
    assert run.state == "partial"
    failed = {item.source_key: item.error.code for item in run.items if item.error is not None}
    assert failed["all.zip!/big.txt"] == "input.too_large"
    assert await keys(database, tenant) == ["all.zip", "all.zip!/a.txt"]
    again = await writer.retry(tenant.number, run.id)
    (item,) = [item for item in again.items if item.source_key == "all.zip!/big.txt"]
    assert (item.state, item.attempts) == ("stored", 2)
    assert (await get_source(database, tenant.number, item.source_id or "")).parent_id == run.items[0].source_id


async def test_what_is_nested_too_deep_or_too_many_is_said_so(
    writer: Writer, database: Database, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database.settings, "max_source_depth", 2)
    data = packed(("end.txt", b"The end."))
    for _ in range(4):
        data = packed(("inner.zip", data))
    run = await writer.ingest_sources(tenant.number, ATLAS, [as_file(data, "all.zip")])
    errors = [(item.source_key, item.error.code, item.error.facts) for item in run.items if item.error is not None]
    facts = {"limit": 2, "setting": "MUNIMENT_MAX_SOURCE_DEPTH"}
    assert errors == [("all.zip!/inner.zip!/inner.zip!/inner.zip", "source.too_complex", facts)]
    monkeypatch.setattr(database.settings, "max_expanded_bytes", 1000)
    bomb = packed(*((f"{number}.txt", b"x" * 400) for number in range(5)))
    run = await writer.ingest_sources(tenant.number, ATLAS, [as_file(bomb, "bomb.zip")])
    assert run.items[0].error is not None and run.items[0].error.code == "input.too_large"
    assert run.items[0].error.facts["setting"] == "MUNIMENT_MAX_EXPANDED_BYTES"


def manifest(contents: dict[str, str]) -> Sequence[SourceInput]:
    entries = [Entry(key, len(text), None, key, text) for key, text in sorted(contents.items())]
    made = make_manifest("docs", entries)
    listed = as_file(made, "docs", source_key="docs/", media_type="application/vnd.muniment.manifest+json")
    return [*(memo(text, key) for key, text in contents.items()), listed]


async def test_a_list_of_contents_says_what_is_inside_and_what_is_no_more(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    await writer.ingest_sources(tenant.number, ATLAS, [memo("mine", "other")])
    run = await writer.ingest_sources(tenant.number, ATLAS, manifest({"a.md": "Apples.", "b.md": "Bananas."}))
    assert run.state == "succeeded"
    sources, _ = await list_sources(database, tenant.number, ATLAS)
    parents = {source.source_key: source.parent_id for source in sources}
    assert parents["a.md"] == parents["b.md"] == run.items[2].source_id and parents["other"] is None
    more = await writer.ingest_sources(tenant.number, ATLAS, [memo("Cherries.", "c.md")], run=run.id)
    assert states(more) == [("c.md", "stored")] and [item.index for item in more.items] == [3]
    changed = await writer.ingest_sources(tenant.number, ATLAS, manifest({"a.md": "Apples.", "c.md": "Cherries."}))
    assert states(changed)[2:] == [("docs/", "stored"), ("b.md", "archived")]
    assert await keys(database, tenant) == ["a.md", "c.md", "docs/", "other"]


async def test_a_run_of_another_kind_or_space_takes_no_sources(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    run = await writer.ingest_sources(tenant.number, ATLAS.model_copy(update={"project_id": "b"}), [memo("x")])
    for wrong in (run.id, "r_" + "0" * 32, "nonsense"):
        with pytest.raises(MunimentError) as caught:
            await writer.ingest_sources(tenant.number, ATLAS, [memo("x")], run=wrong)
        assert caught.value.code == "run.not_found"


async def test_erasing_a_member_leaves_no_archive_with_its_words(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    data = packed(("inner.zip", packed(("secret.txt", b"The secret word is xylophone."))))
    await writer.ingest_sources(tenant.number, ATLAS, [as_file(data, "all.zip"), memo("kept", "kept")])
    (record,) = [each for each in await all_records(database, tenant) if "xylophone" in (each.text or "")]
    await erase(database, tenant.number, records=[record.id], reason="asked to")
    left = await fetch(database, tenant, "select encode(content, 'escape') from muniment.blob")
    assert [row[0] for row in left] == ["kept"]
