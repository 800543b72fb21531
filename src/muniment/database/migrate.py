"""The migration runner: roles, then tables by Alembic, then functions, views and policies where a checksum changed.

Everything runs in one transaction under one transaction-level advisory lock, so that a failed or concurrent start
leaves nothing half done, and so that it also works through PgBouncer in transaction mode.
"""

import hashlib
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from psycopg import Connection as DriverConnection
from psycopg import Error as DriverError
from psycopg import errors as driver_errors
from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from muniment.database.files import migrations_directory, sql_directory
from muniment.database.guards import check_server
from muniment.database.queries import query
from muniment.errors import MunimentError

_APPLIED_KINDS = ("functions", "views", "policies")
_LOCK_WAIT = "20s"
_REFUSALS = (
    driver_errors.AdminShutdown,
    driver_errors.CannotConnectNow,
    driver_errors.CrashShutdown,
    driver_errors.InvalidAuthorizationSpecification,
    driver_errors.InvalidCatalogName,
    driver_errors.InvalidPassword,
    driver_errors.TooManyConnections,
)


def migrate(admin_url: str) -> None:
    """Brings the database to this version's schema; safe to run at every start, by several processes at once.

    ``admin_url`` is the SQLAlchemy URL of a role that may create roles and extensions (a superuser, or a managed
    server's administrator). Raises ``store.unavailable``, ``store.busy``, ``store.not_permitted``,
    ``store.too_old`` or ``store.schema_mismatch``.
    """
    engine = create_engine(admin_url, poolclass=NullPool, connect_args={"prepare_threshold": None})
    try:
        with engine.begin() as connection:
            connection.execute(query("setup.lock_setup"))
            connection.execute(query("setup.bound_waits"), {"wait": _LOCK_WAIT})
            check_server(connection)
            run_script(connection, sql_directory() / "setup" / "roles.sql")
            connection.execute(query("setup.become_owner"))
            _upgrade_tables(connection)
            _apply_files(connection)
    except (DBAPIError, DriverError) as error:
        raise _set_up_error(error) from error
    finally:
        engine.dispose()


def _set_up_error(error: DBAPIError | DriverError) -> MunimentError:
    cause = error.orig if isinstance(error, DBAPIError) else error
    reason = (cause.diag.message_primary if isinstance(cause, DriverError) else None) or "no reason given"
    if isinstance(cause, driver_errors.LockNotAvailable):
        return MunimentError("store.busy", "the set-up waits for a lock that others hold; stop them and try again")
    if isinstance(cause, driver_errors.InsufficientPrivilege):
        return MunimentError("store.not_permitted", f"this role may not set the database up: {reason}")
    if (isinstance(cause, driver_errors.OperationalError) and cause.sqlstate is None) or isinstance(cause, _REFUSALS):
        return MunimentError("store.unavailable", "the database refused the set-up connection")
    return MunimentError("store.schema_mismatch", f"the database set-up failed: {reason}")


def run_script(connection: Connection, path: Path) -> None:
    """Runs a file of several statements as it stands, without parameters."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, DriverConnection)
    driver.execute(path.read_bytes())


def head_revision() -> str:
    """The newest migration that this version of the package ships."""
    head = ScriptDirectory(str(migrations_directory())).get_current_head()
    assert head is not None
    return head


def known_revisions() -> set[str]:
    """All migrations that this version of the package ships."""
    return {script.revision for script in ScriptDirectory(str(migrations_directory())).walk_revisions()}


def applied_files() -> list[Path]:
    """The files applied by checksum, in order: functions, then views, then policies."""
    return [path for kind in _APPLIED_KINDS for path in sorted((sql_directory() / kind).rglob("*.sql"))]


def files_checksum() -> str:
    """One SHA-256 over the names and contents of all applied files."""
    digest = hashlib.sha256()
    for path in applied_files():
        digest.update(f"{path.relative_to(sql_directory())}\0{path.read_text(encoding='utf-8')}\0".encode())
    return digest.hexdigest()


def _upgrade_tables(connection: Connection) -> None:
    current = MigrationContext.configure(connection, opts={"version_table_schema": "muniment"}).get_current_revision()
    config = Config()
    config.set_main_option("script_location", str(migrations_directory()))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if current is not None and current not in known:
        raise MunimentError("store.schema_mismatch", f"the database was made by a newer version ({current})")
    if current != head_revision():
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _apply_files(connection: Connection) -> None:
    connection.execute(query("setup.create_applied"))
    checksum = files_checksum()
    if connection.execute(query("setup.read_applied")).scalar() == checksum:
        return
    connection.execute(query("setup.skip_body_checks"))
    run_script(connection, sql_directory() / "setup" / "clear.sql")
    for path in applied_files():
        run_script(connection, path)
    connection.execute(query("setup.write_applied"), {"checksum": checksum})
