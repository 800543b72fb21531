"""A tenant in one file: export and import."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from muniment.cli.options import AsJson, DataDir, OfTenant, Server, open_memory, settings_from
from muniment.cli.output import console, print_json, safe

if TYPE_CHECKING:
    from muniment.archive.importing import Imported
    from muniment.model.archive import ArchiveSummary


def export(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="The file to make; .gz is compressed.")],
    tenant: OfTenant = None,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Write everything of the tenant, with its proofs, to a new file that opens elsewhere."""

    async def write() -> "ArchiveSummary":
        async with open_memory(settings_from(data_dir, server), tenant=tenant) as memory:
            return await memory.export(path)

    summary = asyncio.run(write())
    if as_json:
        print_json(summary)
        return
    console.print(f"{safe(path)}: {safe(summary.tenant)}, {sum(summary.rows.values())} rows")
    console.print(f"{summary.commits} commits, {summary.entries} entries, root {summary.root}")


def import_(
    path: Annotated[
        Path, typer.Argument(metavar="FILE", help="An archive that `muniment export` made; of others: ingest.")
    ],
    key: Annotated[str | None, typer.Option("--key", help="The log's verifier key, as you know it.")] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Bring a tenant in from its archive, whole or not at all; an empty store opens it from then on."""
    from muniment.archive.importing import import_archive
    from muniment.runtime import open_runtime

    async def read() -> "Imported":
        async with open_runtime(settings_from(data_dir), run_jobs=False) as runtime:
            return await import_archive(runtime.database, path, default=runtime.tenant, verifier_key=key)

    done = asyncio.run(read())
    if as_json:
        print_json(done.summary.model_dump() | {"is_default": done.is_default})
        return
    console.print(f"{safe(done.summary.tenant)}: {sum(done.summary.rows.values())} rows, the log holds")
    console.print(f"root {done.summary.root}")
    if not done.is_default:
        console.print("[dim]this store goes on opening the tenant that it had; keys lead to the imported one[/]")
