"""The scope: a transaction of one tenant, and the only way to its rows."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, Self

from psycopg import AsyncConnection as DriverConnection
from psycopg import AsyncCursor
from psycopg.rows import dict_row
from psycopg.types.numeric import Int8
from sqlalchemy.ext.asyncio import AsyncConnection

from muniment.database.giving_way import step
from muniment.database.queries import driver_query
from muniment.settings import Settings

Row = dict[str, Any]
"""A row by the names of its columns."""


class Scope:
    """One open transaction of one tenant. Every statement goes through it and names the tenant itself as well.

    ``tenant`` is the internal tenant number, filled in as the parameter ``:tenant`` of every named query. Statements go
    to the driver's connection, of which ``connection`` is the pool's view: SQLAlchemy's own way there costs more than
    many of them.
    """

    def __init__(
        self, connection: AsyncConnection, driver: DriverConnection[Any], tenant: int, settings: Settings | None = None
    ) -> None:
        self.connection = connection
        self.tenant = tenant
        self.settings = settings
        self.pinned: Sequence[int] | None = None  # the spaces that alone are seen
        self._driver = driver

    @classmethod
    async def of(cls, connection: AsyncConnection, tenant: int, settings: Settings | None = None) -> Self:
        """The scope over a connection of the pool, whose transaction has opened the tenant or is about to."""
        driver = (await connection.get_raw_connection()).driver_connection
        assert driver is not None
        return cls(connection, driver, tenant, settings)

    @property
    def lost(self) -> bool:
        """Whether the connection broke."""
        return self._driver.closed

    async def commit(self) -> None:
        """Commits at the driver: the pool knows of no transaction."""
        await self._driver.commit()

    async def execute(self, name: str, /, **parameters: Any) -> AsyncCursor[Row]:
        """Runs the named query ``concept.name`` with its parameters and ``:tenant``, after searches where its task lets
        them pass."""
        await step()
        cursor = self._driver.cursor(row_factory=dict_row)
        # always a bigint: the driver would send a small number as another type, and plan and prepare for it anew
        return await cursor.execute(driver_query(name), parameters | {"tenant": Int8(self.tenant)})

    async def rows(self, name: str, /, **parameters: Any) -> Sequence[Row]:
        """All rows of the named query."""
        return await (await self.execute(name, **parameters)).fetchall()

    async def row(self, name: str, /, **parameters: Any) -> Row | None:
        """The only row of the named query, or None. Raises ValueError where there are several."""
        rows = await self.rows(name, **parameters)
        if len(rows) > 1:
            raise ValueError(f"the query {name} gave {len(rows)} rows where at most one can be")
        return rows[0] if rows else None

    async def value(self, name: str, /, **parameters: Any) -> Any:
        """The first column of the first row, or None."""
        row = await (await self.execute(name, **parameters)).fetchone()
        return None if row is None else next(iter(row.values()))


class Scopes(Protocol):
    """Who opens scopes: the pool, for what it is made of itself."""

    settings: Settings

    def scope(self, tenant: int) -> AbstractAsyncContextManager[Scope]:
        """A transaction that sees one tenant; commits unless the block raises."""
        ...
