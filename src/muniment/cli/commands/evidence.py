"""Putting evidence in, and looking at what is there: ingest, show, sources, runs."""

import asyncio
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from muniment.cli.options import (
    Agent,
    AsJson,
    DataDir,
    Group,
    Project,
    Server,
    Session,
    Shared,
    User,
    namespace_from,
    open_memory,
    settings_from,
)
from muniment.cli.output import complaints, console, counted, first_of, place, print_json, progress, safe, table
from muniment.cli.retrieval_options import metadata_from, moment
from muniment.errors import EXIT_INPUT, MunimentError
from muniment.model.message import Message, in_language
from muniment.model.result import Record
from muniment.model.source import IngestionRun, MetadataValue, Preview, Source, SourceInput
from muniment.settings import Settings

if TYPE_CHECKING:
    from muniment.memory import AsyncMuniment

_BATCH = 16
_NOTES_SHOWN = 8
_LISTED = 50  # items that are shown one by one after an ingest
Item = TypeVar("Item", SourceInput, Message)
_Language = Annotated[
    str | None,
    typer.Option("--language", help="The language of the sources or messages, as in german; default: by their words."),
]
_Metadata = Annotated[
    list[str] | None,
    typer.Option("--metadata", help="KEY=VALUE of every source or message; again for more. 1, true: no texts."),
]
_SaidAt = Annotated[str | None, typer.Option("--said-at", help="When it was said or written: 2026-11-29T12:00:00Z.")]


def ingest(
    paths: Annotated[
        list[str] | None, typer.Argument(help="Files, directories, URLs, or - for standard input.")
    ] = None,
    messages: Annotated[Path | None, typer.Option("--messages", help="A JSON list of messages.")] = None,
    source_key: Annotated[str | None, typer.Option("--source-key", help="The key of a single source.")] = None,
    title: Annotated[str | None, typer.Option("--title", help="The title of a single source.")] = None,
    language: _Language = None,
    metadata: _Metadata = None,
    said_at: _SaidAt = None,
    project: Project = None,
    user: User = None,
    agent: Agent = None,
    session: Session = None,
    group: Group = None,
    retry: Annotated[str | None, typer.Option("--retry", help="Try the failed sources of this run again: r_…")] = None,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Ingest files, directories, git repositories or messages; each source succeeds or fails alone.

    Exports of chats and of other memories (mem0, Zep, Graphiti, Trisynapse) are known by their bytes. A directory or
    git repository (also https://….git) gets a list of its contents too; what vanished is archived.
    """
    from muniment.sources.message_list import parse_message_list

    if retry is not None:
        if paths or messages is not None:
            raise MunimentError("usage.invalid", "--retry takes no paths: it tries what was kept")
        runs(retry, retry=True, data_dir=data_dir, server=server, as_json=as_json)
        return
    settings = settings_from(data_dir, server)
    namespace = namespace_from(project, user, agent, session)
    if bool(paths) == (messages is not None):
        raise MunimentError("usage.invalid", "name either paths or --messages FILE")
    said = Said(moment("--said-at", said_at), metadata_from(metadata or []))

    async def store() -> list[IngestionRun]:
        async with open_memory(settings, namespace) as memory:
            if messages is not None:
                turns = in_language([said.of(turn) for turn in parse_message_list(_read(messages))], language)
                return [await _store_messages(memory, turns, group or messages.stem, quiet=as_json)]
            sources = _batches(paths or [], source_key, title, language, settings)
            named = ([said.of(each.model_copy(update={"session_id": session})) for each in batch] for batch in sources)
            return await _store_sources(memory, named, quiet=as_json)

    _tell_stored(asyncio.run(store()), as_json=as_json)


async def _store_messages(memory: "AsyncMuniment", turns: list[Message], group: str, *, quiet: bool) -> IngestionRun:
    with progress(f"{len(turns)} messages", 1, quiet=quiet) as advance:
        run = await memory.ingest_messages(messages=turns, group_id=group)
        advance()
    return run


async def _store_sources(
    memory: "AsyncMuniment", batches: Iterable[list[SourceInput]], *, quiet: bool
) -> list[IngestionRun]:
    """The run of all batches; none where there is nothing to ingest. An error in their midst tells how far it came."""
    done: list[IngestionRun] = []
    first: str | None = None
    sent = 0
    with progress("ingesting", None, quiet=quiet) as advance:
        for batch, more in _with_more(batches):
            try:
                done.append(await memory.ingest(batch, raise_on_failure=False, run=first, more=more))
            except MunimentError as error:
                if first is not None:
                    again = "the same command again sends the others; what is stored stays as it is"
                    error.facts |= {"run": first, "sources_sent": sent, "next": again}
                raise
            first = done[0].id
            sent += len(batch)
            advance(len(batch))
    return [await memory.run(done[0].id)] if len(done) > 1 else done


def _with_more(batches: Iterable[list[SourceInput]]) -> Iterator[tuple[list[SourceInput], bool]]:
    """Each batch, and whether another follows."""
    last: list[SourceInput] | None = None
    for batch in batches:
        if last is not None:
            yield last, True
        last = batch
    if last is not None:
        yield last, False


def _tell_stored(stored: list[IngestionRun], *, as_json: bool) -> None:
    if as_json:
        print_json(stored)
    else:
        for run in stored:
            print_run(run, shortly=len(run.items) > _LISTED)
    if any(run.state != "succeeded" for run in stored):
        raise typer.Exit(EXIT_INPUT)


@dataclass(frozen=True, slots=True)
class Said:
    """What the options say of everything that is ingested; what a message says itself goes first."""

    at: datetime | None
    metadata: dict[str, MetadataValue]

    def of(self, one: Item) -> Item:
        """The source or message with it."""
        return one.model_copy(update={"at": one.at or self.at, "metadata": {**self.metadata, **one.metadata}})


def _read(path: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    except OSError as error:
        raise MunimentError("source.unreadable", f"cannot read {path}: {error.strerror}") from error


def _batches(
    paths: list[str], source_key: str | None, title: str | None, language: str | None, settings: Settings
) -> Iterator[list[SourceInput]]:
    """What the paths lead to, in requests, all in the language; raises ``source.unreadable``, ``usage.invalid``."""
    from muniment.sources.trees.files import collect_files
    from muniment.sources.trees.place import is_repository_url, open_tree

    trees = [path for path in paths if is_repository_url(path) or (path != "-" and Path(path).is_dir())]
    if (title and (trees or len(paths) != 1)) or (source_key and len(paths) != 1):
        raise MunimentError("usage.invalid", "--source-key and --title need exactly one source")
    alone: list[SourceInput] = []
    changes = {"language": language} | ({"source_key": source_key} if source_key else {})
    changes |= {"title": title} if title else {}
    for path in paths:
        if path == "-":
            alone.append(SourceInput(kind="text", text=_decoded(sys.stdin.buffer.read())))
        elif path not in trees and path.lower().startswith(("http://", "https://")):
            alone.append(SourceInput(kind="url", url=path))
        elif path not in trees:
            alone += collect_files(Path(path)).sources
    for start in range(0, len(alone), _BATCH):
        yield [source.model_copy(update=changes) for source in alone[start : start + _BATCH]]
    for path in trees:
        tree = open_tree(path if is_repository_url(path) else Path(path), settings, source_key)
        for skipped in tree.skipped:
            complaints.print(f"skipped {safe(skipped.path)}: {safe(skipped.reason)}")
        if not tree.files:
            raise MunimentError("source.unreadable", "there is nothing to ingest under these paths")
        for batch in tree.batches():
            yield [source.model_copy(update={"language": language}) for source in batch]


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MunimentError("input.encoding_invalid", f"standard input is not UTF-8 at byte {error.start}") from error


def show(
    record: Annotated[str, typer.Argument(help="A record's id: d_…")],
    context: Annotated[bool, typer.Option("--context", help="Show it in its place in the source.")] = False,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Show one record of the log."""
    if context:
        _show_in_place(record, data_dir, server, as_json)
        return

    async def read() -> Record:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.record(record)

    found = asyncio.run(read())
    if as_json:
        print_json(found)
        return
    console.print(f"[bold]{found.id}[/]  {found.kind}, {found.modality}, {'live' if found.live else 'closed'}")
    console.print(f"  {place(found.locator)}")
    who = found.speaker or found.role
    if who or found.said_at:
        console.print(f"  {safe(who or '')} {found.said_at.isoformat() if found.said_at else ''}".rstrip())
    console.print(f"  source {safe(found.source_key)} version {found.source_version} ({found.source_id})")
    closed = f", closed by commit {found.closed_by_commit}" if found.closed_by_commit else ""
    console.print(f"  commit {found.commit} at {found.committed_at.isoformat()}{closed}")
    for name, value in found.metadata.items():
        console.print(f"  {safe(name)} = {safe(value)}")
    console.print()
    console.print(safe(found.text) if found.text is not None else "[dim]erased[/]")


def _show_in_place(record: str, data_dir: Path | None, server: str | None, as_json: bool) -> None:
    async def read() -> Preview:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.preview(record)

    found = asyncio.run(read())
    if as_json:
        print_json(found)
        return
    why = "the original has other words in this place" if found.original else "nothing is kept that it was read from"
    told = "" if found.exact else f"  [yellow]as recorded: {why}[/]"
    console.print(f"[bold]{found.record_id}[/]  {place(found.locator)}, version {found.version}{told}\n")
    for text, style in ((found.before, "dim"), (found.text, "bold"), (found.after, "dim")):
        if text:
            console.print(f"[{style}]{safe(text)}[/]\n")


def sources(
    source: Annotated[str | None, typer.Argument(help="A source's id: s_…; without it, all are listed.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=10_000)] = 50,
    project: Project = None,
    user: User = None,
    agent: Agent = None,
    session: Session = None,
    shared: Shared = False,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """List the sources, or show one with its versions."""
    namespace = namespace_from(project, user, agent, session, shared)

    async def read() -> list[Source]:
        async with open_memory(settings_from(data_dir, server), namespace) as memory:
            return [await memory.source(source)] if source else await memory.sources(limit=limit + 1)

    found = first_of(asyncio.run(read()), limit)
    if as_json:
        print_json(found[0] if source else found)
        return
    listing = table("id", "key", "kind", "records", "embedded", "extraction", "versions")
    for item in found:
        versions = str(len(item.versions)) if item.versions else ""
        listing.add_row(
            item.id, safe(item.source_key), item.kind, str(item.records), str(item.embedded), _extraction(item),
            versions,
        )  # fmt: skip
    console.print(listing)
    if source:
        history = table("version", "current", "records", "bytes", "commit", "title", "content")
        for version in found[0].versions:
            content = (version.content_hash or "")[:16]
            history.add_row(
                str(version.version), "yes" if version.current else "", str(version.records), str(version.bytes),
                str(version.commit), safe(version.title or ""), content,
            )  # fmt: skip
        console.print(history)
        for version in found[0].versions:
            for note in version.notes:
                console.print(f"version {version.version}: {safe(note)}")


def _extraction(source: Source) -> str:
    """Each method with its states that are not empty: rules 12 facts in 9, 30 none."""
    told = []
    for method, counts in source.extraction.items():
        said = (
            f"{counts.facts} described" if method == "vision" else f"{counted(counts.found, 'fact')} in {counts.facts}"
        )
        states = [said] if counts.facts else []
        states += [f"{count} {state}" for state in ("none", "pending", "failed") if (count := getattr(counts, state))]
        why = f" ({', '.join(sorted(counts.reasons))})" if counts.reasons else ""
        told.append(f"{method}: {', '.join(states)}{why}")
    return "; ".join(told)


def runs(
    run: Annotated[str | None, typer.Argument(help="A run's id: r_…; without it, the latest are listed.")] = None,
    retry: Annotated[bool, typer.Option("--retry", help="Try the failed sources of the run again.")] = False,
    limit: Annotated[int, typer.Option("--limit", min=1, max=10_000)] = 20,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """List ingestion runs, show one with the state of each source, or retry its failures."""
    if retry and run is None:
        raise MunimentError("usage.invalid", "--retry needs the id of a run")

    async def read() -> list[IngestionRun]:
        async with open_memory(settings_from(data_dir, server)) as memory:
            if run is None:
                return await memory.runs(limit=limit + 1)
            return [await memory.retry(run) if retry else await memory.run(run)]

    found = first_of(asyncio.run(read()), limit)
    if as_json:
        print_json(found[0] if run else found)
    else:
        for item in found:
            print_run(item)
    if retry and found[0].state != "succeeded":
        raise typer.Exit(EXIT_INPUT)


def print_run(run: IngestionRun, *, shortly: bool = False) -> None:
    """A run with the state of each of its items, or ``shortly`` of those that failed or vanished, and their counts."""
    colour = {"succeeded": "green", "partial": "yellow", "failed": "red"}.get(run.state, "cyan")
    console.print(f"[bold]{run.id}[/] [{colour}]{run.state}[/] {run.created_at.isoformat(timespec='seconds')}")
    states = Counter(item.state for item in run.items)
    if shortly:
        console.print("  " + ", ".join(f"{count} {state}" for state, count in sorted(states.items())))
    for item in run.items:
        if shortly and item.state in ("stored", "unchanged"):
            continue
        version = f" version {item.version}" if item.version else ""
        served = f", {len(item.served)} served before and not stored" if item.served else ""
        console.print(
            f"  {safe(item.source_key or item.index)}: {item.state}{version}, {counted(item.records, 'record')}{served}"
        )
        if item.error is not None:
            console.print(f"    [red]{item.error.code}[/]: {safe(item.error.detail)}")
        for note in item.notes[:_NOTES_SHOWN]:
            console.print(f"    [dim]note: {safe(note)}[/]")
    noted = sum(bool(item.notes) for item in run.items)
    if shortly and noted:
        console.print(f"  {counted(noted, 'source')} with notes of what was left out or odd: muniment runs {run.id}")
