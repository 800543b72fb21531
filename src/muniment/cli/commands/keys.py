"""API keys of the local store's tenant: create, list, revoke."""

import asyncio
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from muniment.cli.options import AsJson, DataDir, settings_from
from muniment.cli.output import console, print_json, safe, table

if TYPE_CHECKING:
    from muniment.tenancy.keys import Key, NewKey

app = typer.Typer(no_args_is_help=True, help="API keys: create, list, revoke.")


@app.command()
def create(
    label: Annotated[str, typer.Option("--label", help="What the key is for.")] = "unnamed",
    scopes: Annotated[
        list[str] | None,
        typer.Option("--scope", help="memory:read, memory:write or admin; default all."),
    ] = None,
    expires: Annotated[datetime | None, typer.Option("--expires", help="When it stops working (UTC).")] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Make an API key; it is shown this once and stored only as a hash."""

    from muniment.runtime import open_runtime
    from muniment.tenancy.keys import SCOPES, create_key

    async def make() -> "NewKey":
        async with open_runtime(settings_from(data_dir), run_jobs=False) as runtime:
            asked = tuple(scopes) if scopes else SCOPES
            return await create_key(runtime.database, runtime.tenant.number, label, asked, expires_at=_utc(expires))

    made = asyncio.run(make())
    if as_json:
        print_json({"id": made.key.id, "secret": made.secret, "scopes": list(made.key.scopes)})
    else:
        console.print(f"{made.key.id} ({', '.join(made.key.scopes)})", markup=False)
        console.print(f"API key, shown this once: {made.secret}", markup=False)


def _utc(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment


@app.command("list")
def list_all(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List the API keys, never their secrets."""

    from muniment.runtime import open_runtime
    from muniment.tenancy.keys import list_keys

    async def read() -> "list[Key]":
        async with open_runtime(settings_from(data_dir), run_jobs=False) as runtime:
            return list(await list_keys(runtime.database, runtime.tenant.number))

    found = asyncio.run(read())
    if as_json:
        print_json({"keys": [asdict(key) | {"state": key.state} for key in found]})
        return
    listing = table("id", "prefix", "label", "scopes", "created", "last used", "state")
    for key in found:
        used = key.last_used_at.isoformat(timespec="seconds") if key.last_used_at else ""
        listing.add_row(
            key.id, safe(key.prefix), safe(key.label), ", ".join(key.scopes),
            key.created_at.isoformat(timespec="seconds"), used, key.state,
        )  # fmt: skip
    console.print(listing)


@app.command()
def revoke(key: Annotated[str, typer.Argument(help="A key's id: k_…")], data_dir: DataDir = None) -> None:
    """Stop an API key from working."""

    from muniment.runtime import open_runtime
    from muniment.tenancy.keys import revoke_key

    async def stop() -> None:
        async with open_runtime(settings_from(data_dir), run_jobs=False) as runtime:
            await revoke_key(runtime.database, runtime.tenant.number, key)

    asyncio.run(stop())
    console.print(f"revoked {safe(key)}")
