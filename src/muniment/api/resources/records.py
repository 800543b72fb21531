"""Records of the log, and their proofs."""

from typing import Annotated, Any

from litestar import Controller, Request, get
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery, QueryParameter

from muniment.api.authentication import needs
from muniment.api.parameters import Cursor, Limit, asked_namespace
from muniment.api.problems import documented
from muniment.log.proofs import prove_record
from muniment.log.records import get_record, list_records
from muniment.model.filters import Kind
from muniment.model.namespace import Namespace
from muniment.model.proofs import RecordProof
from muniment.model.result import Record, RecordPage
from muniment.tenancy.principal import Principal

_Filter = Annotated[str | None, QueryParameter(min_length=1, max_length=256)]


class RecordsController(Controller):
    """The log itself."""

    path = "/api/v1/records"
    tags = ["records"]  # noqa: RUF012 - Litestar's own form

    @get(
        "/", operation_id="listRecords", guards=[needs("memory:read")], responses=documented(400, 401, 403, 404, 503),
        dependencies={"namespace": Provide(asked_namespace, sync_to_thread=False)},
    )  # fmt: skip
    async def list_records(
        self,
        request: Request[Principal, Any, Any],
        state: State,
        namespace: NamedDependency[Namespace],
        limit: Limit = 50,
        cursor: Cursor = None,
        group_id: _Filter = None,
        source_id: _Filter = None,
        include_closed: FromQuery[bool] = False,
        kind: FromQuery[Kind | None] = None,
    ) -> RecordPage:
        """Records in the order in which the log learned them."""
        return await list_records(
            state.runtime.database, request.user.tenant, namespace,
            limit=limit, cursor=cursor, group_id=group_id, source_id=source_id, include_closed=include_closed,
            kind=kind,
        )  # fmt: skip

    @get(
        "/{record_id:str}", operation_id="getRecord", guards=[needs("memory:read")],
        responses=documented(400, 401, 403, 404, 503),
    )  # fmt: skip
    async def get_record(self, record_id: FromPath[str], request: Request[Principal, Any, Any], state: State) -> Record:
        """One record, as the log holds it."""
        return await get_record(state.runtime.database, request.user.tenant, record_id)

    @get(
        "/{record_id:str}/proof", operation_id="proveRecord", guards=[needs("memory:read")],
        responses=documented(400, 401, 403, 404, 503),
    )  # fmt: skip
    async def prove_record(
        self, record_id: FromPath[str], request: Request[Principal, Any, Any], state: State
    ) -> RecordProof:
        """That the log holds the record: its leaf, its audit path and a signed checkpoint, to be verified offline."""
        return await prove_record(state.runtime.database, request.user.tenant, record_id)
