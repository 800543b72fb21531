"""What the tests of retrieval share: short forms of writing and asking."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from muniment.log.writer import Writer
from muniment.model.message import Message
from muniment.model.namespace import Namespace
from muniment.model.request import QueryRequest, SearchRequest
from muniment.model.result import QueryResult, SearchResult
from muniment.model.source import SourceInput
from muniment.retrieval.engine import Retriever
from muniment.tenancy.tenants import Tenant

ATLAS = Namespace(project_id="atlas")
BOREALIS = Namespace(project_id="borealis")
LAUNCH = "Project Atlas launch date is confirmed for 14 October 2026."
LAUNCH_QUESTION = "What is the confirmed launch date for Project Atlas?"

CHAT = (
    ("Caroline", "Hi Melanie! How was your weekend?"),
    ("Melanie", "Great, thanks! I took the kids camping by the lake."),
    ("Caroline", "Lovely. I have adopted a puppy, a beagle."),
    ("Melanie", "What did you call it?"),
    ("Caroline", "Biscuit! He ate a whole shoe on Sunday."),
    ("Melanie", "Ha! My old cat would never do that. She only sleeps."),
    ("Caroline", "By the way, I signed up for a pottery class."),
)


async def write_text(
    writer: Writer, tenant: Tenant, text: str, key: str, namespace: Namespace = ATLAS, **more: Any
) -> list[str]:
    """Ingests one text and gives the ids of its records."""
    source = SourceInput(kind="text", text=text, source_key=key, **more)
    run = await writer.ingest_sources(tenant.number, namespace, [source])
    assert run.state == "succeeded", run.items
    return run.items[0].record_ids


async def write_chat(
    writer: Writer,
    tenant: Tenant,
    turns: Sequence[tuple[str, str]] = CHAT,
    group_id: str = "chat",
    namespace: Namespace = ATLAS,
    at: datetime = datetime(2023, 5, 8, 13, 56, tzinfo=UTC),
) -> list[str]:
    """Ingests turns as (speaker, text) and gives the ids of their records."""
    messages = [Message(speaker=speaker, content=content, at=at) for speaker, content in turns]
    run = await writer.ingest_messages(tenant.number, namespace, messages, group_id=group_id)
    assert run.state == "succeeded", run.items
    return run.items[0].record_ids


async def search(
    retriever: Retriever, tenant: Tenant, query: str, namespace: Namespace = ATLAS, **more: Any
) -> SearchResult:
    return await retriever.search(tenant.number, SearchRequest(query=query, namespace=namespace, **more))


async def ask(
    retriever: Retriever, tenant: Tenant, question: str, namespace: Namespace = ATLAS, **more: Any
) -> QueryResult:
    return await retriever.query(tenant.number, QueryRequest(question=question, namespace=namespace, **more))


def ids(result: SearchResult) -> list[str]:
    """The ids of the hits, best first."""
    return [hit.record_id for hit in result.hits]
