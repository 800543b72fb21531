"""The command ``muniment bench fairness``."""

import asyncio
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from muniment.cli.options import AsJson, settings_from
from muniment.cli.output import console, print_json, table


def fairness(
    records: Annotated[int, typer.Option("--records", min=100, max=10_000, help="Records of each tenant.")] = 1000,
    questions: Annotated[int, typer.Option("--questions", min=20, help="Searches of the steady tenant.")] = 300,
    writes: Annotated[int, typer.Option("--writes", min=5, help="Its writes.")] = 40,
    out: Annotated[Path, typer.Option("--out", help="Where the report is written, as JSON.")] = Path("fairness.json"),
    as_json: AsJson = False,
) -> None:
    """Measure how much longer one tenant waits while another floods the server."""
    from muniment.bench.fairness import run_fairness

    with tempfile.TemporaryDirectory() as directory:
        report = asyncio.run(run_fairness(settings_from(Path(directory)), records, questions, writes, out))
    if as_json:
        print_json(report)
        return
    lines = table("what", "beside", "p50 ms", "p95 ms", "ratio")
    for beside in ("alone", "beside_searches", "beside_writes"):
        for what, found in report[beside].items():
            lines.add_row(
                what, beside.replace("_", " "), str(found["p50_ms"]), str(found["p95_ms"]), str(found.get("ratio", ""))
            )
    console.print(lines)
