"""SQL logins: PostgreSQL roles that read one tenant's log with plain SQL, under row-level security."""

import asyncio
from typing import Final

from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from muniment.database.queries import query
from muniment.errors import MunimentError
from muniment.tenancy.tenants import Tenant

CONNECTIONS: Final = 8
STATEMENT_TIMEOUT: Final = "60s"


async def ensure_login(admin_url: str, tenant: Tenant) -> str:
    """The name of the login that reads this tenant, made at the first call. It has no password.

    Without a password it is of use where the server trusts local connections, as the embedded one does. The role
    belongs to the group muniment_analyst, whose policies look the tenant up by ``session_user``. Its limits are
    defaults of a session. ``admin_url`` is the SQLAlchemy URL of a role that may create roles. Raises
    ``store.unavailable``.
    """
    return await asyncio.to_thread(_ensure_login, admin_url, tenant)


def login_name(tenant: Tenant) -> str:
    """The login's name: roles are shared by all databases of a server, public ids by none."""
    return f"muniment_sql_{tenant.public_id.hex}"


def _ensure_login(admin_url: str, tenant: Tenant) -> str:
    login = login_name(tenant)
    engine = create_engine(admin_url, poolclass=NullPool, connect_args={"prepare_threshold": None})
    try:
        with engine.begin() as connection:
            connection.execute(query("setup.lock_setup"))
            _make_role(connection, login)
            _map(connection, login, tenant)
    except OperationalError as error:
        raise MunimentError("store.unavailable", "the database refused the administrator's connection") from error
    finally:
        engine.dispose()
    return login


def _make_role(connection: Connection, login: str) -> None:
    creation = connection.execute(
        query("sql_logins.create_role"), {"login": login, "connections": CONNECTIONS}
    ).scalar()
    if creation is None:
        return
    connection.exec_driver_sql(creation)
    defaults = {"login": login, "statement_timeout": STATEMENT_TIMEOUT}
    for statement in connection.execute(query("sql_logins.role_defaults"), defaults).scalars().all():
        connection.exec_driver_sql(statement)


def _map(connection: Connection, login: str, tenant: Tenant) -> None:
    if not connection.execute(query("sql_logins.may_become_app")).scalar():
        connection.execute(query("sql_logins.let_become_app"))
    connection.execute(query("sql_logins.become_app"))
    connection.execute(query("scope.open"), {"tenant": tenant.number, "spaces": None, "timeout": 10_000})
    connection.execute(query("sql_logins.map"), {"tenant": tenant.number, "login": login})
