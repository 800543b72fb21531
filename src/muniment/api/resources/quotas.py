"""Fair use: what the tenant may use, and what it used."""

from typing import Annotated, Any

from litestar import Controller, Request, get
from litestar.datastructures import State
from litestar.params import QueryParameter

from muniment.api.authentication import needs
from muniment.api.problems import documented
from muniment.model.quotas import Quota, Usage
from muniment.tenancy.principal import Principal
from muniment.tenancy.quotas import MOST_DAYS, get_quota, get_usage

Days = Annotated[int, QueryParameter(ge=1, le=MOST_DAYS, description="How many days, today among them")]


class QuotasController(Controller):
    """Quotas and usage of the credential's tenant. Quotas are set by who runs the server, never by the tenant."""

    path = "/api/v1"
    tags = ["fair use"]  # noqa: RUF012 - Litestar's own form

    @get("/quota", operation_id="getQuota", guards=[needs("ops:read")], responses=documented(400, 401, 403, 503))
    async def get_quota(self, request: Request[Principal, Any, Any], state: State) -> Quota:
        """The limits in force, each with what is in use of it."""
        return await get_quota(state.runtime.database, request.user.tenant)

    @get("/usage", operation_id="getUsage", guards=[needs("ops:read")], responses=documented(400, 401, 403, 503))
    async def get_usage(self, request: Request[Principal, Any, Any], state: State, days: Days = 30) -> Usage:
        """What was used on each of the last days, in UTC; the latest first."""
        return await get_usage(state.runtime.database, request.user.tenant, days)
