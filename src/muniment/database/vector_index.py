"""HNSW indexes: one for each tenant and model that has too many vectors to scan.

Each is a partial index over the vectors of one tenant, so that no tenant's graph crosses another's. Only the owner of
the table can build one, so this needs the administrator's URL; without an index every search is exact, only slower.
"""

import asyncio
import threading
import time

from psycopg import Connection as DriverConnection
from psycopg import errors as driver_errors
from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from muniment.database.pool import Database, Scope
from muniment.database.queries import query
from muniment.errors import MunimentError


async def index_wanted(database: Database, tenant: int, model_no: int) -> bool:
    """Whether the tenant has more vectors of the model than ``settings.vector_exact_limit``."""
    async with database.scope(tenant) as scope:
        wanted: bool = await scope.value(
            "vector_index.wanted", model=model_no, most=database.settings.vector_exact_limit
        )
    return wanted


async def index_lacking(scope: Scope, model_no: int, exact_limit: int) -> bool:
    """Whether the tenant has more vectors of the model than the limit, and no index, or a broken build's remains."""
    lacking: bool = await scope.value("vector_index.lacking", model=model_no, most=exact_limit)
    return lacking


async def ensure_index(
    database: Database, admin_url: str | None, tenant: int, model_no: int, *, patience: float = 3600.0
) -> bool:
    """Builds the tenant's index where it is wanted and missing; whether it was built. As ``build_index`` otherwise.

    ``admin_url`` None, where only the service role's URL is known, builds nothing. Cancelled, it ends the build.
    """
    if admin_url is None or not await index_wanted(database, tenant, model_no):
        return False
    build = _Build(admin_url, tenant, model_no, database.settings.vector_index_memory, patience)
    try:
        return await asyncio.to_thread(build.run)
    except asyncio.CancelledError:
        build.cancel()
        raise


def build_index(admin_url: str, tenant: int, model_no: int, memory: int = 256 * 1024**2) -> bool:
    """Builds the tenant's index unless it is there; whether it was built. Reads and writes go on meanwhile.

    ``memory`` in bytes bounds what the build takes; about 2 kB a vector of 384 dimensions keep it fast. Blocks, about
    10 s for 100,000 such vectors, and waits for the transactions that run when it begins: call it from a thread, and
    hold no transaction open. Raises ``store.unavailable`` when the build fails, ``store.busy`` when another build goes
    on for an hour; searches are then as before.
    """
    return _Build(admin_url, tenant, model_no, memory, 3600.0).run()


class _Build:
    """One build, which another thread may end. Of all processes on a database one builds at a time."""

    def __init__(self, admin_url: str, tenant: int, model_no: int, memory: int, patience: float) -> None:
        self._admin_url = admin_url
        self._values = {"tenant": tenant, "model": model_no, "most": memory}
        self._patience = patience
        self._cancelled = threading.Event()
        self._connection: Connection | None = None

    def run(self) -> bool:
        with _owner(self._admin_url) as connection:
            self._connection = connection
            self._wait_for_others(connection)
            state = connection.execute(query("vector_index.state"), self._values).scalar()
            if state == "valid":
                return False
            if state == "invalid":
                _run(connection, "vector_index.drop_statement", self._values)
            connection.execute(query("vector_index.give_memory"), self._values)
            try:
                _run(connection, "vector_index.create_statement", self._values)
            except DBAPIError as error:
                if not isinstance(error.orig, driver_errors.DiskFull):
                    raise
                # so says a container whose /dev/shm is smaller than the memory that parallel workers would share
                connection.execute(query("vector_index.build_alone"))
                _run(connection, "vector_index.drop_statement", self._values)
                _run(connection, "vector_index.create_statement", self._values)
            return True

    def cancel(self) -> None:
        """Ends the build, from another thread; what is left of it is dropped by the next one."""
        self._cancelled.set()
        connection = self._connection
        driver = connection.connection.driver_connection if connection is not None and not connection.closed else None
        if isinstance(driver, DriverConnection):
            driver.cancel_safe(timeout=5)

    def _wait_for_others(self, connection: Connection) -> None:
        """The lock is asked for again and again: who waits inside a statement holds up the very build it waits for."""
        deadline = time.monotonic() + self._patience
        while not connection.execute(query("vector_index.lock_builds")).scalar():
            if self._cancelled.is_set() or time.monotonic() >= deadline:
                raise MunimentError("store.busy", "another vector index is being built")
            self._cancelled.wait(0.5)


def drop_index(admin_url: str, tenant: int, model_no: int) -> None:
    """Removes the tenant's index, where there is one; searches are exact from then on."""
    with _owner(admin_url) as connection:
        _run(connection, "vector_index.drop_statement", {"tenant": tenant, "model": model_no})


def drop_indexes(admin_url: str, tenant: int) -> None:
    """Removes the tenant's indexes of all models."""
    with _owner(admin_url) as connection:
        for statement in (
            connection.execute(query("vector_index.drop_all_statements"), {"tenant": tenant}).scalars().all()
        ):
            connection.exec_driver_sql(statement)


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
