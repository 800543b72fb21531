"""The command ``muniment bench scale``."""

import asyncio
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from muniment.cli.options import AsJson, settings_from
from muniment.cli.output import console, print_json, progress, safe, table


def scale(
    records: Annotated[int, typer.Option("--records", min=20, help="Records of the large tenant.")] = 10_000,
    spaces: Annotated[int, typer.Option("--spaces", min=1, help="Users whose spaces they are spread over.")] = 1,
    tenants: Annotated[int, typer.Option("--tenants", min=0, help="Small tenants beside it, which are asked.")] = 0,
    questions: Annotated[int, typer.Option("--questions", min=1, help="How many questions are asked.")] = 200,
    out: Annotated[Path, typer.Option("--out", help="Where the report is written, as JSON.")] = Path("scale.json"),
    cold: Annotated[bool, typer.Option("--cold/--no-cold", help="Also measure after a restart.")] = True,
    busy: Annotated[
        bool, typer.Option("--busy", help="Also measure at half the capacity while a client writes.")
    ] = False,
    profile: Annotated[str | None, typer.Option("--profile", help="The retrieval profile.")] = None,
    without: Annotated[str, typer.Option("--without", help="Routes and stages to leave out: semantic,gate.")] = "",
    repeat: Annotated[int, typer.Option("--repeat", min=1, help="How often each question is searched for.")] = 1,
    data_dir: Annotated[
        Path | None, typer.Option("--data-dir", help="Where the filled store is kept; it is thrown away otherwise.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Fill a store with made-up records, 60 words each, and measure searches in it.

    With --data-dir the filled store is kept, and the next run with the same sizes only measures.
    """
    from muniment.bench.scale import Scale, figures, run_scale
    from muniment.bench.scale_measure import ScaleOptions

    options = ScaleOptions(profile, tuple(name.strip() for name in without.split(",") if name.strip()), repeat)
    size = Scale(records, spaces, tenants)
    with tempfile.TemporaryDirectory() as directory, progress("Records", None, quiet=as_json) as advance:
        settings = settings_from(data_dir or Path(directory))
        report = asyncio.run(run_scale(settings, size, questions, out, advance, cold=cold, busy=busy, options=options))
    if as_json:
        print_json(report)
        return
    lines = table("what", "figure")
    for name, value in figures(report):
        lines.add_row(safe(name), safe(value))
    console.print(lines)
