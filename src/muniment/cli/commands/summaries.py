"""Summaries: cards of groups, episodes of conversations, profiles of entities."""

import asyncio
from typing import Annotated

import typer

from muniment.cli.options import (
    Agent,
    AsJson,
    DataDir,
    Project,
    Server,
    Session,
    Shared,
    User,
    namespace_from,
    open_memory,
    settings_from,
)
from muniment.cli.output import console, print_json, safe
from muniment.model.namespace import Namespace
from muniment.model.summaries import Summary, SummaryKind, SummaryPage
from muniment.settings import Settings

KnownAt = Annotated[int | None, typer.Option("--known-at", min=0, help="What counted after this commit.")]
Group = Annotated[str | None, typer.Option("--group", help="Only of this group.")]
Limit = Annotated[int, typer.Option("--limit", min=1, max=500)]
Cursor = Annotated[str | None, typer.Option("--cursor", help="`next` of the page before.")]


def cards(
    group: Group = None,
    known_at: KnownAt = None,
    limit: Limit = 50,
    cursor: Cursor = None,
    project: Project = None,
    user: User = None,
    agent: Agent = None,
    session: Session = None,
    shared: Shared = False,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """List the cards of groups: what each is about, in a few sentences."""
    namespace = namespace_from(project, user, agent, session, shared)
    _list(settings_from(data_dir, server), namespace, "card", group, None, known_at, limit, cursor, as_json=as_json)


def episodes(
    group: Group = None,
    known_at: KnownAt = None,
    limit: Limit = 50,
    cursor: Cursor = None,
    project: Project = None,
    user: User = None,
    agent: Agent = None,
    session: Session = None,
    shared: Shared = False,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """List the episodes of long conversations: who, when, what was said, decided and planned."""
    namespace = namespace_from(project, user, agent, session, shared)
    _list(settings_from(data_dir, server), namespace, "episode", group, None, known_at, limit, cursor, as_json=as_json)


def entity(
    name: Annotated[str | None, typer.Argument(help="Whose profile; without it, everybody's.")] = None,
    known_at: KnownAt = None,
    limit: Limit = 50,
    cursor: Cursor = None,
    project: Project = None,
    user: User = None,
    agent: Agent = None,
    session: Session = None,
    shared: Shared = False,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Show the profile of a person, an organization or a thing, each line with the facts it rests on."""
    namespace = namespace_from(project, user, agent, session, shared)
    _list(settings_from(data_dir, server), namespace, "profile", None, name, known_at, limit, cursor, as_json=as_json)


def _list(
    settings: Settings, namespace: Namespace, kind: SummaryKind, group: str | None, name: str | None,
    known_at: int | None, limit: int, cursor: str | None, *, as_json: bool,
) -> None:  # fmt: skip
    async def read() -> SummaryPage:
        async with open_memory(settings, namespace) as memory:
            return await memory.summaries(
                kind, group_id=group, entity=name, known_at=known_at, limit=limit, cursor=cursor
            )

    page = asyncio.run(read())
    if as_json:
        print_json(page)
        return
    for summary in page.summaries:
        _print(summary)
    if page.next is not None:
        console.print(f"[dim]more: --cursor {page.next}[/]")


def _print(summary: Summary) -> None:
    stale = " [yellow]stale[/]" if summary.stale else ""
    age = "" if summary.age_days is None else f" {summary.age_days:.0f} days old"
    console.print(f"[bold]{safe(summary.title)}[/] [dim]{summary.id} {safe(summary.group_id or '')}{age}[/]{stale}")
    for line in summary.lines:
        inferred = "" if line.explicit else " [dim](inferred)[/]"
        console.print(f"  {line.aspect}: {safe(line.text)}{inferred} [dim]{' '.join(line.facts)}[/]")
    if not summary.lines:
        console.print("\n".join(f"  {safe(each)}" for each in summary.text.splitlines()))
    console.print()
