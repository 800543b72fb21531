"""That the log is what it was: validate, rebuild, proof, checkpoint."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from muniment.cli.options import AsJson, DataDir, Server, open_memory, settings_from
from muniment.cli.output import console, print_json, progress, safe, table
from muniment.errors import EXIT_FOUND_WRONG, MunimentError
from muniment.model.result import ValidationReport

if TYPE_CHECKING:
    from muniment.log.proofs import RecordProof


def validate(
    checkpoint: Annotated[
        Path | None, typer.Option("--checkpoint", help="A checkpoint kept outside; default: the last one exported.")
    ] = None,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Check the log, its proofs and every index against each other; exits 1 when something is wrong."""
    note = _read(checkpoint) if checkpoint else None

    async def check() -> ValidationReport:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.validate(checkpoint=note)

    report = asyncio.run(check())
    if as_json:
        print_json(report)
    else:
        listing = table("check", "looked at", "wrong")
        for name, count in report.checks.items():
            wrong = sum(finding.check == name for finding in report.findings)
            listing.add_row(safe(name), str(count), f"[red]{wrong}[/]" if wrong else "0")
        console.print(listing)
        for finding in report.findings:
            console.print(f"[red]{safe(finding.check)}[/]: {safe(finding.detail)}")
        against = f", checkpoint {report.checkpoint}" if report.checkpoint else ""
        verdict = "[green]valid[/]" if report.valid else "[bold red]NOT valid[/]"
        console.print(
            f"{verdict}: {report.commits} commits, {report.entries} entries, {report.records} records{against}"
        )
        console.print(f"root {report.root}")
    if not report.valid:
        raise typer.Exit(EXIT_FOUND_WRONG)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise MunimentError("checkpoint.invalid", f"cannot read the checkpoint {path}") from error


def rebuild(data_dir: DataDir = None, server: Server = None, as_json: AsJson = False) -> None:
    """Drop every index and compute it from the log again, to the same content."""

    async def run() -> dict[str, int]:
        async with open_memory(settings_from(data_dir, server)) as memory:
            with progress("rebuilding", None, quiet=as_json):
                return await memory.rebuild()

    rows = asyncio.run(run())
    if as_json:
        print_json({"projections": rows})
        return
    listing = table("projection", "rows")
    for name, count in rows.items():
        listing.add_row(safe(name), str(count))
    console.print(listing)


def proof(
    record: Annotated[str, typer.Argument(help="A record's id: d_…")],
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Prove that the log holds a record: its leaf, its audit path and a signed checkpoint."""

    async def prove() -> "RecordProof":
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.proof(record)

    found = asyncio.run(prove())
    if as_json:
        print_json(found)
        return
    for name, value in found.model_dump(mode="json").items():
        console.print(f"[bold]{name}[/] {safe(value)}")


def checkpoint(
    out: Annotated[Path | None, typer.Option("--out", help="Write the signed note to this file.")] = None,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Sign the log as it stands now; keep the note where the server cannot reach it."""

    async def sign() -> str:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.checkpoint()

    note = asyncio.run(sign())
    if out is not None:
        out.write_text(note, encoding="utf-8")
    if as_json:
        print_json({"note": note})
    elif out is None:
        console.print(safe(note), end="")
