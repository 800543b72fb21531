"""A source by URL is stored as what its answer is, and again only where that has changed."""

from datetime import UTC, datetime

import pytest
from writing import ATLAS, all_records

from muniment.database.pool import Database
from muniment.log.runs import find_run
from muniment.log.writer import Writer
from muniment.model.source import SourceInput
from muniment.sources.web import Fetched
from muniment.sources.web.addresses import target
from muniment.tenancy.tenants import Tenant


async def test_a_page_is_a_source_with_versions(
    writer: Writer, tenant: Tenant, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    bodies = [b"# Roof\n\nIt leaks.\n", b"# Roof\n\nIt leaks.\n", b"# Roof\n\nIt is dry.\n"]

    def fetched(url: str, _: object) -> Fetched:
        return Fetched(
            target(url).url + "?end", bodies.pop(0), "text/markdown; charset=utf-8", "roof", datetime.now(UTC)
        )

    monkeypatch.setattr("muniment.log.admission.fetch", fetched)
    page = SourceInput(kind="url", url="https://example.org/roof#top", metadata={"url": "mine"})
    states = []
    for _ in range(3):
        item = (await writer.ingest_sources(tenant.number, ATLAS, [page])).items[0]
        states.append((item.state, item.version, item.source_key))
    key = "https://example.org/roof"
    assert states == [("stored", 1, key), ("unchanged", 1, key), ("stored", 2, key)]
    record = next(each for each in await all_records(database, tenant) if each.text and "dry" in each.text)
    assert record.metadata["url"] == "mine" and len(str(record.metadata["response_sha256"])) == 64
    assert record.locator["heading"] == ["Roof"]


async def test_a_refused_url_is_the_end_of_its_item_alone(writer: Writer, tenant: Tenant) -> None:
    sources = [SourceInput(kind="url", url="http://127.0.0.1/"), SourceInput(kind="text", text="The roof is dry.")]
    first, second = (await writer.ingest_sources(tenant.number, ATLAS, sources)).items
    assert first.error is not None and first.error.code == "source.url_refused"
    assert first.source_key == "http://127.0.0.1/"
    assert second.state == "stored"


async def test_credentials_in_a_refused_url_are_kept_nowhere(
    writer: Writer, tenant: Tenant, database: Database
) -> None:
    page = SourceInput(kind="url", url="https://ana:zwieback@example.org/roof")
    run = await writer.ingest_sources(tenant.number, ATLAS, [page])
    assert "zwieback" not in run.model_dump_json()
    async with database.scope(tenant.number) as scope:
        number = await find_run(scope, run.id)
        rows = await scope.rows("runs.failed", run_no=number)
    assert len(rows) == 1 and "zwieback" not in str([dict(row) for row in rows])
