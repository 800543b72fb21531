"""Starting: init, serve and worker."""

import asyncio
from typing import Annotated

import typer

from muniment.cli.options import AsJson, DataDir, settings_from
from muniment.cli.output import console, print_json
from muniment.errors import MunimentError
from muniment.stopping import CLOSING_SECONDS, Stopping, run_until_stopped


def init(
    service_url: Annotated[
        bool, typer.Option("--service-url", help="Print the URL of muniment_app with its password, for PgBouncer.")
    ] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Make the store, or bring it up to this version; changes nothing that is current."""
    from muniment.runtime import open_runtime

    settings = settings_from(data_dir)

    async def prepare() -> tuple[str, str]:
        async with open_runtime(settings, run_jobs=False) as runtime:
            return str(runtime.tenant.public_id), runtime.prepared.app_url.replace("postgresql+psycopg:", "postgresql:")

    tenant, url = asyncio.run(prepare())
    place = "the configured database" if settings.database_url else str(settings.store_dir)
    if as_json:
        print_json({"store": place, "tenant": tenant} | ({"service_url": url} if service_url else {}))
    elif service_url:
        console.print(url, markup=False, soft_wrap=True)
    else:
        console.print(f"ready: {place}", markup=False)


def serve(
    host: Annotated[
        str | None, typer.Option("--host", help="The address to listen on [MUNIMENT_HOST, 127.0.0.1].")
    ] = None,
    port: Annotated[int | None, typer.Option("--port", min=0, max=65535, help="[MUNIMENT_PORT, 8765].")] = None,
    data_dir: DataDir = None,
) -> None:
    """Serve the REST API, with jobs run in the same process unless MUNIMENT_REDIS_URL is set, until Ctrl-C."""
    from muniment.api.serving import longest_stop
    from muniment.api.serving import serve as run

    settings = settings_from(data_dir)
    changes: dict[str, object] = {} if host is None else {"host": host}
    changes |= {} if port is None else {"port": port}
    settings = settings.model_copy(update=changes)
    run_until_stopped(
        lambda stopping: run(settings, lambda line: console.print(line, markup=False), stopping), longest_stop(settings)
    )


def worker(
    concurrency: Annotated[
        int | None, typer.Option("--concurrency", min=1, max=64, help="Jobs at once [MUNIMENT_JOB_CONCURRENCY, 2].")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Run jobs that come through MUNIMENT_REDIS_URL, until Ctrl-C; any number of workers share the work."""
    from muniment.runtime import open_worker

    settings = settings_from(data_dir)
    if settings.redis_url is None:
        raise MunimentError("usage.invalid", "a worker gets its jobs through Redis: set MUNIMENT_REDIS_URL")
    changes: dict[str, object] = {} if concurrency is None else {"job_concurrency": concurrency}

    async def work(stopping: Stopping) -> None:
        stopped = asyncio.Event()
        async with open_worker(settings.model_copy(update=changes)):
            stopping.ask = stopped.set
            console.print("the worker waits for jobs", markup=False)
            await stopped.wait()

    run_until_stopped(work, settings.job_stop_grace + CLOSING_SECONDS)
