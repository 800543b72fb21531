"""SQL logins: PostgreSQL users that read the tenant's log with plain SQL."""

from typing import Annotated, Any

from litestar import Controller, Request, delete, get, post
from litestar.datastructures import State
from litestar.params import Body, FromPath

from muniment.api.authentication import needs
from muniment.api.operations import OptionalBody
from muniment.api.problems import documented
from muniment.model.sql_logins import NewSqlLogin, SqlLoginList, SqlLoginRequest, SqlLoginRotation
from muniment.tenancy.principal import Principal
from muniment.tenancy.sql_logins import create_login, drop_login, list_logins, rotate_login


class SqlLoginsController(Controller):
    """Who reads the tenant's log with plain SQL."""

    path = "/api/v1/sql-logins"
    tags = ["SQL logins"]  # noqa: RUF012 - Litestar's own form

    @get("/", operation_id="listSqlLogins", guards=[needs("tenant:admin")], responses=documented(400, 401, 403, 503))
    async def list_logins(self, request: Request[Principal, Any, Any], state: State) -> SqlLoginList:
        """The tenant's SQL logins, the oldest first, and what the server does not forbid them."""
        logins, gaps = await list_logins(state.runtime.database, request.user.tenant)
        return SqlLoginList(logins=logins, gaps=gaps)

    @post(
        "/", operation_id="createSqlLogin", guards=[needs("tenant:admin")],
        responses=documented(400, 401, 403, 409, 413, 422, 500, 503),
    )  # fmt: skip
    async def create_login(
        self, data: Annotated[SqlLoginRequest, Body()], request: Request[Principal, Any, Any], state: State
    ) -> NewSqlLogin:
        """Makes a PostgreSQL login that reads the tenant's rows; the answer alone has its password."""
        runtime = state.runtime
        seconds: float = runtime.settings.sql_login_statement_limit
        admin_url: str | None = runtime.prepared.admin_url
        return await create_login(runtime.database, admin_url, request.user.tenant, data, seconds=seconds)

    @post(
        "/{name:str}/rotate", operation_id="rotateSqlLogin", guards=[needs("tenant:admin")], status_code=200,
        operation_class=OptionalBody,
        responses=documented(400, 401, 403, 404, 413, 422, 500, 503),
    )  # fmt: skip
    async def rotate_login(
        self,
        name: FromPath[str],
        request: Request[Principal, Any, Any],
        state: State,
        data: Annotated[SqlLoginRotation | None, Body()] = None,
    ) -> NewSqlLogin:
        """Gives a login another password, and another end where one is named; its open sessions are ended."""
        runtime, tenant = state.runtime, request.user.tenant
        admin_url: str | None = runtime.prepared.admin_url
        until = None if data is None else data.valid_until
        return await rotate_login(runtime.database, admin_url, tenant, name, valid_until=until)

    @delete(
        "/{name:str}", operation_id="dropSqlLogin", guards=[needs("tenant:admin")],
        responses=documented(400, 401, 403, 404, 500, 503),
    )  # fmt: skip
    async def drop_login(self, name: FromPath[str], request: Request[Principal, Any, Any], state: State) -> None:
        """Drops a login, and ends its open sessions."""
        await drop_login(state.runtime.database, state.runtime.prepared.admin_url, request.user.tenant, name)
