"""Tenants of the store: create, list, suspend, resume, delete, and the receipt of that."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from muniment.cli.options import AsJson, DataDir, settings_from
from muniment.cli.output import console, print_json, safe, table

if TYPE_CHECKING:
    from muniment.database.pool import Database
    from muniment.model.tenants import TenantDeletion
    from muniment.tenancy.keys import NewKey

app = typer.Typer(no_args_is_help=True, help="Tenants: create, list, suspend, resume, delete.")

_Result = TypeVar("_Result")
_Tenant = Annotated[str, typer.Argument(help="A tenant's id: t_…")]


def _within(data_dir: Path | None, work: "Callable[[Database], Awaitable[_Result]]") -> _Result:
    from muniment.runtime import open_runtime

    async def run() -> _Result:
        async with open_runtime(settings_from(data_dir), run_jobs=False) as runtime:
            return await work(runtime.database)

    return asyncio.run(run())


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="As its members see it when they sign in.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Make a tenant, and a first API key with every scope, shown this once."""
    from muniment.model.identifiers import TENANT, public_id
    from muniment.tenancy.keys import create_key
    from muniment.tenancy.principal import SCOPES
    from muniment.tenancy.tenants import admit_tenant

    async def make(database: "Database") -> "tuple[str, NewKey]":
        made = await admit_tenant(database, name)
        return public_id(TENANT, made.public_id), await create_key(database, made.number, "first key", SCOPES)

    identifier, key = _within(data_dir, make)
    if as_json:
        print_json({"id": identifier, "key": key.key.id, "secret": key.secret})
        return
    console.print(f"{identifier} {safe(name.strip())}")
    console.print(f"API key, shown this once: {key.secret}", markup=False)


@app.command("list")
def list_all(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List every tenant of the store."""
    from muniment.tenancy.tenants import list_tenants

    found = _within(data_dir, list_tenants)
    if as_json:
        print_json({"tenants": [asdict(tenant) for tenant in found]})
        return
    listing = table("id", "name", "state", "created")
    for tenant in found:
        listing.add_row(tenant.id, safe(tenant.name), tenant.state, tenant.created_at.isoformat(timespec="seconds"))
    console.print(listing)


@app.command()
def suspend(tenant: _Tenant, data_dir: DataDir = None) -> None:
    """Let nobody of a tenant in: no key, no token, no SQL login. What it has is kept."""
    from muniment.tenancy.tenants import suspend_tenant

    _within(data_dir, lambda database: suspend_tenant(database, tenant))
    console.print(f"suspended {safe(tenant)}")


@app.command()
def resume(tenant: _Tenant, data_dir: DataDir = None) -> None:
    """Let a suspended tenant's credentials open it again."""
    from muniment.tenancy.tenants import resume_tenant

    _within(data_dir, lambda database: resume_tenant(database, tenant))
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
def deletion(tenant: _Tenant, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show the receipt of a deleted tenant, and how far that is."""
    from muniment.deletion import deletion_of

    _print_deletion(_within(data_dir, lambda database: deletion_of(database, tenant)), as_json=as_json)


def _print_deletion(receipt: "TenantDeletion", *, as_json: bool) -> None:
    if as_json:
        print_json(receipt)
        return
    console.print(f"{receipt.tenant}: {receipt.state}, {sum(receipt.rows.values())} rows of {len(receipt.rows)} tables")
    console.print(f"{receipt.commits} commits, {receipt.entries} entries, root {receipt.root}")
    console.print(f"export {receipt.export_sha256 or 'none'}")
