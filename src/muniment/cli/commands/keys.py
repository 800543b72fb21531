"""API keys of the local store's tenant: create, list, rotate, revoke."""

import asyncio
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from muniment.cli.options import AsJson, DataDir, OfTenant, namespace_from, settings_from, tenant_number
from muniment.cli.output import console, print_json, safe, table

if TYPE_CHECKING:
    from muniment.tenancy.keys import Key, NewKey

app = typer.Typer(no_args_is_help=True, help="API keys: create, list, rotate, revoke.")


@app.command()
def create(
    label: Annotated[str, typer.Option("--label", help="What the key is for.")] = "unnamed",
    scopes: Annotated[
        list[str] | None,
        typer.Option(
            "--scope",
            help="memory:read, memory:write, memory:erase, query:read, tenant:admin or ops:read; default: all.",
        ),
    ] = None,
    expires: Annotated[datetime | None, typer.Option("--expires", help="When it stops working (UTC).")] = None,
    project: Annotated[str | None, typer.Option("--pin-project", help="It sees this project alone.")] = None,
    user: Annotated[str | None, typer.Option("--pin-user", help="It sees this user alone.")] = None,
    agent: Annotated[str | None, typer.Option("--pin-agent", help="It sees this agent alone.")] = None,
    tenant: OfTenant = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Make an API key; it is shown this once and stored only as a hash."""

    from muniment.runtime import open_runtime
    from muniment.tenancy.keys import create_key
    from muniment.tenancy.principal import SCOPES, WHOLE_TENANT, pin_of

    namespace = namespace_from(project, user, agent, None)
    pin = pin_of(namespace.project_id, namespace.user_id, namespace.agent_id)
    every = SCOPES if pin is None else tuple(scope for scope in SCOPES if scope not in WHOLE_TENANT)

    async def make() -> "NewKey":
        async with open_runtime(settings_from(data_dir), run_jobs=False) as runtime:
            return await create_key(
                runtime.database,
                await tenant_number(runtime, tenant),
                label,
                scopes or every,
                expires_at=_utc(expires),
                pin=pin,
            )

    _show_secret(asyncio.run(make()), as_json)


@app.command()
def rotate(
    key: Annotated[str, typer.Argument(help="A key's id: k_…")],
    grace: Annotated[
        float | None, typer.Option("--grace", help="Seconds that its last secret works on [MUNIMENT_KEY_GRACE].")
    ] = None,
    tenant: OfTenant = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Give an API key a new secret; its last one works for a while yet."""

    from muniment.runtime import open_runtime
    from muniment.tenancy.keys import rotate_key

    async def change() -> "NewKey":
        async with open_runtime(settings_from(data_dir), run_jobs=False) as runtime:
            return await rotate_key(runtime.database, await tenant_number(runtime, tenant), key, grace=grace)

    _show_secret(asyncio.run(change()), as_json)


def _show_secret(made: "NewKey", as_json: bool) -> None:
    if as_json:
        print_json({"id": made.key.id, "secret": made.secret, "scopes": list(made.key.scopes)})
    else:
        console.print(f"{made.key.id} ({', '.join(made.key.scopes)})", markup=False)
        console.print(f"API key, shown this once: {made.secret}", markup=False)


def _utc(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment


@app.command("list")
def list_all(tenant: OfTenant = None, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List the API keys, never their secrets."""

    from muniment.runtime import open_runtime
    from muniment.tenancy.keys import list_keys

    async def read() -> "list[Key]":
        async with open_runtime(settings_from(data_dir), run_jobs=False) as runtime:
            return list(await list_keys(runtime.database, await tenant_number(runtime, tenant)))

    found = asyncio.run(read())
    if as_json:
        print_json({"keys": [asdict(key) | {"state": key.state} for key in found]})
        return
    listing = table("id", "prefix", "label", "scopes", "pinned to", "created", "last used", "state")
    for key in found:
        used = key.last_used_at.isoformat(timespec="seconds") if key.last_used_at else ""
        listing.add_row(
            key.id, safe(key.prefix), safe(key.label), ", ".join(key.scopes), _pinned(key),
            key.created_at.isoformat(timespec="seconds"), used, key.state,
        )  # fmt: skip
    console.print(listing)


def _pinned(key: "Key") -> str:
    """The fields of the key's pin as people read them, with nothing of a terminal's in them."""
    fields = {} if key.pin is None else asdict(key.pin)
    return safe(" ".join(f"{name.removesuffix('_id')}={value}" for name, value in fields.items() if value is not None))


@app.command()
def revoke(
    key: Annotated[str, typer.Argument(help="A key's id: k_…")], tenant: OfTenant = None, data_dir: DataDir = None
) -> None:
    """Stop an API key from working."""

    from muniment.runtime import open_runtime
    from muniment.tenancy.keys import revoke_key

    async def stop() -> None:
        async with open_runtime(settings_from(data_dir), run_jobs=False) as runtime:
            await revoke_key(runtime.database, await tenant_number(runtime, tenant), key)

    asyncio.run(stop())
    console.print(f"revoked {safe(key)}")
