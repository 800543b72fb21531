"""SQL logins over REST, for who administers the tenant."""

from __future__ import annotations

from muniment.memory.interface.sql_logins import SqlLogins
from muniment.memory.over_rest.connected import Connected
from muniment.memory.wire import as_json, dump, path_part, read_answer
from muniment.model.sql_logins import NewSqlLogin, SqlLoginList, SqlLoginRequest, SqlLoginRotation


class RemoteSqlLogins(Connected, SqlLogins):
    """Who reads the tenant's log with plain SQL."""

    async def sql_logins(self) -> SqlLoginList:
        return read_answer(SqlLoginList, await self._open().get("sql-logins"))

    async def drop_sql_login(self, name: str) -> None:
        await self._open().delete(f"sql-logins/{path_part(name, 'SQL login', 'sql_login.not_found')}")

    async def _create_sql_login(self, request: SqlLoginRequest) -> NewSqlLogin:
        return read_answer(NewSqlLogin, await self._open().post("sql-logins", dump(as_json(request))))

    async def _rotate_sql_login(self, name: str, request: SqlLoginRotation) -> NewSqlLogin:
        path = f"sql-logins/{path_part(name, 'SQL login', 'sql_login.not_found')}/rotate"
        return read_answer(NewSqlLogin, await self._open().post(path, dump(as_json(request))))
