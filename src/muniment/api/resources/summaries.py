"""Summaries: cards of groups, episodes of conversations, profiles of entities."""

from datetime import datetime
from typing import Annotated, Any

from litestar import Controller, Request, get
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from litestar.params import QueryParameter

from muniment.api.authentication import needs
from muniment.api.parameters import Cursor, Limit, asked_namespace
from muniment.api.problems import documented
from muniment.derivation.summaries.reading import SummaryFilter, list_summaries
from muniment.model.namespace import Namespace
from muniment.model.summaries import SummaryKind, SummaryPage
from muniment.tenancy.principal import Principal

_Kind = Annotated[SummaryKind, QueryParameter(description="Of groups, of conversations, or of entities")]
_Group = Annotated[str | None, QueryParameter(min_length=1, max_length=256, description="Those of one group")]
_Entity = Annotated[str | None, QueryParameter(min_length=1, max_length=1024, description="The profile of a name")]
_KnownAt = Annotated[int | None, QueryParameter(ge=0, le=2**62, description="What counted after this commit")]
_AskedAt = Annotated[datetime | None, QueryParameter(description="The time that counts as now; with its zone")]


class SummariesController(Controller):
    """What leads to records, and is context, never evidence."""

    path = "/api/v1/summaries"
    tags = ["summaries"]  # noqa: RUF012 - Litestar's own form

    @get(
        "/", operation_id="listSummaries", guards=[needs("memory:read")], responses=documented(400, 401, 403, 422, 503),
        dependencies={"namespace": Provide(asked_namespace, sync_to_thread=False)},
    )  # fmt: skip
    async def list_summaries(
        self,
        request: Request[Principal, Any, Any],
        state: State,
        namespace: NamedDependency[Namespace],
        kind: _Kind = "card",
        limit: Limit = 50,
        cursor: Cursor = None,
        group_id: _Group = None,
        entity: _Entity = None,
        known_at: _KnownAt = None,
        asked_at: _AskedAt = None,
    ) -> SummaryPage:
        """Cards, episodes or profiles in the order of their making, with their age, and whether they are stale."""
        wanted = SummaryFilter(kind, group_id, entity, known_at, asked_at)
        return await list_summaries(
            state.runtime.database, request.user.tenant, namespace, wanted, limit=limit, cursor=cursor
        )
