"""What the scripted model is made to say, and what is asked of it."""

from collections.abc import Callable
from typing import Any

from asking import ATLAS, LAUNCH, LAUNCH_QUESTION

from muniment.model.events import QueryEvent
from muniment.model.request import QueryRequest
from muniment.model.result import QueryResult
from muniment.retrieval.engine import Retriever
from muniment.tenancy.tenants import Tenant
from scripted_endpoint import Reply, Script, evidence_in, verdict

ANSWER = "The launch of Project Atlas is on 14 October 2026."
CATERING = "Catering for the Project Atlas launch party is still open."
Asking = Callable[..., Any]
GOOD = verdict(ANSWER, "E1", "E2")


def answering(
    answer: str = ANSWER, *, citing: str = "14 October", abstain: bool = False, extra: tuple[str, ...] = ()
) -> Script:
    """Cites the records that hold these words, by the ids that the request gives them."""

    def script(request: dict[str, Any]) -> Reply:
        cited = [item["id"] for item in evidence_in(request) if citing in item["text"]]
        return verdict(answer, *cited, *extra, abstain=abstain)

    return script


async def events_of(retriever: Retriever, tenant: Tenant, **more: Any) -> list[QueryEvent]:
    request = QueryRequest(question=LAUNCH_QUESTION, namespace=ATLAS, **more)
    return [event async for event in retriever.query_events(tenant.number, request)]


def is_quoted(result: QueryResult) -> bool:
    return not result.abstain and LAUNCH in result.answer and LAUNCH in result.citations[0].excerpt
