"""From settings to a database that is set up, and the URL of the service role in it."""

import base64
import hashlib
import os
from dataclasses import dataclass

from psycopg import Error as DriverError
from psycopg import OperationalError as DriverOperationalError
from psycopg import connect
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier, Literal
from sqlalchemy import URL, make_url

from muniment.database.embedded import DATABASE, EmbeddedServer
from muniment.database.migrate import migrate
from muniment.database.queries import query
from muniment.errors import MunimentError
from muniment.settings import Settings

APP_ROLE = "muniment_app"


@dataclass(slots=True)
class PreparedDatabase:
    """A database at this version's schema. ``admin_url`` is None where only the service role's URL is known."""

    app_url: str
    admin_url: str | None
    server: EmbeddedServer | None

    def close(self) -> None:
        """Lets go of the embedded server, where there is one."""
        if self.server is not None:
            self.server.close()


def prepare(settings: Settings) -> PreparedDatabase:
    """Starts the embedded server unless another database is configured, and brings the schema up to date.

    With ``MUNIMENT_DATABASE_URL`` of an administrator, the service role's password is derived from the
    administrator's, so that every process with the same URL agrees on it. With the URL of muniment_app itself,
    nothing is set up: an administrator must have run ``muniment init`` before. Raises ``store.*``.
    """
    if settings.database_url is None:
        server = EmbeddedServer(settings.store_dir).open()
        try:
            admin_url = server.url()
            _create_database(server)
            migrate(admin_url)
        except DriverError as error:
            server.close()
            raise MunimentError("store.unavailable", "the embedded database went away") from error
        except BaseException:
            server.close()
            raise
        return PreparedDatabase(server.url(APP_ROLE), admin_url, server)
    admin = _with_driver(settings.database_url.get_secret_value())
    if admin.username == APP_ROLE:
        return PreparedDatabase(admin.render_as_string(hide_password=False), None, None)
    admin_url = admin.render_as_string(hide_password=False)
    migrate(admin_url)
    app = _service_url(admin)
    try:
        _let_in(admin, app)
    except DriverError as error:
        raise MunimentError("store.unavailable", "the database cannot be reached") from error
    return PreparedDatabase(app.render_as_string(hide_password=False), admin_url, None)


def driver_conninfo(url: str | URL) -> str:
    """The libpq connection string of a SQLAlchemy URL."""
    parsed = make_url(url)
    parts: dict[str, str | int | None] = {
        "host": parsed.host,
        "port": parsed.port,
        "user": parsed.username,
        "password": str(parsed.password) if parsed.password else None,
        "dbname": parsed.database,
    }
    parts |= {name: value for name, value in parsed.query.items() if isinstance(value, str)}
    return make_conninfo("", **{name: value for name, value in parts.items() if value is not None})


def replica_url(settings: Settings) -> str | None:
    """The service role's URL on the replica, None where none is set; the role has the password that it has there."""
    if settings.replica_url is None:
        return None
    given = _with_driver(settings.replica_url.get_secret_value())
    url = given if given.username == APP_ROLE else _service_url(given)
    return url.render_as_string(hide_password=False)


def _with_driver(url: str) -> URL:
    parsed = make_url(url)
    if parsed.get_backend_name() not in ("postgresql", "postgres"):
        raise MunimentError("store.unavailable", "MUNIMENT_DATABASE_URL must be a postgresql:// URL")
    return parsed.set(drivername="postgresql+psycopg")


def _create_database(server: EmbeddedServer) -> None:
    with connect(driver_conninfo(server.url(database="postgres")), autocommit=True) as connection:
        connection.execute("select pg_advisory_lock(7021913358)")
        if not connection.execute("select 1 from pg_database where datname = %s", (DATABASE,)).fetchone():
            connection.execute(SQL("create database {}").format(Identifier(DATABASE)))
        for (statement,) in connection.execute(str(query("setup.close_other_databases")).encode()).fetchall():
            connection.execute(statement.encode())


def _service_url(admin: URL) -> URL:
    """The URL of the service role, whose password follows from the administrator's."""
    secret = str(admin.password) if admin.password else os.environ.get("PGPASSWORD")
    return admin.set(username=APP_ROLE, password=_derived_password(secret) if secret else None)


def _derived_password(secret: str) -> str:
    derived = hashlib.scrypt(secret.encode(), salt=APP_ROLE.encode(), n=2**14, r=8, p=1, dklen=24)
    return base64.urlsafe_b64encode(derived).decode()


def _let_in(admin: URL, app: URL) -> None:
    """Sets the service role's password unless it already lets us in; a start changes nothing that works."""
    if _lets_in(app):
        return
    if not app.password:
        raise MunimentError(
            "store.not_permitted",
            f"MUNIMENT_DATABASE_URL has no password to derive one for {APP_ROLE} from: give that role a password "
            "yourself and use its URL, or name the administrator's password",
        )
    with connect(driver_conninfo(admin), connect_timeout=10) as connection:
        connection.execute(str(query("setup.lock_setup")).encode())
        if not _lets_in(app):  # another start may have been first
            verifier = connection.pgconn.encrypt_password(
                str(app.password).encode(), APP_ROLE.encode(), b"scram-sha-256"
            )
            statement = SQL("alter role {} password {}").format(Identifier(APP_ROLE), Literal(verifier.decode()))
            connection.execute(statement)


def _lets_in(app: URL) -> bool:
    try:
        connect(driver_conninfo(app), connect_timeout=10).close()
    except DriverOperationalError:
        return False
    return True
