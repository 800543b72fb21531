"""Benchmarks on data that the caller names."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from muniment.cli.options import AsJson, DataDir, settings_from
from muniment.cli.output import console, print_json, progress
from muniment.errors import MunimentError

app = typer.Typer(no_args_is_help=True, help="Benchmarks: run files to be scored.")


@app.callback()
def bench() -> None:
    """Benchmarks on data that you name."""


@app.command()
def locomo(
    data: Annotated[Path, typer.Option("--data", help="A LoCoMo data file.")],
    out: Annotated[Path, typer.Option("--out", help="Where the run is written, a line a question.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Ingest LoCoMo, each conversation in a space of its own, and search for each of its questions."""
    from muniment.bench.locomo import run_locomo

    if not data.is_file():
        raise MunimentError("source.unreadable", f"cannot read {data}")
    with progress("LoCoMo", None, quiet=as_json) as advance:
        figures = asyncio.run(run_locomo(settings_from(data_dir), data, out, advance))
    if as_json:
        print_json(figures)
    else:
        for name, value in figures.items():
            console.print(f"{name}: {value}")
