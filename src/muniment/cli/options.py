"""Options that several commands share, and the memory they lead to."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import SecretStr, ValidationError

from muniment.errors import MunimentError
from muniment.model.namespace import Namespace
from muniment.model.refusals import refused
from muniment.settings import Settings, settings_of_environment

if TYPE_CHECKING:
    from muniment.memory import AsyncMuniment
    from muniment.runtime import Runtime

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="The store's directory [MUNIMENT_DATA_DIR, .muniment].")
]
OfTenant = Annotated[str | None, typer.Option("--tenant", help="Another tenant than the store's own: t_….")]
Server = Annotated[str | None, typer.Option("--server", help="A running server's URL [MUNIMENT_SERVER_URL].")]
Project = Annotated[str | None, typer.Option("--project", help="The project whose memory it is.")]
User = Annotated[str | None, typer.Option("--user", help="The user whose memory it is.")]
Agent = Annotated[str | None, typer.Option("--agent", help="The agent whose memory it is.")]
Session = Annotated[str | None, typer.Option("--session", help="The session inside.")]
Group = Annotated[str | None, typer.Option("--group", help="The conversation or document group.")]
Shared = Annotated[bool, typer.Option("--include-shared", help="Also see the project's memory that has no user.")]


def settings_from(data_dir: Path | None, server: str | None = None) -> Settings:
    """The environment's settings, with what the command line says instead; raises ``input.invalid``."""
    settings = settings_of_environment()
    changes: dict[str, object] = {}
    if data_dir is not None:
        changes["data_dir"] = data_dir
    if server is not None:
        changes["server_url"] = server
    return settings.model_copy(update=changes)


def namespace_from(
    project: str | None, user: str | None, agent: str | None, session: str | None, shared: bool = False
) -> Namespace:
    """The namespace of the flags; raises ``input.namespace_invalid``."""
    try:
        return Namespace(project_id=project, user_id=user, agent_id=agent, session_id=session, include_shared=shared)
    except ValidationError as error:
        raise refused(error, code="input.namespace_invalid") from None


async def tenant_number(runtime: "Runtime", tenant_id: str | None) -> int:
    """The number of the tenant of this id, of the store's own where it is None; raises ``tenant.not_found``."""
    from muniment.tenancy.tenants import find_tenant

    return runtime.tenant.number if tenant_id is None else (await find_tenant(runtime.database, tenant_id)).number


@asynccontextmanager
async def open_memory(
    settings: Settings, namespace: Namespace | None = None, tenant: str | None = None
) -> "AsyncIterator[AsyncMuniment]":
    """The running server where one is configured, otherwise the store itself: its own tenant, or the one of this id.

    Raises ``input.invalid`` for a tenant of a server, whose credential tells it, and ``tenant.not_found``.
    """
    from muniment.memory import AsyncMuniment  # late, so that help and wrong usage answer at once

    asked = namespace or Namespace()
    if settings.server_url is not None and tenant is not None:
        raise MunimentError("input.invalid", "--tenant is of a store here: on a server the credential tells the tenant")
    if settings.server_url is not None:
        key = settings.api_key or SecretStr("")
        opened = AsyncMuniment.connect(settings.server_url, api_key=key.get_secret_value(), namespace=asked)
    else:
        opened = AsyncMuniment.open(settings.data_dir, namespace=asked, settings=settings, tenant=tenant)
    async with opened as memory:
        yield memory
