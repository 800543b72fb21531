"""SQL logins: PostgreSQL roles that read one tenant's log with plain SQL, under row-level security.

A role belongs to the group muniment_analyst, whose policies look the tenant up by ``session_user``. What it may hold,
and how long, is enforced by the server's own limits of roles and, from outside, by ``sql_watchdog.py``.
"""

import asyncio
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any, Final

from psycopg import Connection as DriverConnection
from sqlalchemy import Connection, create_engine, make_url
from sqlalchemy.exc import DBAPIError, OperationalError, ProgrammingError
from sqlalchemy.pool import NullPool

from muniment.audit.chain import record_act
from muniment.database.pool import Database
from muniment.database.queries import query
from muniment.errors import MunimentError
from muniment.model.sql_logins import NewSqlLogin, SqlLogin, SqlLoginRequest
from muniment.tenancy.tenants import Tenant

CONNECTIONS: Final = 8
MOST_LOGINS: Final = 32
"""How many a tenant may have: each holds connections of a server that all tenants share."""

_PREFIX: Final = "muniment_sql_"
_NAME: Final = re.compile(rf"{_PREFIX}[0-9a-f]{{1,40}}")
_PASSWORD_BYTES: Final = 24


async def create_login(
    database: Database, admin_url: str | None, tenant: int, asked: SqlLoginRequest, *, seconds: float
) -> NewSqlLogin:
    """Makes a login of the tenant with a password that cannot be had again, and tells the audit log of it.

    ``admin_url`` is the SQLAlchemy URL of a role that may create roles, ``seconds`` the ``statement_timeout`` that its
    sessions start with. Raises ``sql_login.unavailable`` without a URL, ``sql_login.too_many``, ``input.invalid``,
    ``input.time_invalid``, ``input.time_without_zone`` and ``store.*``.
    """
    if not 1 <= len(asked.label.strip()) <= 256 or not asked.label.isprintable():
        raise MunimentError("input.invalid", "a label has 1 to 256 printable characters", field="label")
    _check_end(asked.valid_until)
    made = await asyncio.to_thread(_create, _known(admin_url), tenant, asked, seconds)
    await _record(database, tenant, "sql_login.create", made.name, valid_until=_shown(made.valid_until))
    return made


async def list_logins(database: Database, tenant: int) -> tuple[list[SqlLogin], list[str]]:
    """The tenant's logins, the oldest first, and what the server does not forbid them."""
    async with database.scope(tenant) as scope:
        logins = [SqlLogin.model_validate(row) for row in await scope.rows("sql_logins.list")]
        return logins, [row["name"] for row in await scope.rows("sql_logins.gaps")]


async def rotate_login(
    database: Database, admin_url: str | None, tenant: int, name: str, *, valid_until: datetime | None = None
) -> NewSqlLogin:
    """Gives a login another password, and another end where one is named; its open sessions are ended. Audited.

    Raises ``sql_login.not_found`` and as ``create_login``.
    """
    _check_end(valid_until)
    _check_name(name)
    made = await asyncio.to_thread(_rotate, _known(admin_url), tenant, name, valid_until)
    await _record(database, tenant, "sql_login.rotate", name, valid_until=_shown(made.valid_until))
    return made


async def drop_login(database: Database, admin_url: str | None, tenant: int, name: str) -> None:
    """Drops a login and ends its sessions; audited.

    Raises ``sql_login.not_found``, ``sql_login.unavailable`` and ``store.*``.
    """
    _check_name(name)
    await asyncio.to_thread(_drop, _known(admin_url), tenant, name)
    await _record(database, tenant, "sql_login.drop", name)


async def has_logins(database: Database, tenant: int) -> bool:
    """Whether the tenant has any SQL login."""
    async with database.scope(tenant) as scope:
        return bool(await scope.value("sql_logins.count"))


def drop_logins(admin_url: str | None, tenant: int) -> None:
    """Drops all logins of a tenant that is deleted, and ends their sessions. Raises as ``drop_login``."""
    known = _known(admin_url)
    with _administering(known) as connection, _scope(connection, tenant):
        names = [row["name"] for row in connection.execute(query("sql_logins.list"), {"tenant": tenant}).mappings()]
    for name in names:
        with suppress(MunimentError):  # dropped by another process meanwhile
            _drop(known, tenant, name)


async def ensure_login(admin_url: str, tenant: Tenant) -> str:
    """The name of the login with which ``muniment psql`` reads this tenant, made at the first call. It has no password.

    Without a password it is of use where the server trusts local connections, as the embedded one does.
    ``admin_url`` is the SQLAlchemy URL of a role that may create roles. Raises ``store.unavailable``.
    """
    login = f"{_PREFIX}{tenant.public_id.hex}"
    await asyncio.to_thread(_ensure, admin_url, tenant.number, login)
    return login


async def _record(database: Database, tenant: int, action: str, name: str, **detail: Any) -> None:
    """Tells the audit log what was done: in a transaction after it, for roles are no rows of the tenant's."""
    async with database.scope(tenant) as scope:
        await record_act(scope, action, name, **detail)


def _shown(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _known(admin_url: str | None) -> str:
    if admin_url is None:
        raise MunimentError(
            "sql_login.unavailable", "MUNIMENT_DATABASE_URL names no administrator, who alone makes and drops logins"
        )
    return admin_url


def _check_end(valid_until: datetime | None) -> None:
    if valid_until is None:
        return
    if valid_until.tzinfo is None:
        raise MunimentError("input.time_without_zone", "the end needs a zone", field="valid_until")
    if valid_until <= datetime.now(UTC):
        raise MunimentError("input.time_invalid", "the end lies in the past", field="valid_until")


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise _not_found(name)


@contextmanager
def _administering(admin_url: str) -> Iterator[Connection]:
    """A transaction of the administrator's, one at a time: roles are of the whole server."""
    engine = create_engine(
        admin_url, poolclass=NullPool, hide_parameters=True, connect_args={"prepare_threshold": None}
    )
    try:
        with engine.begin() as connection:
            connection.execute(query("setup.lock_setup"))
            yield connection
    except OperationalError as error:
        raise MunimentError("store.unavailable", "the database refused the administrator's connection") from error
    except ProgrammingError as error:
        raise MunimentError("store.not_permitted", "the administrator may not make or drop SQL logins") from error
    except DBAPIError as error:
        raise MunimentError("store.unavailable", "the database did not do what SQL logins need") from error
    finally:
        engine.dispose()


@contextmanager
def _scope(connection: Connection, tenant: int) -> Iterator[None]:
    """Inside, the service role acts, on the tenant's rows alone."""
    if not connection.execute(query("sql_logins.may_become_app")).scalar():
        connection.execute(query("sql_logins.let_become_app"))
    connection.execute(query("sql_logins.become_app"))
    connection.execute(query("scope.open"), {"tenant": tenant, "spaces": None, "timeout": 10_000})
    yield
    connection.execute(query("sql_logins.become_administrator"))


def _create(admin_url: str, tenant: int, asked: SqlLoginRequest, seconds: float) -> NewSqlLogin:
    login = _PREFIX + secrets.token_hex(10)
    with _administering(admin_url) as connection:
        with _scope(connection, tenant):
            held = connection.execute(query("sql_logins.count"), {"tenant": tenant}).scalar_one()
        if held >= MOST_LOGINS:
            raise MunimentError("sql_login.too_many", f"a tenant may have {MOST_LOGINS} SQL logins", limit=MOST_LOGINS)
        _make_role(connection, login, asked.connections, f"{max(1, int(1000 * seconds))}ms")
        password = _give_password(connection, login, asked.valid_until)
        _map(connection, login, tenant, asked)
        row = _find(connection, tenant, login)
        return _with_password(connection, admin_url, row, password)


def _rotate(admin_url: str, tenant: int, name: str, valid_until: datetime | None) -> NewSqlLogin:
    with _administering(admin_url) as connection:
        with _scope(connection, tenant):
            values = {"tenant": tenant, "login": name, "keep": valid_until is None, "valid_until": valid_until}
            row = connection.execute(query("sql_logins.rotate"), values).mappings().one_or_none()
            if row is None:
                raise _not_found(name)
            connection.execute(query("sql_logins.end_sessions"), {"login": name})
        password = _give_password(connection, name, row["valid_until"])
        return _with_password(connection, admin_url, dict(row), password)


def _drop(admin_url: str, tenant: int, name: str) -> None:
    with _administering(admin_url) as connection:
        with _scope(connection, tenant):
            connection.execute(query("sql_logins.end_sessions"), {"login": name})
            gone = connection.execute(query("sql_logins.unmap"), {"tenant": tenant, "login": name}).scalar()
        if gone is None:
            raise _not_found(name)
        for statement in connection.execute(query("sql_logins.drop_role"), {"login": name}).scalars().all():
            connection.exec_driver_sql(statement)


def _ensure(admin_url: str, tenant: int, login: str) -> None:
    with _administering(admin_url) as connection:
        _make_role(connection, login, CONNECTIONS, "60s")
        _map(connection, login, tenant, SqlLoginRequest(label="muniment psql"))


def _make_role(connection: Connection, login: str, connections: int, timeout: str) -> None:
    creation = connection.execute(
        query("sql_logins.create_role"), {"login": login, "connections": connections}
    ).scalar()
    if creation is None:
        return
    connection.exec_driver_sql(creation)
    for name in ("sql_logins.memberships", "sql_logins.role_defaults"):
        values = {"login": login, "statement_timeout": timeout} if name.endswith("defaults") else {"login": login}
        for statement in connection.execute(query(name), values).scalars().all():
            connection.exec_driver_sql(statement)


def _give_password(connection: Connection, login: str, valid_until: datetime | None) -> str:
    """Sets a new password, of which the server is told a verifier only, and returns it."""
    password = secrets.token_urlsafe(_PASSWORD_BYTES)
    driver = connection.connection.driver_connection
    assert isinstance(driver, DriverConnection)
    verifier = driver.pgconn.encrypt_password(password.encode(), login.encode(), b"scram-sha-256").decode()
    values = {"login": login, "verifier": verifier, "valid_until": valid_until}
    connection.exec_driver_sql(connection.execute(query("sql_logins.set_password"), values).scalar_one())
    return password


def _map(connection: Connection, login: str, tenant: int, asked: SqlLoginRequest) -> None:
    values = {"tenant": tenant, "login": login, **asked.model_dump()}
    with _scope(connection, tenant):
        connection.execute(query("sql_logins.map"), values)


def _find(connection: Connection, tenant: int, name: str) -> dict[str, Any]:
    with _scope(connection, tenant):
        rows = connection.execute(query("sql_logins.list"), {"tenant": tenant}).mappings().all()
    return next(dict(row) for row in rows if row["name"] == name)


def _with_password(connection: Connection, admin_url: str, row: dict[str, Any], password: str) -> NewSqlLogin:
    url = make_url(admin_url)
    host = url.host or url.query.get("host")
    gaps = connection.execute(query("sql_logins.gaps")).scalars().all()
    return NewSqlLogin(
        **row, password=password, host=host if isinstance(host, str) else None, port=url.port, database=url.database,
        gaps=list(gaps),
    )  # fmt: skip


def _not_found(name: str) -> MunimentError:
    return MunimentError("sql_login.not_found", "the tenant has no such SQL login", name=name[:64])
