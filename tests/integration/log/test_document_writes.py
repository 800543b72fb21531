"""Sources through the writer: versions, items that fail alone, and what is kept to try them again."""

import base64
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from writing import ATLAS, all_records, assert_sealed_without_gaps, counts, fetch, memo, turns

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.records import get_record
from muniment.log.runs import get_run, list_runs
from muniment.log.sources import get_source, list_sources
from muniment.log.writer import Writer
from muniment.model.namespace import Namespace
from muniment.model.source import SourceInput
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant


async def test_a_text_becomes_a_record_that_says_where_it_stands(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    at = datetime(2026, 6, 1, 9, 30, tzinfo=UTC)
    source = memo(
        "Project Atlas launches on 14 October 2026.", title="Launch", at=at, metadata={"team": "core", "n": 3}
    )
    run = await writer.ingest_sources(tenant.number, ATLAS, [source])
    assert (run.kind, run.state, run.namespace) == ("sources", "succeeded", ATLAS)
    (item,) = run.items
    assert (item.state, item.source_key, item.version, item.records) == ("stored", "launch-memo", 1, 1)
    record = await get_record(database, tenant.number, item.record_ids[0])
    assert record.text == "Project Atlas launches on 14 October 2026."
    assert (record.kind, record.modality, record.namespace) == ("raw", "document", ATLAS)
    assert (record.source_id, record.source_key, record.source_version) == (item.source_id, "launch-memo", 1)
    assert record.locator["source_key"] == "launch-memo" and record.locator["lines"] == [1, 1]
    assert (record.said_at, record.metadata) == (at, {"team": "core", "n": 3})
    assert (record.commit, record.live, record.closed_by_commit, record.rests_on) == (1, True, None, [])


async def test_the_same_content_again_writes_nothing_but_the_item(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    await writer.ingest_sources(tenant.number, ATLAS, [memo("the plan")])
    before = await counts(database, tenant)
    run = await writer.ingest_sources(tenant.number, ATLAS, [memo("the plan")])
    assert (run.state, run.items[0].state, run.items[0].version, run.items[0].records) == (
        "succeeded",
        "unchanged",
        1,
        0,
    )
    assert await counts(database, tenant) == before


async def test_changed_content_archives_what_was_and_going_back_is_a_version_too(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    for content in ("launch in May", "launch in June", "launch in May"):
        run = await writer.ingest_sources(tenant.number, ATLAS, [memo(content)])
        assert run.items[0].state == "stored"
    source = await get_source(database, tenant.number, run.items[0].source_id or "")
    assert [(version.version, version.current, version.commit) for version in source.versions] == [
        (3, True, 3), (2, False, 2), (1, False, 1),
    ]  # fmt: skip
    assert source.versions[0].content_hash == source.versions[2].content_hash != source.versions[1].content_hash
    assert [record.text for record in await all_records(database, tenant)] == ["launch in May"]
    history = await all_records(database, tenant, include_closed=True)
    assert [(record.source_version, record.live, record.closed_by_commit) for record in history] == [
        (1, False, 2), (2, False, 3), (3, True, None),
    ]  # fmt: skip
    assert len({record.id for record in history}) == 3
    assert (await counts(database, tenant))["blob"] == 2


async def test_each_item_fails_alone_with_its_own_code(writer: Writer, database: Database, tenant: Tenant) -> None:
    future = datetime.now(UTC) + timedelta(days=400)
    sources = [
        memo("good", "a"),
        SourceInput(kind="url", url="http://127.0.0.1/"),
        memo(" \n\t", "b"),
        memo("one\x00two", "c"),
        memo("half \ud800 pair", "d"),
        memo("no zone", "e", at=datetime(2026, 1, 1)),
        memo("from the future", "f", at=future),
        SourceInput(kind="file", path=Path("/nowhere/at/all.txt")),
        SourceInput(kind="file", content_base64="not base64!", filename="x.txt"),
        SourceInput(kind="file", content_base64=base64.b64encode(b"what is it").decode(), filename="x.unknown"),
        SourceInput(kind="file", content_base64=base64.b64encode(b"\xff\xfe\xfd\xfc\x00").decode(), filename="y.txt"),
        SourceInput(kind="text"),
        memo("not a number", "g", metadata={"share": float("nan")}),
        memo("also good", "h"),
    ]
    run = await writer.ingest_sources(tenant.number, ATLAS, sources)
    assert run.state == "partial"
    assert [item.error.code if item.error else item.state for item in run.items] == [
        "stored",
        "source.url_refused",
        "input.empty_text",
        "input.nul_byte",
        "input.encoding_invalid",
        "input.time_without_zone",
        "input.time_in_future",
        "source.unreadable",
        "input.invalid",
        "source.format_unsupported",
        "input.encoding_invalid",
        "input.invalid",
        "input.metadata_invalid",
        "stored",
    ]
    assert [record.text for record in await all_records(database, tenant)] == ["good", "also good"]
    assert await assert_sealed_without_gaps(database, tenant) == 2


async def test_too_large_a_source_names_the_limit_and_the_largest_one_is_taken(
    database: Database, tenant: Tenant, settings: Settings
) -> None:
    small = settings.model_copy(update={"max_text_bytes": 5000})
    database.settings = small
    writer = Writer(database, None, None, small)
    run = await writer.ingest_sources(tenant.number, ATLAS, [memo("x " * 2500, "fits"), memo("x " * 2500 + "x", "not")])
    fits, too_large = run.items
    assert fits.state == "stored" and too_large.error is not None
    assert too_large.error.code == "input.too_large"
    assert too_large.error.facts == {"limit": 5000, "setting": "MUNIMENT_MAX_TEXT_BYTES", "bytes": 5001}
    stored = await all_records(database, tenant, page=3)
    assert "".join(record.text or "" for record in stored).replace(" ", "") == "x" * 2500


async def test_a_file_is_known_by_its_name_and_a_text_without_a_key_by_its_content(
    writer: Writer, tenant: Tenant, tmp_path: Path
) -> None:
    path = tmp_path / "notes.md"
    path.write_text("# Notes\n\nAtlas ships.\n", encoding="utf-8")
    encoded = base64.b64encode(path.read_bytes()).decode()
    run = await writer.ingest_sources(
        tenant.number,
        ATLAS,
        [
            SourceInput(kind="file", path=path),
            SourceInput(kind="file", content_base64=encoded, filename="notes.md"),
            memo("hello", None),
        ],
    )
    assert [(item.state, item.source_key) for item in run.items] == [
        ("stored", "notes.md"),
        ("unchanged", "notes.md"),
        ("stored", "sha256:2cf24dba5fb0a30e"),
    ]


async def test_what_is_no_file_is_refused_without_waiting_for_it(
    writer: Writer, tenant: Tenant, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    paths = [pipe, tmp_path, Path("/dev/zero"), tmp_path / "gone.txt"]
    run = await writer.ingest_sources(tenant.number, ATLAS, [SourceInput(kind="file", path=path) for path in paths])
    assert [item.error and item.error.code for item in run.items] == ["source.unreadable"] * 4


async def test_the_same_key_in_another_space_is_another_source(
    writer: Writer, database: Database, tenant: Tenant, other_tenant: Tenant
) -> None:
    maya = Namespace(project_id="atlas", user_id="maya")
    for owner, namespace in ((tenant, ATLAS), (tenant, maya), (other_tenant, ATLAS)):
        run = await writer.ingest_sources(owner.number, namespace, [memo("the same words")])
        assert (run.items[0].state, run.items[0].version) == ("stored", 1)
    assert {source.namespace for source in (await list_sources(database, tenant.number, ATLAS))[0]} == {ATLAS, maya}
    assert len((await list_sources(database, other_tenant.number, ATLAS))[0]) == 1


async def test_a_key_that_names_a_conversation_is_refused_for_a_document_and_the_other_way_round(
    writer: Writer, tenant: Tenant
) -> None:
    await writer.ingest_messages(tenant.number, ATLAS, turns("hello"), group_id="notes")
    run = await writer.ingest_sources(tenant.number, ATLAS, [memo("a document", "notes"), memo("a document", "paper")])
    assert run.items[0].error is not None and run.items[0].error.code == "source.key_taken"
    with pytest.raises(MunimentError) as refused:
        await writer.ingest_messages(tenant.number, ATLAS, turns("hello"), group_id="paper")
    assert refused.value.code == "source.key_taken"


async def test_a_failed_item_is_tried_again_from_the_bytes_that_were_kept(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    await writer.ingest_messages(tenant.number, ATLAS, turns("hello"), group_id="notes")
    bad = SourceInput(
        kind="file", content_base64=base64.b64encode(b"a,b\n1,2\n").decode(), filename="t.unknown", source_key="table",
        metadata={"a": 1},
    )  # fmt: skip
    run = await writer.ingest_sources(tenant.number, ATLAS, [bad, memo("fine", "fine")])
    assert run.items[0].error is not None and run.items[0].error.code == "source.format_unsupported"
    again = await writer.retry(tenant.number, run.id)
    assert [(item.state, item.attempts) for item in again.items] == [("failed", 2), ("stored", 1)]
    assert again.items[0].error is not None and again.items[0].error.code == "source.format_unsupported"
    kept = await fetch(database, tenant, "select content from muniment.blob b order by size desc")
    assert bytes(kept[0][0]) == b"a,b\n1,2\n"


async def test_a_file_that_could_not_be_read_is_read_when_it_is_there(
    writer: Writer, database: Database, tenant: Tenant, tmp_path: Path
) -> None:
    path = tmp_path / "late.txt"
    run = await writer.ingest_sources(tenant.number, ATLAS, [SourceInput(kind="file", path=path, metadata={"x": "y"})])
    assert run.state == "failed"
    path.write_text("here at last", encoding="utf-8")
    again = await writer.retry(tenant.number, run.id)
    assert (again.state, again.items[0].state, again.items[0].attempts) == ("succeeded", "stored", 2)
    assert again.items[0].error is None
    (record,) = await all_records(database, tenant)
    assert (record.text, record.metadata) == ("here at last", {"x": "y"})
    with pytest.raises(MunimentError) as nothing:
        await writer.retry(tenant.number, run.id)
    assert nothing.value.code == "source.retry_impossible"


async def test_what_was_not_kept_cannot_be_tried_again(writer: Writer, tenant: Tenant) -> None:
    run = await writer.ingest_sources(tenant.number, ATLAS, [memo("half \ud800 pair")])
    with pytest.raises(MunimentError) as impossible:
        await writer.retry(tenant.number, run.id)
    assert impossible.value.code == "source.retry_impossible"
    with pytest.raises(MunimentError) as unknown:
        await writer.retry(tenant.number, "r_" + "0" * 32)
    assert unknown.value.code == "run.not_found"


async def test_a_long_text_is_many_records_in_order_and_loses_nothing(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    content = "".join(f"Paragraph {n} speaks of Atlas and of the number {n * n}.\n\n" for n in range(4000))
    run = await writer.ingest_sources(tenant.number, ATLAS, [memo(content)])
    stored = await all_records(database, tenant, source_id=run.items[0].source_id)
    assert run.items[0].records == len(stored) > 100
    assert [record.id for record in stored] == run.items[0].record_ids
    assert [record.position for record in stored] == list(range(len(stored)))
    words = " ".join(record.text or "" for record in stored).split()
    assert words == content.split()


async def test_too_many_sources_or_none_is_an_error_of_the_request(writer: Writer, tenant: Tenant) -> None:
    with pytest.raises(MunimentError) as many:
        await writer.ingest_sources(tenant.number, ATLAS, [memo("x")] * 101)
    assert (many.value.code, many.value.facts["limit"]) == ("input.too_many", 100)
    with pytest.raises(MunimentError) as none:
        await writer.ingest_sources(tenant.number, ATLAS, [])
    assert none.value.code == "input.invalid"


async def test_what_a_document_says_of_itself_yields_to_what_is_said_of_it(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    text = "---\ntitle: Own\ndate: 2026-01-31\nteam: own\npages: 3\n---\n# A\n\nIt opens."
    given = datetime(2026, 2, 1, 9, tzinfo=UTC)
    for key, more, team, said in (
        ("plain", {}, "own", datetime(2026, 1, 31, tzinfo=UTC)),
        ("given", {"metadata": {"team": "core"}, "at": given}, "core", given),
    ):
        source = SourceInput(kind="text", text=text, media_type="text/markdown", source_key=key, **more)
        run = await writer.ingest_sources(tenant.number, Namespace(), [source])
        (record_id,) = run.items[0].record_ids
        record = await get_record(database, tenant.number, record_id)
        assert record.text == "# A\n\nIt opens."
        assert (record.metadata, record.said_at) == ({"date": "2026-01-31", "team": team, "pages": 3}, said)
    late = text.replace("2026-01-31", "2999-01-31")
    source = SourceInput(kind="text", text=late, media_type="text/markdown", source_key="late")
    (record_id,) = (await writer.ingest_sources(tenant.number, Namespace(), [source])).items[0].record_ids
    assert (await get_record(database, tenant.number, record_id)).said_at is None


async def test_a_source_has_the_language_that_is_given_and_no_unknown_one(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    given = [
        SourceInput(kind="text", text="Alle Häuser stehen leer.", source_key=key, language=language)
        for key, language in (("a", "german"), ("b", None), ("c", "klingon"))
    ]
    run = await writer.ingest_sources(tenant.number, ATLAS, given)
    assert [item.state for item in run.items] == ["stored", "stored", "failed"]
    error = run.items[2].error
    assert error is not None and error.code == "input.invalid" and "german" in error.facts["known"]
    rows = await fetch(database, tenant, "select language from muniment.source_version order by source_no")
    assert [row.language for row in rows] == ["german", "english"]


async def test_a_file_that_cannot_be_read_has_its_name_in_the_run(
    writer: Writer, tenant: Tenant, tmp_path: Path
) -> None:
    (tmp_path / "quay.txt").write_text(" ")
    sources = [SourceInput(kind="file", path=tmp_path / name) for name in ("quay.txt", "gone.txt")]
    run = await writer.ingest_sources(tenant.number, ATLAS, sources)
    assert [(item.source_key, item.state) for item in run.items] == [("quay.txt", "failed"), ("gone.txt", "failed")]


async def test_the_item_of_a_run_says_what_its_reader_left_out(
    writer: Writer, database: Database, tenant: Tenant
) -> None:
    damaged = base64.b64encode(b"The quay is dry. " * 9 + b"\xff ends.").decode()
    source = SourceInput(kind="file", filename="quay.txt", content_base64=damaged)
    for state in ("stored", "unchanged"):
        run = await writer.ingest_sources(tenant.number, ATLAS, [source])
        notes = (await get_run(database, tenant.number, run.id)).items[0].notes
        assert run.items[0].state == state and run.items[0].notes == notes and len(notes) == 1
        listed, _ = await list_runs(database, tenant.number)
        assert listed[0].items[0].notes == []
