"""HNSW indexes: one for each tenant and model that has too many vectors to scan.

Each is a partial index over the vectors of one tenant, so that no tenant's graph crosses another's. Only the owner of
the table can build one, so this needs the administrator's URL; without an index every search is exact, only slower.
"""

import asyncio

from psycopg import errors as driver_errors
from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from muniment.database.pool import Database
from muniment.database.queries import query
from muniment.errors import MunimentError


async def index_wanted(database: Database, tenant: int, model_no: int) -> bool:
    """Whether the tenant has more vectors of the model than ``settings.vector_exact_limit``."""
    async with database.scope(tenant) as scope:
        wanted: bool = await scope.value(
            "vector_index.wanted", model=model_no, most=database.settings.vector_exact_limit
        )
    return wanted


async def ensure_index(database: Database, admin_url: str | None, tenant: int, model_no: int) -> bool:
    """Builds the tenant's index where it is wanted and missing; whether it was built. As ``build_index`` otherwise.

    ``admin_url`` None, where only the service role's URL is known, builds nothing.
    """
    if admin_url is None or not await index_wanted(database, tenant, model_no):
        return False
    memory = database.settings.vector_index_memory
    return await asyncio.to_thread(build_index, admin_url, tenant, model_no, memory)


def build_index(admin_url: str, tenant: int, model_no: int, memory: int = 256 * 1024**2) -> bool:
    """Builds the tenant's index unless it is there; whether it was built. Reads and writes go on meanwhile.

    ``memory`` in bytes bounds what the build takes; about 2 kB a vector of 384 dimensions keep it fast. Blocks, about
    10 s for 100,000 such vectors, and waits for the transactions that run when it begins:
    call it from a thread, and hold no transaction open. Raises ``store.unavailable`` when the build fails; searches
    are then as before.
    """
    with _owner(admin_url) as connection:
        values = {"tenant": tenant, "model": model_no}
        state = connection.execute(query("vector_index.state"), values).scalar()
        if state == "valid":
            return False
        if state == "invalid":
            _run(connection, "vector_index.drop_statement", values)
        connection.execute(query("vector_index.give_memory"), values | {"most": memory})
        try:
            _run(connection, "vector_index.create_statement", values)
        except DBAPIError as error:
            if not isinstance(error.orig, driver_errors.DiskFull):
                raise
            # so says a container whose /dev/shm is smaller than the memory that parallel workers would share
            connection.execute(query("vector_index.build_alone"))
            _run(connection, "vector_index.drop_statement", values)
            _run(connection, "vector_index.create_statement", values)
        return True


def drop_index(admin_url: str, tenant: int, model_no: int) -> None:
    """Removes the tenant's index, where there is one; searches are exact from then on."""
    with _owner(admin_url) as connection:
        _run(connection, "vector_index.drop_statement", {"tenant": tenant, "model": model_no})


class _owner:
    """A connection as the owner of the tables, outside transactions, as concurrent index builds need it."""

    def __init__(self, admin_url: str) -> None:
        self._engine = create_engine(
            admin_url, poolclass=NullPool, isolation_level="AUTOCOMMIT", connect_args={"prepare_threshold": None}
        )

    def __enter__(self) -> Connection:
        self._connection = self._engine.connect()
        self._connection.execute(query("vector_index.become_owner"))
        return self._connection

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        self._connection.close()
        self._engine.dispose()
        if isinstance(error, DBAPIError):
            raise MunimentError("store.unavailable", "the vector index could not be built") from error


def _run(connection: Connection, name: str, values: dict[str, int]) -> None:
    statement = connection.execute(query(name), values).scalar_one()
    connection.exec_driver_sql(statement)
