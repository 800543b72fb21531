"""Jobs: what runs in the background, what failed for good, and taking it out or putting it back."""

import asyncio
from typing import Annotated

import typer

from muniment.cli.options import AsJson, DataDir, Server, open_memory, settings_from
from muniment.cli.output import console, print_json, safe, table
from muniment.model.job import Job, JobPage

app = typer.Typer(help="Background jobs: list them, requeue the dead, cancel.", invoke_without_command=True)
_JobId = Annotated[str, typer.Argument(help="A job's id: j_…")]
_COLOURS = {"done": "green", "dead": "red", "running": "cyan"}


@app.callback()
def jobs(
    context: typer.Context,
    state: Annotated[
        str | None, typer.Option("--state", help="queued, running, done, dead, cancelled, superseded")
    ] = None,
    kind: Annotated[str | None, typer.Option("--kind", help="Only of this kind, e.g. embed.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=500)] = 50,
    cursor: Annotated[str | None, typer.Option("--cursor", help="Where the page before ended.")] = None,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """List jobs, the latest first; or manage one with a subcommand."""
    if context.invoked_subcommand is not None:
        return

    async def read() -> JobPage:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.jobs(state=state, kind=kind, limit=limit, cursor=cursor)

    page = asyncio.run(read())
    if as_json:
        print_json(page)
        return
    _print_jobs(page.jobs)
    if page.next is not None:
        console.print(f"[dim]more with --cursor {page.next}[/]")


@app.command()
def show(job: _JobId, data_dir: DataDir = None, server: Server = None, as_json: AsJson = False) -> None:
    """Show one job."""

    async def read() -> Job:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.job(job)

    _print_one(asyncio.run(read()), as_json)


@app.command()
def requeue(job: _JobId, data_dir: DataDir = None, server: Server = None, as_json: AsJson = False) -> None:
    """Put a dead job back into the queue."""

    async def put() -> Job:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.requeue_job(job)

    _print_one(asyncio.run(put()), as_json)


@app.command()
def cancel(job: _JobId, data_dir: DataDir = None, server: Server = None, as_json: AsJson = False) -> None:
    """Take a job out of the queue; one that runs is ended within seconds."""

    async def take() -> Job:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.cancel_job(job)

    _print_one(asyncio.run(take()), as_json)


def _print_one(job: Job, as_json: bool) -> None:
    if as_json:
        print_json(job)
    else:
        _print_jobs([job])


def _print_jobs(found: list[Job]) -> None:
    listing = table("id", "kind", "state", "attempts", "progress", "created", "error or result")
    for job in found:
        colour = _COLOURS.get(job.state, "yellow")
        progress = "" if job.progress is None else f"{job.progress.done}/{job.progress.total or '?'}"
        words = job.error or ", ".join(f"{name} {value}" for name, value in (job.result or {}).items())
        listing.add_row(
            job.id, safe(job.kind), f"[{colour}]{job.state}[/]", str(job.attempts), progress,
            job.created_at.isoformat(timespec="seconds"), safe(words),
        )  # fmt: skip
    console.print(listing)
