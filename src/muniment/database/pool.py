"""The connection pool of the service, which opens scopes: the only way to a tenant's rows."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cached_property
from typing import Any, Final, Self

from psycopg import errors as driver_errors
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from muniment.database.arrays import PlainListDumper
from muniment.database.guards import refuse_old_server, refuse_unsafe_role
from muniment.database.migrate import files_checksum, head_revision
from muniment.database.pinning import current_pin
from muniment.database.queries import query
from muniment.database.quotas import Quotas
from muniment.database.request_rate import RequestRates
from muniment.database.scope import Row, Scope
from muniment.database.search_slots import SearchSlots
from muniment.database.traffic import Traffic
from muniment.database.usage import UsageCounter
from muniment.errors import MunimentError
from muniment.settings import Settings

__all__ = ["Database", "Row", "Scope", "translated_errors"]

_PROVEN: Final = "muniment proven"  # of a connection that a transaction began on


class Database:
    """The pool of the service role. Open one per process; ``close`` it."""

    def __init__(self, url: str, settings: Settings) -> None:
        """``url`` is a SQLAlchemy URL of the role muniment_app; nothing connects before the first use."""
        self.settings = settings
        self.traffic = Traffic(settings.searches_at_once, settings.write_patience, settings.writes_at_once)
        self.quotas = Quotas(self)
        self.usage = UsageCounter(self)
        self.requests = RequestRates(self, self.quotas, self.usage)
        self.searches = SearchSlots(self, self.quotas, self.usage)
        self.engine: AsyncEngine = create_async_engine(
            url,
            pool_size=settings.pool_size,
            max_overflow=settings.pool_overflow,
            pool_timeout=settings.statement_timeout,
            pool_pre_ping=False,  # what opens a transaction tells whether the server is still there: see _connect
            hide_parameters=True,  # what tenants write does not get into logs by way of an error
            connect_args={"prepare_threshold": None if settings.pgbouncer else 5, "connect_timeout": 10},
        )
        event.listen(self.engine.sync_engine, "connect", _teach_arrays)

    @cached_property
    def _version(self) -> tuple[str, str]:
        # of the code that this process runs, whatever is put in its place on the disk meanwhile
        return head_revision(), files_checksum()

    async def check(self) -> None:
        """Refuses an unsafe role, too old a server, and a schema that is not this version's; raises ``store.*``."""
        async with self.transaction() as connection:
            facts = (await connection.execute(query("setup.role_facts"))).mappings().one()
            refuse_unsafe_role(dict(facts))
            vector = (await connection.execute(query("setup.vector_version"))).scalar()
            refuse_old_server(facts["server_version"], vector)
            try:
                state = (await connection.execute(query("setup.schema_state"))).one_or_none()
            except DBAPIError as error:
                raise MunimentError("store.schema_mismatch", "the database is not set up: run muniment init") from error
            if state is None or tuple(state) != self._version:
                raise MunimentError("store.schema_mismatch", "the database is at another version: run muniment init")

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """A transaction without a tenant, for what has none: resolving a credential, claiming jobs.

        Commits unless the block raises. Raises ``store.*``; only where the connection broke in the commit itself may
        something have been stored nevertheless, and the error says so.
        """
        async with self._begun(lambda scope: scope.execute("scope.ping")) as scope:
            yield scope.connection

    @asynccontextmanager
    async def scope(
        self,
        tenant: int,
        *,
        spaces: Sequence[int] | None = None,
        seconds: float | None = None,
        snapshot: bool = False,
        whole: bool = False,
    ) -> AsyncIterator[Scope]:
        """A transaction that sees one tenant, and of it only ``spaces`` where given; commits unless it raises.

        Where the context has a pin it sees only the spaces that agree with it, of ``spaces`` and of all, unless the
        caller has seen to that and says ``whole``. ``seconds`` bounds each statement; default
        ``settings.statement_timeout``. With ``snapshot`` it only reads, and every statement sees the same moment.
        """
        milliseconds = int(1000 * (seconds or self.settings.statement_timeout))
        asked, pin = None if spaces is None else list(spaces), None if whole else current_pin()

        async def open_scope(scope: Scope) -> None:
            if snapshot:
                await scope.execute("scope.snapshot")
            if pin is None:
                scope.pinned = asked
                await scope.execute("scope.open", spaces=asked, timeout=milliseconds)
            else:
                scope.pinned = await scope.value(
                    "scope.open_pinned", spaces=asked, timeout=milliseconds, project=pin.project_id, user=pin.user_id,
                    agent=pin.agent_id,
                )  # fmt: skip

        async with self._begun(open_scope, tenant) as scope:
            yield scope

    @asynccontextmanager
    async def _begun(self, begin: Callable[[Scope], Awaitable[object]], tenant: int = 0) -> AsyncIterator[Scope]:
        """A transaction that ``begin`` has opened by its first statements; it commits unless the block raises."""
        with translated_errors() as errors:
            scope = await self._connect(begin, tenant)
            try:
                yield scope
                errors.outcome = "whether it was stored is unknown: ask, or send it again with the same key"
                await scope.commit()
            finally:
                await _give_back(scope.connection)  # which rolls back what was not committed

    async def _connect(self, begin: Callable[[Scope], Awaitable[object]], tenant: int) -> Scope:
        """A connection of the pool on which ``begin`` succeeded. One that was lost while it lay there is replaced,
        without a ping before each use: nothing was asked of it yet that ``begin`` could not ask another."""
        while True:
            connection = await self.engine.connect().start()
            try:
                scope = await Scope.of(connection, tenant, self.settings)
                assert connection.sync_connection is not None
                kept = connection.sync_connection.info  # for as long as the driver's connection lives
                try:
                    await begin(scope)
                except (driver_errors.OperationalError, driver_errors.InterfaceError):
                    if not scope.lost or not kept.pop(_PROVEN, False):
                        raise
                    await connection.invalidate()
                else:
                    kept[_PROVEN] = True
                    return scope
            except BaseException:
                await _give_back(connection)
                raise
            await _give_back(connection)

    async def close(self) -> None:
        """Gives back what this process holds, notes what it counted, and closes all connections."""
        await self.searches.close()
        await self.usage.close()
        await self.engine.dispose()


async def _give_back(connection: AsyncConnection) -> None:
    """Back to the pool, also where the caller is being cancelled."""
    await asyncio.shield(asyncio.create_task(connection.close()))


def _teach_arrays(connection: Any, _record: object) -> None:
    connection.driver_connection.adapters.register_dumper(list, PlainListDumper)


class translated_errors:
    """Turns the database's errors into ours; nothing of a statement or its values gets into the message."""

    def __init__(self) -> None:
        self.outcome = "nothing was stored"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        if isinstance(error, PoolTimeoutError):
            raise MunimentError("store.busy", "no database connection became free in time") from error
        cause = error.orig if isinstance(error, DBAPIError) else error
        if not isinstance(cause, driver_errors.Error):
            return
        if type(cause) is driver_errors.DataError:  # the driver's own, before anything was sent
            raise MunimentError("input.invalid", "a text holds a character that the database cannot keep") from error
        if isinstance(cause, driver_errors.ForeignKeyViolation) and _of_tenant(cause):
            raise MunimentError("tenant.not_found", "the tenant was deleted; nothing was stored") from error
        for kinds, code, reason in _TRANSLATIONS:
            if isinstance(cause, kinds):
                outcome = self.outcome if code == "store.unavailable" else "nothing was stored"
                raise MunimentError(code, f"{reason}; {outcome}") from error
        lost = isinstance(error, DBAPIError) and error.connection_invalidated
        if lost or isinstance(cause, driver_errors.OperationalError | driver_errors.InterfaceError):
            raise MunimentError("store.unavailable", f"the database cannot be used now; {self.outcome}") from error


def _of_tenant(error: driver_errors.Error) -> bool:
    """Whether what a row refers to and is not there is its tenant."""
    return (error.diag.constraint_name or "").endswith("_tenant_id_fkey")


_TRANSLATIONS: tuple[tuple[tuple[type[driver_errors.Error], ...], str, str], ...] = (
    ((driver_errors.NumericValueOutOfRange,), "input.invalid", "a number is larger than any that the log can hold"),
    ((driver_errors.DiskFull,), "store.full", "the database has no space left"),
    (
        (driver_errors.QueryCanceled, driver_errors.LockNotAvailable),
        "store.busy",
        "the database did not answer in time",
    ),
    (
        (driver_errors.DeadlockDetected, driver_errors.SerializationFailure),
        "store.busy",
        "the database could not order the writes",
    ),
    (
        (driver_errors.TooManyConnections, driver_errors.OutOfMemory, driver_errors.ConfigurationLimitExceeded),
        "store.busy",
        "the database has too much to do",
    ),
    (
        (driver_errors.AdminShutdown, driver_errors.CrashShutdown, driver_errors.CannotConnectNow),
        "store.unavailable",
        "the database went away",
    ),
)
