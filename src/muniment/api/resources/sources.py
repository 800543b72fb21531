"""Sources and their versions."""

from typing import Any

from litestar import Controller, Request, get
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath
from pydantic import BaseModel

from muniment.api.authentication import needs
from muniment.api.parameters import Cursor, Limit, asked_namespace
from muniment.api.problems import documented
from muniment.log.sources import get_source, list_sources
from muniment.model.namespace import Namespace
from muniment.model.source import Source
from muniment.tenancy.principal import Principal


class SourcePage(BaseModel):
    """Sources, newest first; ``next`` is the cursor of the page that follows, None at the end."""

    sources: list[Source]
    next: str | None = None


class SourcesController(Controller):
    """Where the records come from."""

    path = "/api/v1/sources"
    tags = ["sources"]  # noqa: RUF012 - Litestar's own form

    @get(
        "/", operation_id="listSources", guards=[needs("memory:read")], responses=documented(400, 401, 403, 503),
        dependencies={"namespace": Provide(asked_namespace, sync_to_thread=False)},
    )  # fmt: skip
    async def list_sources(
        self,
        request: Request[Principal, Any, Any],
        state: State,
        namespace: NamedDependency[Namespace],
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> SourcePage:
        """Sources that the namespace sees, newest first."""
        sources, following = await list_sources(
            state.runtime.database, request.user.tenant, namespace, limit=limit, cursor=cursor
        )
        return SourcePage(sources=sources, next=following)

    @get(
        "/{source_id:str}", operation_id="getSource", guards=[needs("memory:read")],
        responses=documented(400, 401, 403, 404, 503),
    )  # fmt: skip
    async def get_source(self, source_id: FromPath[str], request: Request[Principal, Any, Any], state: State) -> Source:
        """One source with all its versions."""
        return await get_source(state.runtime.database, request.user.tenant, source_id)
