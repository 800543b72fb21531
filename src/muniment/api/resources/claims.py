"""Claims, the decisions about them, and the registry of relations."""

from datetime import datetime
from typing import Annotated, Any

from litestar import Controller, Request, get, post, put
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from litestar.params import Body, FromPath, QueryParameter

from muniment.api.authentication import needs
from muniment.api.parameters import Cursor, Limit, asked_namespace
from muniment.api.problems import documented
from muniment.derivation.claims import ClaimFilter, get_claim, list_claims
from muniment.derivation.decisions import undo_decision
from muniment.derivation.relations import get_relation, list_relations, put_relation
from muniment.model.claims import (
    ClaimDetail,
    ClaimPage,
    ClaimStatus,
    Relation,
    RelationChange,
    RelationList,
    UndoneDecision,
)
from muniment.model.namespace import Namespace
from muniment.tenancy.principal import Principal

_Subject = Annotated[str | None, QueryParameter(min_length=1, max_length=1024, description="The subject, by any name")]
_Relation = Annotated[str | None, QueryParameter(min_length=1, max_length=256, description="By any of its names")]
_Status = Annotated[
    list[ClaimStatus] | None,
    QueryParameter(description="As of the time asked about; SUPERSEDED without `as_of` lists whatever held ever"),
]
_AsOf = Annotated[datetime | None, QueryParameter(description="What held at this time; with its zone")]
_KnownAt = Annotated[int | None, QueryParameter(ge=0, le=2**62, description="What the log knew after this commit")]
_AskedAt = Annotated[datetime | None, QueryParameter(description="The time that counts as now; with its zone")]


class ClaimsController(Controller):
    """What the live facts say together."""

    path = "/api/v1/claims"
    tags = ["claims"]  # noqa: RUF012 - Litestar's own form

    @get(
        "/", operation_id="listClaims", guards=[needs("memory:read")], responses=documented(400, 401, 403, 422, 503),
        dependencies={"namespace": Provide(asked_namespace, sync_to_thread=False)},
    )  # fmt: skip
    async def list_claims(
        self,
        request: Request[Principal, Any, Any],
        state: State,
        namespace: NamedDependency[Namespace],
        limit: Limit = 50,
        cursor: Cursor = None,
        subject: _Subject = None,
        relation: _Relation = None,
        status: _Status = None,
        as_of: _AsOf = None,
        known_at: _KnownAt = None,
        asked_at: _AskedAt = None,
    ) -> ClaimPage:
        """Claims that hold, now or at a time, in the order in which their first facts came."""
        wanted = ClaimFilter(subject, relation, status or None, as_of, known_at, asked_at)
        return await list_claims(
            state.runtime.database, request.user.tenant, namespace, wanted, limit=limit, cursor=cursor
        )

    @get(
        "/{claim_id:str}", operation_id="getClaim", guards=[needs("memory:read")],
        responses=documented(400, 401, 403, 404, 422, 503),
    )  # fmt: skip
    async def get_claim(
        self,
        claim_id: FromPath[str],
        request: Request[Principal, Any, Any],
        state: State,
        known_at: _KnownAt = None,
        asked_at: _AskedAt = None,
    ) -> ClaimDetail:
        """One claim: its facts down to the places in raw records, the decisions about it, and all its versions."""
        return await get_claim(
            state.runtime.database, request.user.tenant, claim_id, known_at=known_at, asked_at=asked_at
        )

    @post(
        "/decisions/{decision_id:str}/undo", operation_id="undoDecision", status_code=200,
        guards=[needs("memory:write")], responses=documented(400, 401, 403, 404, 409, 503),
    )  # fmt: skip
    async def undo_decision(
        self, decision_id: FromPath[str], request: Request[Principal, Any, Any], state: State
    ) -> UndoneDecision:
        """Takes back that one value ended another, or that a name means an entity; claims follow in a moment."""
        return await undo_decision(state.runtime.database, request.user.tenant, decision_id)


class RelationsController(Controller):
    """What is known of relations."""

    path = "/api/v1/relations"
    tags = ["claims"]  # noqa: RUF012 - Litestar's own form

    @get("/", operation_id="listRelations", guards=[needs("memory:read")], responses=documented(400, 401, 403, 503))
    async def list_relations(self, request: Request[Principal, Any, Any], state: State) -> RelationList:
        """Every relation that is known, by name; others have many values."""
        return RelationList(relations=await list_relations(state.runtime.database, request.user.tenant))

    @get(
        "/{name:str}", operation_id="getRelation", guards=[needs("memory:read")],
        responses=documented(400, 401, 403, 404, 503),
    )  # fmt: skip
    async def get_relation(self, name: FromPath[str], request: Request[Principal, Any, Any], state: State) -> Relation:
        """One relation."""
        return await get_relation(state.runtime.database, request.user.tenant, name)

    @put(
        "/{name:str}", operation_id="putRelation", guards=[needs("tenant:admin")],
        responses=documented(400, 401, 403, 413, 503),
    )  # fmt: skip
    async def put_relation(
        self,
        name: FromPath[str],
        data: Annotated[RelationChange, Body()],
        request: Request[Principal, Any, Any],
        state: State,
    ) -> Relation:
        """What the relation is from now on, for this tenant; claims follow in a moment."""
        return await put_relation(state.runtime.database, request.user.tenant, name, data)
