"""The tenant of the credential. Others are the operator's: see ``tenants.py``."""

from typing import Any

from litestar import Controller, Request, get
from litestar.datastructures import State

from muniment.api.authentication import needs
from muniment.api.problems import documented
from muniment.model.tenants import TenantDescription
from muniment.tenancy.principal import Principal
from muniment.tenancy.tenants import about_tenant


class TenantController(Controller):
    """Whose memory it is."""

    path = "/api/v1/tenant"
    tags = ["tenant"]  # noqa: RUF012 - Litestar's own form

    @get("/", operation_id="getTenant", guards=[needs("tenant:admin")], responses=documented(400, 401, 403, 503))
    async def get_tenant(self, request: Request[Principal, Any, Any], state: State) -> TenantDescription:
        """The tenant that the credential opens."""
        tenant = await about_tenant(state.runtime.database, request.user.tenant)
        return TenantDescription.of(tenant)
