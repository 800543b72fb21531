"""All tenants of the server, for who operates it: a credential of the store's own tenant, where the settings say so."""

from typing import Annotated, Any

from litestar import Controller, Request, get, post, put
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Body, FromPath
from litestar.response import Stream

from muniment.api.authentication import operates
from muniment.api.problems import documented
from muniment.api.resources.archive import MEDIA_TYPE, archive_of
from muniment.deletion import begin_deletion, deletion_of
from muniment.model.quotas import Quota, QuotaChange
from muniment.model.tenants import (
    DeletionRequest,
    NewTenant,
    TenantDeletion,
    TenantDeletionList,
    TenantDetail,
    TenantList,
    TenantName,
)
from muniment.tenancy.operating import (
    let_in,
    limit_tenant,
    make_tenant,
    quota_of,
    shown_tenant,
    shown_tenants,
    shut_out,
    tenant_to_export,
)
from muniment.tenancy.principal import Principal
from muniment.tenancy.removal import list_deletions

_Request = Request[Principal, Any, Any]
_LOOKING = documented(400, 401, 403, 404, 503)
_CHANGING = documented(400, 401, 403, 404, 409, 413, 500, 503)
_ARCHIVE: Any = {200: ResponseSpec(str, description="JSON Lines", media_type=MEDIA_TYPE, generate_examples=False)}


class TenantsController(Controller):
    """Tenants: made, listed, suspended, deleted, and their quotas. Each change is in the operator's audit log too."""

    path = "/api/v1/tenants"
    tags = ["tenants"]  # noqa: RUF012 - Litestar's own form
    guards = [operates]  # noqa: RUF012 - Litestar's own form

    @get("/", operation_id="listTenants", responses=documented(400, 401, 403, 503))
    async def list_tenants(self, state: State) -> TenantList:
        """Every tenant, the oldest first."""
        return TenantList(tenants=await shown_tenants(state.runtime.database))

    @post("/", operation_id="createTenant", responses=documented(400, 401, 403, 413, 503))
    async def create_tenant(self, data: Annotated[TenantName, Body()], request: _Request, state: State) -> NewTenant:
        """Makes a tenant, and a first API key with every scope, which this answer alone has."""
        return await make_tenant(state.runtime.database, request.user.tenant, data.name)

    @get("/{tenant_id:str}", operation_id="getTenantById", responses=_LOOKING)
    async def get_tenant(self, tenant_id: FromPath[str], state: State) -> TenantDetail:
        """One tenant."""
        return await shown_tenant(state.runtime.database, tenant_id)

    @post("/{tenant_id:str}/suspend", operation_id="suspendTenant", status_code=200, responses=_CHANGING)
    async def suspend_tenant(self, tenant_id: FromPath[str], request: _Request, state: State) -> TenantDetail:
        """Lets nobody of a tenant in, within seconds; what it has is kept."""
        return await shut_out(state.runtime.database, request.user.tenant, tenant_id)

    @post("/{tenant_id:str}/resume", operation_id="resumeTenant", status_code=200, responses=_CHANGING)
    async def resume_tenant(self, tenant_id: FromPath[str], request: _Request, state: State) -> TenantDetail:
        """Lets a suspended tenant's credentials open it again."""
        return await let_in(state.runtime.database, request.user.tenant, tenant_id)

    @get("/{tenant_id:str}/quota", operation_id="getTenantQuota", responses=_LOOKING)
    async def get_quota(self, tenant_id: FromPath[str], state: State) -> Quota:
        """The limits of a tenant, each with what is in use of it."""
        return await quota_of(state.runtime.database, tenant_id)

    @put("/{tenant_id:str}/quota", operation_id="putTenantQuota", responses=documented(400, 401, 403, 404, 413, 503))
    async def put_quota(
        self, tenant_id: FromPath[str], data: Annotated[QuotaChange, Body()], request: _Request, state: State
    ) -> Quota:
        """Sets all limits of a tenant; what is left out is the server's default."""
        return await limit_tenant(state.runtime.database, request.user.tenant, tenant_id, data)

    @get(
        "/{tenant_id:str}/archive", operation_id="exportTenant", media_type=MEDIA_TYPE,
        responses=documented(400, 401, 403, 404, 500, 503) | _ARCHIVE,
    )  # fmt: skip
    async def export(self, tenant_id: FromPath[str], request: _Request, state: State) -> Stream:
        """A tenant's archive. An answer that lacks its last line, the digest, was cut short."""
        database = state.runtime.database
        return await archive_of(request, database, await tenant_to_export(database, request.user.tenant, tenant_id))

    @post("/{tenant_id:str}/delete", operation_id="deleteTenant", status_code=202, responses=_CHANGING)
    async def delete_tenant(
        self, tenant_id: FromPath[str], data: Annotated[DeletionRequest, Body()], state: State
    ) -> TenantDeletion:
        """Gives a suspended tenant up, for good; a job then removes all that it has. Its receipt so far."""
        runtime = state.runtime
        return await begin_deletion(runtime.database, runtime.prepared.admin_url, tenant_id, data.export)

    @get("/{tenant_id:str}/deletion", operation_id="getTenantDeletion", responses=_LOOKING)
    async def get_deletion(self, tenant_id: FromPath[str], state: State) -> TenantDeletion:
        """The receipt of a deleted tenant, and how far that is."""
        return await deletion_of(state.runtime.database, tenant_id)

    @get("/deletions", operation_id="listTenantDeletions", responses=documented(400, 401, 403, 503))
    async def list_deletions(self, state: State) -> TenantDeletionList:
        """The receipts of all deleted tenants, the latest first."""
        return TenantDeletionList(deletions=await list_deletions(state.runtime.database))
