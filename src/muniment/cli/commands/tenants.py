"""Tenants of the store: create, list, suspend, resume, delete, and the receipt of that."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from muniment.cli.options import AsJson, DataDir, Server, open_memory, settings_from
from muniment.cli.output import console, print_json, safe, table

if TYPE_CHECKING:
    from muniment.model.tenants import NewTenant, TenantDeletion, TenantDetail

app = typer.Typer(no_args_is_help=True, help="Tenants: create, list, suspend, resume, delete.")

_Tenant = Annotated[str, typer.Argument(help="A tenant's id: t_…")]


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="As its members see it when they sign in.")],
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Make a tenant, and a first API key with every scope, shown this once."""

    async def make() -> "NewTenant":
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.create_tenant(name)

    made = asyncio.run(make())
    if as_json:
        print_json(made)
        return
    console.print(f"{made.id} {safe(made.name)}")
    console.print(f"API key, shown this once: {made.secret}", markup=False)


@app.command("list")
def list_all(data_dir: DataDir = None, server: Server = None, as_json: AsJson = False) -> None:
    """List every tenant of the store."""

    async def read() -> "list[TenantDetail]":
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.tenants()

    found = asyncio.run(read())
    if as_json:
        print_json({"tenants": [tenant.model_dump(mode="json") for tenant in found]})
        return
    listing = table("id", "name", "state", "created")
    for tenant in found:
        listing.add_row(tenant.id, safe(tenant.name), tenant.state, tenant.created_at.isoformat(timespec="seconds"))
    console.print(listing)


@app.command()
def suspend(tenant: _Tenant, data_dir: DataDir = None, server: Server = None) -> None:
    """Let nobody of a tenant in: no key, no token, no SQL login. What it has is kept."""

    async def shut_out() -> None:
        async with open_memory(settings_from(data_dir, server)) as memory:
            await memory.suspend_tenant(tenant)

    asyncio.run(shut_out())
    console.print(f"suspended {safe(tenant)}")


@app.command()
def resume(tenant: _Tenant, data_dir: DataDir = None, server: Server = None) -> None:
    """Let a suspended tenant's credentials open it again."""

    async def let_in() -> None:
        async with open_memory(settings_from(data_dir, server)) as memory:
            await memory.resume_tenant(tenant)

    asyncio.run(let_in())
    console.print(f"resumed {safe(tenant)}")


@app.command()
def delete(
    tenant: _Tenant,
    export: Annotated[
        Path | None, typer.Option("--export", help="The archive to write first; .gz is compressed.")
    ] = None,
    without_export: Annotated[bool, typer.Option("--without-export", help="Keep no archive of it.")] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Delete a suspended tenant for good, after exporting it; run again, it goes on where it was cut short."""
    from muniment.deletion import delete_tenant, deletion_of
    from muniment.runtime import open_runtime

    async def run() -> "TenantDeletion":
        settings = settings_from(data_dir)
        async with open_runtime(settings, run_jobs=False) as runtime:
            done = await delete_tenant(
                runtime.database, runtime.prepared.admin_url, tenant, export_to=export, without_export=without_export
            )
            await runtime.runner.drain(settings.close_drain)  # the files of the database, where that is quick
            return await deletion_of(runtime.database, done.tenant)

    _print_deletion(asyncio.run(run()), as_json=as_json)


@app.command()
def deletion(tenant: _Tenant, data_dir: DataDir = None, server: Server = None, as_json: AsJson = False) -> None:
    """Show the receipt of a deleted tenant, and how far that is."""

    async def read() -> "TenantDeletion":
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.tenant_deletion(tenant)

    _print_deletion(asyncio.run(read()), as_json=as_json)


def _print_deletion(receipt: "TenantDeletion", *, as_json: bool) -> None:
    if as_json:
        print_json(receipt)
        return
    console.print(f"{receipt.tenant}: {receipt.state}, {sum(receipt.rows.values())} rows of {len(receipt.rows)} tables")
    console.print(f"{receipt.commits} commits, {receipt.entries} entries, root {receipt.root}")
    console.print(f"export {receipt.export_sha256 or 'none'}")
