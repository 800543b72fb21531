"""SQL logins, in the plain form."""

from __future__ import annotations

from datetime import datetime

from muniment.memory.plain.waiting import Waiting
from muniment.model.sql_logins import NewSqlLogin, SqlLoginList


class PlainSqlLogins(Waiting):
    """As ``SqlLogins``, waiting."""

    def sql_logins(self) -> SqlLoginList:
        """The tenant's SQL logins, and what the server does not forbid them."""
        return self._loop.call(self._memory.sql_logins())

    def create_sql_login(
        self, label: str = "unnamed", *, connections: int = 8, valid_until: datetime | None = None
    ) -> NewSqlLogin:
        """Makes a login; see ``AsyncMuniment.create_sql_login``."""
        return self._loop.call(
            self._memory.create_sql_login(label, connections=connections, valid_until=valid_until)
        )  # fmt: skip

    def rotate_sql_login(self, name: str, *, valid_until: datetime | None = None) -> NewSqlLogin:
        """Gives a login another password; see ``AsyncMuniment.rotate_sql_login``."""
        return self._loop.call(self._memory.rotate_sql_login(name, valid_until=valid_until))

    def drop_sql_login(self, name: str) -> None:
        """Drops a login, and ends its open sessions."""
        self._loop.call(self._memory.drop_sql_login(name))
