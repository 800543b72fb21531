"""What is done to records after they were written: correcting, forgetting, retracting, undoing; and their history."""

from typing import Annotated, Any

from litestar import Controller, Request, get, post
from litestar.datastructures import State
from litestar.params import Body, FromPath
from pydantic import Field

from muniment.api.authentication import needs
from muniment.api.problems import documented
from muniment.log.erasure import erase, get_erasure, list_erasures
from muniment.log.history import history
from muniment.log.lifecycle import forget, retract, undo
from muniment.model.lifecycle import Erasure, ErasureList, LifecycleEvent, RecordHistory
from muniment.model.refusals import Closed
from muniment.tenancy.principal import Principal

_Reason = Annotated[str, Field(min_length=1, description="Why; the log keeps it for good: quote nothing in it")]


class Reasoned(Closed):
    """Why something is done."""

    reason: _Reason


class Correction(Reasoned):
    """What takes the place of a record, and why."""

    text: str


class Forgetting(Reasoned):
    """Which records are no longer to count, and why."""

    records: Annotated[list[str], Field(min_length=1, max_length=10_000)]


class Erasing(Reasoned):
    """Which records, and which sources and ingestion runs whole, are to be erased, and why."""

    records: list[str] = Field(default_factory=list, max_length=10_000)
    sources: list[str] = Field(default_factory=list, max_length=1000)
    runs: list[str] = Field(default_factory=list, max_length=1000)


class LifecycleController(Controller):
    """Each request is an entry of the log; made again it adds nothing and is answered with the first."""

    path = "/api/v1"
    tags = ["lifecycle"]  # noqa: RUF012 - Litestar's own form

    @post(
        "/records/{record_id:str}/correct", operation_id="correctRecord", guards=[needs("memory:write")],
        status_code=200, responses=documented(400, 401, 403, 404, 409, 413, 422, 503),
    )  # fmt: skip
    async def correct(
        self,
        record_id: FromPath[str],
        data: Annotated[Correction, Body()],
        request: Request[Principal, Any, Any],
        state: State,
    ) -> LifecycleEvent:
        """Puts a correction in the place of a record."""
        event: LifecycleEvent = await state.runtime.writer.correct(
            request.user.tenant, record_id, data.text, reason=data.reason
        )
        return event

    @post(
        "/records/forget", operation_id="forgetRecords", guards=[needs("memory:write")], status_code=200,
        responses=documented(400, 401, 403, 404, 409, 413, 503),
    )  # fmt: skip
    async def forget(
        self, data: Annotated[Forgetting, Body()], request: Request[Principal, Any, Any], state: State
    ) -> LifecycleEvent:
        """Closes records, and what is derived from them alone. They stay in the log."""
        return await forget(state.runtime.database, request.user.tenant, data.records, data.reason)

    @post(
        "/sources/{source_id:str}/retract", operation_id="retractSource", guards=[needs("memory:write")],
        status_code=200, responses=documented(400, 401, 403, 404, 409, 413, 503),
    )  # fmt: skip
    async def retract(
        self,
        source_id: FromPath[str],
        data: Annotated[Reasoned, Body()],
        request: Request[Principal, Any, Any],
        state: State,
    ) -> LifecycleEvent:
        """Closes all records of a source, and what is derived from them alone."""
        return await retract(state.runtime.database, request.user.tenant, source_id, data.reason)

    @post(
        "/commits/{commit:int}/undo", operation_id="undoCommit", guards=[needs("memory:write")], status_code=200,
        responses=documented(400, 401, 403, 404, 409, 413, 503),
    )  # fmt: skip
    async def undo(
        self,
        commit: FromPath[int],
        data: Annotated[Reasoned, Body()],
        request: Request[Principal, Any, Any],
        state: State,
    ) -> LifecycleEvent:
        """Undoes the correction, forgetting or retraction of a commit."""
        return await undo(state.runtime.database, request.user.tenant, commit, data.reason)

    @post(
        "/erasures", operation_id="erase", guards=[needs("memory:erase")], status_code=200,
        responses=documented(400, 401, 403, 404, 413, 503),
    )  # fmt: skip
    async def erase(
        self, data: Annotated[Erasing, Body()], request: Request[Principal, Any, Any], state: State
    ) -> Erasure:
        """Erases records, sources, and what ingestion runs brought, with all that quotes them. There is no way back."""
        return await erase(
            state.runtime.database, request.user.tenant,
            records=data.records, sources=data.sources, runs=data.runs, reason=data.reason,
        )  # fmt: skip

    @get(
        "/erasures",
        operation_id="listErasures",
        guards=[needs("memory:erase", whole=True)],
        responses=documented(400, 401, 403, 503),
    )
    async def list_erasures(self, request: Request[Principal, Any, Any], state: State) -> ErasureList:
        """The receipts of erasures, the latest first, at most 500."""
        return ErasureList(erasures=await list_erasures(state.runtime.database, request.user.tenant))

    @get(
        "/erasures/{erasure_id:str}", operation_id="getErasure", guards=[needs("memory:erase")],
        responses=documented(400, 401, 403, 404, 503),
    )  # fmt: skip
    async def get_erasure(
        self, erasure_id: FromPath[str], request: Request[Principal, Any, Any], state: State
    ) -> Erasure:
        """How far an erasure is."""
        return await get_erasure(state.runtime.database, request.user.tenant, erasure_id)

    @get(
        "/records/{record_id:str}/history", operation_id="getRecordHistory", guards=[needs("memory:read")],
        responses=documented(400, 401, 403, 404, 503),
    )  # fmt: skip
    async def history(
        self, record_id: FromPath[str], request: Request[Principal, Any, Any], state: State
    ) -> RecordHistory:
        """All entries of the log about a record, and what stood in its place."""
        return await history(state.runtime.database, request.user.tenant, record_id)
