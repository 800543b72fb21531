"""The command ``muniment bench requests``."""

import asyncio
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from muniment.cli.options import AsJson, settings_from
from muniment.cli.output import console, print_json, table


def requests(
    records: Annotated[int, typer.Option("--records", min=100, max=10_000, help="In the store.")] = 2000,
    count: Annotated[int, typer.Option("--requests", min=8, help="Of each measurement.")] = 200,
    processes: Annotated[str, typer.Option("--processes", help="How many API processes, with commas.")] = "1,2,4",
    clients: Annotated[str, typer.Option("--clients", help="How many clients, with commas.")] = "1,8,32",
    out: Annotated[Path, typer.Option("--out", help="Where the report is written, as JSON.")] = Path("requests.json"),
    as_json: AsJson = False,
) -> None:
    """Measure how many searches and writes a server answers over HTTP, by clients and API processes."""
    from muniment.bench.requests import run_requests

    at_once, served_by = _numbers(clients), _numbers(processes)
    with tempfile.TemporaryDirectory() as directory:
        settings = settings_from(Path(directory) / "store")
        report = asyncio.run(run_requests(settings, records, count, out, processes=served_by, clients=at_once))
    if as_json:
        print_json(report)
        return
    lines = table("processes", "clients", "what", "a second", "p50 ms", "p95 ms")
    for row in report["http"]:
        lines.add_row(*(str(row[name]) for name in ("processes", "clients", "what", "per_second", "p50_ms", "p95_ms")))
    console.print(lines)
    for what, found in report["row_security"].items():
        console.print(f"row security, {what}: {found['ratio']} times")
    for name, found in report["credentials"].items():
        for kind in ("known", "looked_up"):
            ratio = f", a search takes {found[f'{kind}_ratio']} times as long" if f"{kind}_ratio" in found else ""
            console.print(f"check of {name}, {kind.replace('_', ' ')}: {found[f'{kind}_p50_us']} µs{ratio}")


def _numbers(given: str) -> list[int]:
    numbers = [int(part) for part in given.split(",") if part.strip().isdigit()]
    if not numbers or min(numbers) < 1:
        raise typer.BadParameter("numbers with commas between them, each at least 1")
    return numbers
