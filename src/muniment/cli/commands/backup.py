"""Backups of the local store: backup and restore."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from muniment.cli.options import AsJson, DataDir, settings_from
from muniment.cli.output import console, counted, print_json, safe


def backup(
    target: Annotated[Path, typer.Argument(metavar="DIRECTORY", help="The directory to make.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Back the whole local store up while it runs: all tenants, the signing key, checkpoints and ledger of erasures."""
    from muniment.backup import back_up

    made = back_up(settings_from(data_dir), target)
    if as_json:
        print_json(made)
        return
    console.print(f"{safe(target)}: schema {safe(made.schema_revision)}, {made.created_at.isoformat()}")
    console.print("[dim]it holds the signing key and every tenant's content: keep it as you keep these[/]")


def restore(
    source: Annotated[Path, typer.Argument(metavar="DIRECTORY", help="A backup that `muniment backup` made.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Open a backup as a store that has no database, and erase again what was erased since the backup."""
    from muniment.backup import restore as restore_backup

    done = asyncio.run(restore_backup(settings_from(data_dir), source))
    if as_json:
        print_json(done)
        return
    console.print(f"restored the backup of {done.backup.created_at.isoformat()}")
    console.print(f"{counted(done.erasures, 'erasure')} of the ledger made again")
    if done.checkpoints_set_aside:
        lost = counted(done.checkpoints_set_aside, "checkpoint")
        console.print(f"[yellow]{lost} signed after the backup set aside: what they tell of is lost[/]")
