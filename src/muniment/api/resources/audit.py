"""The tenant's audit log."""

from typing import Any

from litestar import Controller, Request, get
from litestar.datastructures import State

from muniment.api.authentication import needs
from muniment.api.parameters import Cursor, Limit
from muniment.api.problems import documented
from muniment.audit.chain import list_acts
from muniment.model.audit import AuditPage
from muniment.tenancy.principal import Principal


class AuditController(Controller):
    """Who administered what, and who erased."""

    path = "/api/v1/audit"
    tags = ["audit"]  # noqa: RUF012 - Litestar's own form

    @get("/", operation_id="listAudit", guards=[needs("ops:read")], responses=documented(400, 401, 403, 503))
    async def list_audit(
        self, request: Request[Principal, Any, Any], state: State, limit: Limit = 50, cursor: Cursor = None
    ) -> AuditPage:
        """Administrative acts and erases, the latest first. `validate` checks their chain."""
        return await list_acts(state.runtime.database, request.user.tenant, limit=limit, cursor=cursor)
