"""What the service refuses: too old a server or pgvector, and roles that row-level security does not bind."""

import re
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from muniment.database.queries import query
from muniment.errors import MunimentError

MINIMUM_SERVER = 180000
MINIMUM_VECTOR = (0, 8, 6)


def check_server(connection: Connection) -> None:
    """Asks the server what ``refuse_old_server`` wants to know, and refuses accordingly."""
    facts = connection.execute(query("setup.role_facts")).mappings().one()
    refuse_old_server(facts["server_version"], connection.execute(query("setup.vector_version")).scalar())


def refuse_old_server(server_version: int, vector_version: str | None) -> None:
    """Raises ``store.too_old`` unless this is PostgreSQL 18 with pgvector 0.8.6, or newer.

    ``server_version`` is ``server_version_num``; ``vector_version`` that of the extension, None where there is none.
    """
    if server_version < MINIMUM_SERVER:
        raise MunimentError("store.too_old", "PostgreSQL 18 or newer is needed", found=server_version)
    if vector_version is None:
        raise MunimentError("store.too_old", "the server does not offer the extension pgvector")
    numbers = tuple(int(number) for number in re.findall(r"\d+", vector_version)[:3])
    if numbers < MINIMUM_VECTOR:
        raise MunimentError(
            "store.too_old",
            "pgvector 0.8.6 or newer is needed; after installing it: alter extension vector update",
            found=vector_version,
        )


def refuse_unsafe_role(facts: Mapping[str, Any]) -> None:
    """Raises ``store.unsafe_role`` for a role that row-level security does not bind, or need not.

    That is a superuser, one with BYPASSRLS, the owner of the tables, and whoever may become one of these: by
    membership, or because the session began as one.
    """
    reasons = {
        "superuser": "the service must not run as a superuser",
        "bypasses": "the service must not run with BYPASSRLS",
        "owns": "the service must not run as the owner of its tables, nor as a role that crosses tenants",
        "becomes": "the service must not run as a member of a role that passes over row-level security",
    }
    for fact, reason in reasons.items():
        if facts[fact]:
            raise MunimentError("store.unsafe_role", reason, role=facts["name"])
