"""Quotas and usage: quota show, quota set, usage."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from muniment.cli.options import AsJson, DataDir, OfTenant, Server, open_memory, settings_from, tenant_number
from muniment.cli.output import console, print_json, table
from muniment.errors import MunimentError
from muniment.model.quotas import LIMITS, Quota, QuotaChange, Usage

if TYPE_CHECKING:
    from muniment.database.pool import Database

app = typer.Typer(no_args_is_help=True, help="What the tenant may use: show, set.")

_Result = TypeVar("_Result")
_Limit = Annotated[int | None, typer.Option(min=0, help="0: no limit; left out: the default of the settings.")]


async def _within(
    data_dir: Path | None, tenant: str | None, work: "Callable[[Database, int], Awaitable[_Result]]"
) -> _Result:
    """What the work gives, done where the store is, for the tenant of this id."""
    from muniment.runtime import open_runtime

    async with open_runtime(settings_from(data_dir), run_jobs=False) as runtime:
        return await work(runtime.database, await tenant_number(runtime, tenant))


@app.command()
def show(tenant: OfTenant = None, data_dir: DataDir = None, server: Server = None, as_json: AsJson = False) -> None:
    """Show the limits in force, with what is in use of each."""

    async def read() -> Quota:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.quota() if tenant is None else await memory.tenant_quota(tenant)

    _print(asyncio.run(read()), as_json=as_json)


@app.command("set")
def set_quota(
    records: _Limit = None,
    size: Annotated[int | None, typer.Option("--bytes", min=0, help="Of texts and originals.")] = None,
    requests_per_minute: _Limit = None,
    concurrent_searches: _Limit = None,
    model_tokens_per_day: _Limit = None,
    tenant: OfTenant = None,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Set all limits of the local store's tenant, or of another; running servers go by them within seconds."""
    from muniment.tenancy.quotas import put_quota

    change = QuotaChange(
        records=records, bytes=size, requests_per_minute=requests_per_minute, concurrent_searches=concurrent_searches,
        model_tokens_per_day=model_tokens_per_day,
    )  # fmt: skip

    async def put() -> Quota:
        if tenant is None:
            return await _within(data_dir, None, lambda database, number: put_quota(database, number, change))
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.put_quota(tenant, **change.model_dump())

    if tenant is None and server is not None:
        raise MunimentError("usage.invalid", "name the --tenant: its own limits nobody sets over REST")
    _print(asyncio.run(put()), as_json=as_json)


def usage(
    days: Annotated[int, typer.Option("--days", min=1, max=1000, help="How many days, today among them.")] = 30,
    tenant: OfTenant = None,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Show what the tenant used on each of the last days, in UTC."""
    from muniment.tenancy.quotas import get_usage

    if tenant is not None and server is not None:
        raise MunimentError("usage.invalid", "--tenant is for who runs the store, where it is")

    async def read() -> Usage:
        if tenant is not None:
            return await _within(data_dir, tenant, lambda database, number: get_usage(database, number, days))
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.usage(days=days)

    found = asyncio.run(read())
    if as_json:
        print_json(found)
        return
    listing = table("day", "records", "bytes", "erased", "requests", "refused", "searches", "model tokens", "cost")
    for each in found.days:
        listing.add_row(
            each.day.isoformat(), str(each.records), str(each.bytes), str(each.records_erased), str(each.requests),
            str(each.refused), str(each.searches), str(each.prompt_tokens + each.completion_tokens),
            "" if each.cost is None else f"{each.cost:.2f}",
        )  # fmt: skip
    console.print(listing)


def _print(quota: Quota, *, as_json: bool) -> None:
    if as_json:
        print_json(quota)
        return
    listing = table("what", "in use", "limit", "set by")
    for name in LIMITS:
        each = getattr(quota, name)
        limit = "none" if each.limit is None else str(each.limit)
        listing.add_row(name.replace("_", " "), str(each.used), limit, "default" if each.default else "quota")
    console.print(listing)
