"""The audit log of the local store's tenant."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from muniment.cli.options import AsJson, DataDir, OfTenant, settings_from, tenant_number
from muniment.cli.output import console, print_json, safe, table

if TYPE_CHECKING:
    from muniment.model.audit import AuditPage


def audit(
    limit: Annotated[int, typer.Option("--limit", min=1, max=500, help="How many at most.")] = 50,
    cursor: Annotated[str | None, typer.Option("--cursor", help="`next` of the page before.")] = None,
    tenant: OfTenant = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """List who administered what and who erased, the latest first; `validate` checks the chain."""

    from muniment.audit.chain import list_acts
    from muniment.runtime import open_runtime

    async def read() -> "AuditPage":
        async with open_runtime(settings_from(data_dir), run_jobs=False) as runtime:
            return await list_acts(runtime.database, await tenant_number(runtime, tenant), limit=limit, cursor=cursor)

    page = asyncio.run(read())
    if as_json:
        print_json(page)
        return
    listing = table("no", "at", "actor", "action", "target", "detail")
    for entry in page.entries:
        told = " ".join(f"{name}={value}" for name, value in entry.detail.items())
        listing.add_row(
            str(entry.number), entry.at.isoformat(timespec="seconds"), safe(entry.actor), safe(entry.action),
            safe(entry.target or ""), safe(told),
        )  # fmt: skip
    console.print(listing)
    if page.next is not None:
        console.print(f"more: --cursor {page.next}")
