"""Plain SQL over the memory log, as a login that reads its own tenant and nothing else."""

import asyncio
import subprocess
from typing import Annotated

import typer

from muniment.cli.options import DataDir, settings_from
from muniment.errors import MunimentError


def psql(
    command: Annotated[str | None, typer.Option("--command", "-c", help="Run this statement and end.")] = None,
    data_dir: DataDir = None,
) -> None:
    """Open psql on the local store's tenant: read-only, under row-level security."""
    from muniment.database.embedded import binary
    from muniment.database.setup import driver_conninfo
    from muniment.runtime import open_runtime
    from muniment.tenancy.sql_logins import ensure_login

    settings = settings_from(data_dir)

    async def run() -> int:
        async with open_runtime(settings, run_jobs=False) as runtime:
            server = runtime.prepared.server
            if server is None or runtime.prepared.admin_url is None:
                raise MunimentError(
                    "input.invalid", "muniment psql is for the embedded database; use your own psql here"
                )
            login = await ensure_login(runtime.prepared.admin_url, runtime.tenant)
            arguments = [str(binary("psql")), driver_conninfo(server.url(user=login))]
            arguments += ["--command", command] if command else []
            process = await asyncio.to_thread(subprocess.run, arguments, check=False)
            return process.returncode

    raise typer.Exit(asyncio.run(run()))
