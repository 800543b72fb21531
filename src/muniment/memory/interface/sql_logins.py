"""PostgreSQL users that read the tenant's log with plain SQL."""

from __future__ import annotations

from abc import abstractmethod
from datetime import datetime

from muniment.memory.inputs import request_of
from muniment.memory.interface.part import Part
from muniment.model.sql_logins import NewSqlLogin, SqlLoginList, SqlLoginRequest, SqlLoginRotation


class SqlLogins(Part):
    """SQL logins, made, given other passwords and dropped; a password is in the answer that made it alone.

    All but the list raise ``sql_login.unavailable`` where the store's settings name no administrator of the database.
    """

    @abstractmethod
    async def sql_logins(self) -> SqlLoginList:
        """The tenant's SQL logins, the oldest first, and what the server does not forbid them."""

    async def create_sql_login(
        self, label: str = "unnamed", *, connections: int = 8, valid_until: datetime | None = None
    ) -> NewSqlLogin:
        """Makes a login that holds at most so many connections; after ``valid_until`` it reads nothing.

        Raises ``sql_login.too_many`` and ``input.*``.
        """
        return await self._create_sql_login(
            request_of(SqlLoginRequest, label=label, connections=connections, valid_until=valid_until)
        )

    async def rotate_sql_login(self, name: str, *, valid_until: datetime | None = None) -> NewSqlLogin:
        """Gives a login another password, and another end where one is named; its open sessions are ended.

        Raises ``sql_login.not_found`` and ``input.*``.
        """
        return await self._rotate_sql_login(name, request_of(SqlLoginRotation, valid_until=valid_until))

    @abstractmethod
    async def drop_sql_login(self, name: str) -> None:
        """Drops a login, and ends its open sessions; raises ``sql_login.not_found``."""

    @abstractmethod
    async def _create_sql_login(self, request: SqlLoginRequest) -> NewSqlLogin: ...

    @abstractmethod
    async def _rotate_sql_login(self, name: str, request: SqlLoginRotation) -> NewSqlLogin: ...
