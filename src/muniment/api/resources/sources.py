"""Sources and their versions, their originals, and records in their places."""

from html import escape
from typing import Annotated, Any, Final, Literal
from urllib.parse import quote

from litestar import Controller, Request, Response, get
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery, QueryParameter
from pydantic import BaseModel

from muniment.api.authentication import needs
from muniment.api.parameters import Cursor, Limit, asked_namespace
from muniment.api.problems import documented
from muniment.log.previews import get_content, preview
from muniment.log.sources import get_source, list_sources
from muniment.model.namespace import Namespace
from muniment.model.source import Preview, Source
from muniment.tenancy.principal import Principal

_BYTES: Final = "application/octet-stream"
_INERT: Final = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox"}
_Version = Annotated[int | None, QueryParameter(ge=1, le=2**31 - 1, description="default: the newest")]
_Record = Annotated[str, QueryParameter(min_length=1, max_length=256, description="the id of a record of the source")]


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

    @get(
        "/{source_id:str}/content", operation_id="getSourceContent", media_type=_BYTES, guards=[needs("memory:read")],
        responses=documented(400, 401, 403, 404, 410, 503)
        | {200: ResponseSpec(bytes, description="The bytes", media_type=_BYTES, generate_examples=False)},
    )  # fmt: skip
    async def get_content(
        self, source_id: FromPath[str], request: Request[Principal, Any, Any], state: State, version: _Version = None
    ) -> Response[bytes]:
        """The original bytes of a source, as a file to be saved: whatever they are, no browser runs them.

        Their media type is told in `X-Source-Media-Type`, and which version they are of in `X-Source-Version`.
        """
        found = await get_content(state.runtime.database, request.user.tenant, source_id, version)
        name = quote(found.filename or source_id, safe="")
        told = {
            "Content-Disposition": f"attachment; filename*=UTF-8''{name}",
            "X-Source-Media-Type": quote(found.media_type, safe="/+.-"),
            "X-Source-Version": str(found.version),
            "ETag": f'"{found.content_hash}"',
        }
        return Response(found.data, media_type=_BYTES, headers=_INERT | told)

    @get(
        "/{source_id:str}/preview", operation_id="previewSource", guards=[needs("memory:read")],
        responses=documented(400, 401, 403, 404, 410, 503)
        | {200: ResponseSpec(Preview, description="The record in its place", generate_examples=False)},
    )  # fmt: skip
    async def preview(
        self,
        source_id: FromPath[str],
        request: Request[Principal, Any, Any],
        state: State,
        record: _Record,
        format: FromQuery[Literal["json", "html"]] = "json",
    ) -> Response[Any]:
        """A record in its place in the original: what stands before it, itself, and what stands after it.

        With `format=html` as a page that shows it, every word of it escaped.
        """
        found = await preview(state.runtime.database, request.user.tenant, record, source_id)
        if format == "json":
            return Response(found)
        return Response(_page(found), media_type="text/html", headers=_INERT)


def _page(shown: Preview) -> str:
    place = escape(f"{shown.source_key}, version {shown.version}")
    return (
        f"<!doctype html><meta charset=utf-8><title>{place}</title><h1>{place}</h1>"
        f"<pre>{escape(shown.before)}\n\n<mark>{escape(shown.text)}</mark>\n\n{escape(shown.after)}</pre>\n"
    )
