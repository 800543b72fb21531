"""What the service refuses: too old a server or pgvector, and roles that row-level security does not bind."""

from sqlalchemy import Connection

from muniment.database.queries import query
from muniment.errors import MunimentError

MINIMUM_SERVER = 180000
MINIMUM_VECTOR = (0, 8, 6)


def refuse_old_server(connection: Connection) -> None:
    """Raises ``store.too_old`` unless this is PostgreSQL 18 with pgvector 0.8.6, or newer."""
    facts = connection.execute(query("setup.role_facts")).mappings().one()
    if facts["server_version"] < MINIMUM_SERVER:
        raise MunimentError("store.too_old", "PostgreSQL 18 or newer is needed", found=facts["server_version"])
    found = connection.execute(query("setup.vector_version")).scalar()
    if found is None:
        raise MunimentError("store.too_old", "the server does not offer the extension pgvector")
    if tuple(int(part) for part in found.split(".")) < MINIMUM_VECTOR:
        raise MunimentError("store.too_old", "pgvector 0.8.6 or newer is needed", found=found)


def refuse_unsafe_role(facts: dict[str, object]) -> None:
    """Raises ``store.unsafe_role`` for a superuser, a role with BYPASSRLS, or one that can become the owner."""
    if facts["rolsuper"]:
        raise MunimentError("store.unsafe_role", "the service must not run as a superuser", role=facts["name"])
    if facts["rolbypassrls"]:
        raise MunimentError("store.unsafe_role", "the service must not run with BYPASSRLS", role=facts["name"])
    if facts["owns"] or facts["name"] == "muniment_owner":
        raise MunimentError(
            "store.unsafe_role", "the service must not run as the owner of its tables", role=facts["name"]
        )
