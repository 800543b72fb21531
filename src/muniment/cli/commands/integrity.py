"""That the log is what it was: validate, rebuild, proof, checkpoint."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from muniment.cli.options import AsJson, DataDir, OfTenant, Server, open_memory, settings_from
from muniment.cli.output import console, print_json, progress, safe, table
from muniment.errors import EXIT_FOUND_WRONG, MunimentError
from muniment.model.result import ValidationReport

if TYPE_CHECKING:
    from muniment.model.proofs import RecordProof


def validate(
    checkpoint: Annotated[
        Path | None, typer.Option("--checkpoint", help="A checkpoint kept outside; default: the last one exported.")
    ] = None,
    tenant: OfTenant = None,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Check the log, its proofs and every index against each other; exits 1 when something is wrong."""
    note = _read(checkpoint) if checkpoint else None

    async def check() -> ValidationReport:
        async with open_memory(settings_from(data_dir, server), tenant=tenant) as memory:
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
        for note in report.notes:
            console.print(f"[yellow]{safe(note)}[/]")
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
        raise MunimentError("source.unreadable", f"cannot read the checkpoint {path}") from error


def rebuild(tenant: OfTenant = None, data_dir: DataDir = None, server: Server = None, as_json: AsJson = False) -> None:
    """Drop every index and compute it from the log again, to the same content."""

    async def run() -> dict[str, int]:
        async with open_memory(settings_from(data_dir, server), tenant=tenant) as memory:
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
    console.print(f"[bold]{found.record_id}[/] is entry {found.index} of {found.size}")
    for name, text in (("leaf", found.leaf), ("spine", found.spine or "erased"), ("salt", found.salt or "erased")):
        console.print(f"[bold]{name}[/]\n  {safe(text)}")
    console.print("[bold]path[/], from the leaf to the root")
    for node in found.path:
        console.print(f"  {node}")
    console.print("[bold]checkpoint[/]")
    for line in found.checkpoint.splitlines():
        console.print(f"  {safe(line)}")
    console.print(f"[bold]verifier key[/]\n  {safe(found.verifier_key)}")
    console.print("[dim]muniment proof --json > proof.json; muniment verify proof.json[/]")


def verify(
    proof_file: Annotated[Path, typer.Argument(metavar="PROOF", help="What `muniment proof --json` printed.")],
    record_file: Annotated[
        Path | None, typer.Option("--record", help="What `muniment show --json` printed: checks the content too.")
    ] = None,
    key: Annotated[str | None, typer.Option("--key", help="The log's verifier key, as you know it.")] = None,
    as_json: AsJson = False,
) -> None:
    """Verify the proof of a record, without a server and without a database; exits 1 when it does not hold."""
    from muniment.log.proofs import verify_record_proof
    from muniment.model.proofs import RecordProof
    from muniment.model.result import Record

    try:
        proof = RecordProof.model_validate_json(proof_file.read_bytes())
        record = None if record_file is None else Record.model_validate_json(record_file.read_bytes())
    except (OSError, ValueError) as error:
        raise MunimentError("proof.invalid", "the file cannot be read as a proof or a record") from error
    content = None if record is None else record.model_dump(include={"text", "fields", "metadata"})
    verify_record_proof(proof, content, verifier_key=key)
    if as_json:
        print_json({"holds": True, "record_id": proof.record_id, "content_checked": record is not None})
        return
    checked = "and its content is what it was" if record is not None else "(content not checked: give --record)"
    console.print(f"[green]the proof holds[/]: {safe(proof.record_id)} is in the signed log {checked}")
    if key is None:
        console.print("[dim]the key is the proof's own; give --key to check against the one you trust[/]")


def checkpoint(
    out: Annotated[Path | None, typer.Option("--out", help="Write the signed note to this file.")] = None,
    tenant: OfTenant = None,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Sign the log as it stands now; keep the note where the server cannot reach it."""

    async def sign() -> str:
        async with open_memory(settings_from(data_dir, server), tenant=tenant) as memory:
            return await memory.checkpoint()

    note = asyncio.run(sign())
    if out is not None:
        out.write_text(note, encoding="utf-8")
    if as_json:
        print_json({"note": note})
    elif out is None:
        console.print(safe(note), end="")
