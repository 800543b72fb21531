"""What is done to records after they were written: correct, forget, retract, undo; and history."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated

import typer

from muniment.cli.options import AsJson, DataDir, Server, open_memory, settings_from
from muniment.cli.output import console, counted, print_json, safe, table
from muniment.errors import EXIT_USAGE
from muniment.model.identifiers import RUN, SOURCE
from muniment.model.lifecycle import Erasure, LifecycleEvent, RecordHistory

if TYPE_CHECKING:
    from muniment.memory import AsyncMuniment

_Record = Annotated[str, typer.Argument(help="A record's id: d_…")]
_Reason = Annotated[str, typer.Option("--reason", help="Why; the log keeps it for good: quote nothing in it.")]


def correct(
    record: _Record,
    text: Annotated[str, typer.Argument(help="What stands in its place.")],
    reason: _Reason,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Put a correction in the place of a record; the record stays in the log."""
    _do(lambda memory: memory.correct(record, text, reason=reason), data_dir, server, as_json)


def forget(
    records: Annotated[list[str], typer.Argument(help="Records' ids: d_…")],
    reason: _Reason,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Let records no longer count; they stay in the log."""
    _do(lambda memory: memory.forget(records, reason=reason), data_dir, server, as_json)


def retract(
    source: Annotated[str, typer.Argument(help="A source's id: s_…")],
    reason: _Reason,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Let nothing of a source count any more; it stays in the log."""
    _do(lambda memory: memory.retract(source, reason=reason), data_dir, server, as_json)


def undo(
    commit: Annotated[int, typer.Argument(help="The commit that corrected, forgot or retracted.")],
    reason: _Reason,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Let count again what a correction, forgetting or retraction closed."""
    _do(lambda memory: memory.undo(commit, reason=reason), data_dir, server, as_json)


def erase(
    what: Annotated[
        list[str], typer.Argument(help="Records (d_…), sources (s_…, with all their versions), ingestion runs (r_…).")
    ],
    reason: _Reason,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask: there is no way back.")] = False,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Erase records, sources and what ingestion runs brought, with all that quotes them, for good."""
    if not yes and not typer.confirm(f"Erase {', '.join(what)}? There is no way back", err=True):
        raise typer.Exit(EXIT_USAGE)
    sources = [one for one in what if one.startswith(SOURCE)]
    runs = [one for one in what if one.startswith(RUN)]
    records = [one for one in what if one not in sources and one not in runs]

    async def run() -> Erasure:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.erase(records=records, sources=sources, runs=runs, reason=reason)

    _print_erasures([asyncio.run(run())], as_json, one=True)


def erasure(
    identifier: Annotated[
        str | None, typer.Argument(metavar="ERASURE", help="e_…; without it, all are listed.")
    ] = None,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Show how far an erasure is."""

    async def read() -> list[Erasure]:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return [await memory.erasure(identifier)] if identifier else await memory.erasures()

    _print_erasures(asyncio.run(read()), as_json, one=identifier is not None)


def _print_erasures(found: list[Erasure], as_json: bool, *, one: bool) -> None:
    if as_json:
        print_json(found[0] if one else found)
        return
    listing = table("id", "state", "records", "commit", "requested", "purged", "vacuumed", "backups expire", "reason")
    for each in found:
        times = (each.requested_at, each.purged_at, each.vacuumed_at, each.backups_expire_at)
        shown = ["" if at is None else at.isoformat(timespec="seconds") for at in times]
        listing.add_row(each.id, each.state, str(each.records), str(each.commit), *shown, safe(each.reason))
    console.print(listing)
    for note in found[0].notes if one else []:
        console.print(f"[dim]{safe(note)}[/]")


def history(record: _Record, data_dir: DataDir = None, server: Server = None, as_json: AsJson = False) -> None:
    """Show all that befell a record, and what stood in its place."""

    async def read() -> RecordHistory:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.history(record)

    told = asyncio.run(read())
    if as_json:
        print_json(told)
        return
    for version in told.versions:
        words = safe(version.text) if version.text is not None else "[dim]erased[/]"
        console.print(f"[bold]{version.id}[/] {version.kind}, {'live' if version.live else 'closed'}: {words}")
    listing = table("commit", "at", "event", "record", "detail")
    for entry in told.entries:
        detail = ", ".join(f"{name} {value}" for name, value in entry.detail.items() if value is not None)
        listing.add_row(
            str(entry.commit), entry.at.isoformat(timespec="seconds"), entry.event, entry.record_id or "", safe(detail)
        )
    console.print(listing)


def _do(
    act: "Callable[[AsyncMuniment], Awaitable[LifecycleEvent]]", data_dir: DataDir, server: Server, as_json: bool
) -> None:
    async def run() -> LifecycleEvent:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await act(memory)

    told = asyncio.run(run())
    if as_json:
        print_json(told)
        return
    already = "" if told.changed else " (already so)"
    console.print(f"[bold]{told.event}[/] in commit {told.commit} at {told.at.isoformat(timespec='seconds')}{already}")
    if told.correction is not None:
        console.print(f"  correction {told.correction}")
    for verb, records in (("closed", told.closed), ("reopened", told.reopened)):
        if records:
            console.print(f"  {verb} {counted(len(records), 'record')}: {', '.join(records[:10])}")
