"""Ingestion: sources, messages, and the runs that tell what became of them."""

from typing import Annotated, Any, Literal

from litestar import Controller, Request, get, post
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from litestar.params import Body, FromPath, FromQuery
from pydantic import BaseModel, Field

from muniment.api.authentication import needs
from muniment.api.parameters import Cursor, IdempotencyKey, Limit, asked_namespace
from muniment.api.problems import documented
from muniment.api.uploads import BytesOperation, asked_source, received
from muniment.errors import MunimentError
from muniment.log.runs import get_run, list_runs
from muniment.model.languages import Language
from muniment.model.message import Message, in_language
from muniment.model.namespace import Name, Namespace
from muniment.model.refusals import Closed
from muniment.model.source import IngestionRun, SourceInput
from muniment.tenancy.principal import Principal

Wait = Literal["default", "lexical", "indexed"]
_WAIT = (
    "what must be done when the answer comes: `lexical` (found by words), `indexed` (by meaning too), "
    "or the default: small input by both"
)
_MORE = "whether more of the run follow in another request: it has no end until one comes that does not say so"


class SourcesRequest(Closed):
    """Sources to ingest into one namespace; each succeeds or fails alone."""

    namespace: Namespace = Namespace()
    sources: list[SourceInput] = Field(min_length=1)
    wait: Wait = Field("default", description=_WAIT)
    run: str | None = Field(None, description="an earlier run, to which they are added; its answer tells of them only")
    more: bool = Field(False, description=_MORE)


class MessagesRequest(Closed):
    """Messages of one conversation; they are stored together or not at all."""

    namespace: Namespace = Namespace()
    group_id: Name
    messages: list[Message] = Field(min_length=1)
    language: Language | None = Field(None, description="of those messages that name none")
    wait: Wait = Field("default", description=_WAIT)


class IngestionRunPage(BaseModel):
    """Runs, newest first; ``next`` is the cursor of the page that follows, None at the end."""

    runs: list[IngestionRun]
    next: str | None = None


class IngestionController(Controller):
    """What goes in."""

    path = "/api/v1"
    tags = ["ingestion"]  # noqa: RUF012 - Litestar's own form

    @post(
        "/sources/ingest", operation_id="ingestSources", status_code=200, guards=[needs("memory:write")],
        responses=documented(400, 401, 403, 404, 409, 413, 422, 503),
    )  # fmt: skip
    async def ingest_sources(
        self,
        data: Annotated[SourcesRequest, Body(description="The sources, with their content as text or in base64")],
        request: Request[Principal, Any, Any],
        state: State,
        idempotency_key: IdempotencyKey = None,
    ) -> IngestionRun:
        """Ingests sources and answers with the run: its id, and the state of each source."""
        for index, source in enumerate(data.sources):
            if source.path is not None:
                raise MunimentError(
                    "input.invalid", "a path names a file of the caller: send its bytes as content_base64", index=index
                )
        run: IngestionRun = await state.runtime.writer.ingest_sources(
            request.user.tenant, data.namespace, data.sources, idempotency_key=idempotency_key, wait=data.wait,
            run=data.run, more=data.more,
        )  # fmt: skip
        return run

    @post(
        "/sources/upload", operation_id="uploadSource", status_code=200, guards=[needs("memory:write")],
        responses=documented(400, 401, 403, 404, 409, 413, 422, 503), operation_class=BytesOperation,
        request_max_body_size=None,  # that of the format counts, which `received` knows
        dependencies={
            "namespace": Provide(asked_namespace, sync_to_thread=False),
            "source": Provide(asked_source, sync_to_thread=False),
        },
    )  # fmt: skip
    async def upload_source(
        self,
        request: Request[Principal, Any, Any],
        state: State,
        namespace: NamedDependency[Namespace],
        source: NamedDependency[SourceInput],
        wait: FromQuery[Wait] = "default",
        run: FromQuery[str | None] = None,
        more: FromQuery[bool] = False,
        idempotency_key: IdempotencyKey = None,
    ) -> IngestionRun:
        """Ingests one file, whose bytes are the body, and answers with the run; for files too large for JSON."""
        ingested: IngestionRun = await state.runtime.writer.ingest_sources(
            request.user.tenant, namespace, [source], idempotency_key=idempotency_key, wait=wait, run=run, more=more,
            upload=await received(request, source, state.runtime.settings),
        )  # fmt: skip
        return ingested

    @post(
        "/messages", operation_id="ingestMessages", status_code=200, guards=[needs("memory:write")],
        responses=documented(400, 401, 403, 409, 413, 422, 503),
    )  # fmt: skip
    async def ingest_messages(
        self,
        data: Annotated[MessagesRequest, Body(description="The turns of one conversation, in order")],
        request: Request[Principal, Any, Any],
        state: State,
        idempotency_key: IdempotencyKey = None,
    ) -> IngestionRun:
        """Ingests messages into a conversation and answers with the run; all of them are stored, or none."""
        run: IngestionRun = await state.runtime.writer.ingest_messages(
            request.user.tenant, data.namespace, in_language(data.messages, data.language),
            group_id=data.group_id, idempotency_key=idempotency_key, wait=data.wait,
        )  # fmt: skip
        return run

    @get(
        "/ingestion-runs", operation_id="listIngestionRuns", guards=[needs("memory:read")],
        responses=documented(400, 401, 403, 503),
    )  # fmt: skip
    async def list_runs(
        self, request: Request[Principal, Any, Any], state: State, limit: Limit = 50, cursor: Cursor = None
    ) -> IngestionRunPage:
        """Ingestion runs, newest first."""
        runs, following = await list_runs(state.runtime.database, request.user.tenant, limit=limit, cursor=cursor)
        return IngestionRunPage(runs=runs, next=following)

    @get(
        "/ingestion-runs/{run_id:str}", operation_id="getIngestionRun", guards=[needs("memory:read")],
        responses=documented(400, 401, 403, 404, 503),
    )  # fmt: skip
    async def get_run(self, run_id: FromPath[str], request: Request[Principal, Any, Any], state: State) -> IngestionRun:
        """One ingestion run with the state of each of its sources."""
        return await get_run(state.runtime.database, request.user.tenant, run_id)

    @post(
        "/ingestion-runs/{run_id:str}/retry", operation_id="retryIngestionRun", status_code=200,
        guards=[needs("memory:write")], responses=documented(400, 401, 403, 404, 409, 503),
    )  # fmt: skip
    async def retry_run(
        self, run_id: FromPath[str], request: Request[Principal, Any, Any], state: State
    ) -> IngestionRun:
        """Tries the failed sources of a run again, from the bytes that were kept."""
        run: IngestionRun = await state.runtime.writer.retry(request.user.tenant, run_id)
        return run
