"""SQL logins of the store's tenant."""

from __future__ import annotations

from muniment.memory.in_process.opened import Opened
from muniment.memory.interface.sql_logins import SqlLogins
from muniment.model.sql_logins import NewSqlLogin, SqlLoginList, SqlLoginRequest, SqlLoginRotation
from muniment.tenancy.sql_logins import create_login, drop_login, list_logins, rotate_login


class LocalSqlLogins(Opened, SqlLogins):
    """Who reads the store with plain SQL."""

    async def sql_logins(self) -> SqlLoginList:
        runtime = await self._open()
        logins, gaps = await list_logins(runtime.database, runtime.tenant.number)
        return SqlLoginList(logins=logins, gaps=gaps)

    async def drop_sql_login(self, name: str) -> None:
        runtime = await self._open()
        await drop_login(runtime.database, runtime.prepared.admin_url, runtime.tenant.number, name)

    async def _create_sql_login(self, request: SqlLoginRequest) -> NewSqlLogin:
        runtime = await self._open()
        admin_url, seconds = runtime.prepared.admin_url, runtime.settings.sql_login_statement_limit
        return await create_login(runtime.database, admin_url, runtime.tenant.number, request, seconds=seconds)

    async def _rotate_sql_login(self, name: str, request: SqlLoginRotation) -> NewSqlLogin:
        runtime = await self._open()
        return await rotate_login(
            runtime.database, runtime.prepared.admin_url, runtime.tenant.number, name, valid_until=request.valid_until
        )
