"""Who holds a connection waits for no other: a pool of one serves every kind of work, and a full one is never stuck."""

from base64 import b64encode
from pathlib import Path

import pytest

from muniment.database import quotas
from muniment.database.pool import Database
from muniment.log.lifecycle import correct, forget
from muniment.log.vectors import Embedding
from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.request import SearchRequest
from muniment.model.source import SourceInput
from muniment.retrieval.engine import Retriever
from muniment.settings import Settings
from muniment.tenancy.tenants import Tenant

ATLAS = Namespace(project_id="atlas")
EXPORT = b"[01/05/2024, 10:00:00] Ann: The ferry is late.\n[01/05/2024, 10:01:00] Ben: Again?\n"


async def test_every_write_and_search_does_with_one_connection(
    app_url: str, tenant: Tenant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "CACHE_SECONDS", 0)  # as after a quiet second: nothing is known by heart
    settings = Settings(
        data_dir=tmp_path / "data", pool_size=1, pool_overflow=0, statement_timeout=5.0, embedding_provider="none",
        quota_records=1_000_000,
    )  # fmt: skip
    database = Database(app_url, settings)
    try:
        writer = Writer(database, None, None, settings)
        said = [Message(role="user", content="The ferry is late.", id="a")]
        run = await writer.ingest_messages(tenant.number, ATLAS, said, group_id="chat", idempotency_key="1")
        (record,) = run.items[0].record_ids
        sources = [
            SourceInput(kind="text", text="The harbour is closed.", source_key="memo"),
            SourceInput(kind="file", filename="WhatsApp Chat with Ben.txt", content_base64=b64encode(EXPORT).decode()),
        ]
        run = await writer.ingest_sources(tenant.number, ATLAS, sources, idempotency_key="2")
        assert run.state == "succeeded", run.items
        await correct(database, tenant.number, Embedding(None, None), record, "The ferry is early.", "a test")
        retriever = Retriever(database, None, None, settings)
        found = await retriever.search(tenant.number, SearchRequest(query="ferry", namespace=ATLAS))
        assert found.hits
        await forget(database, tenant.number, [found.hits[0].record_id], "a test")
    finally:
        await database.close()
