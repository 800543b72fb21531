"""Getting evidence out: search and query."""

import asyncio
from contextlib import aclosing
from typing import Annotated

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
from muniment.cli.output import console, place, print_json, safe
from muniment.cli.retrieval_options import (
    AsOf,
    At,
    FilterBy,
    KnownAt,
    Language,
    Since,
    Timeout,
    TopK,
    Until,
    UseProfile,
    Without,
    options_from,
)
from muniment.cli.streaming import shown
from muniment.model.result import QueryResult, SearchResult

Stream = Annotated[bool, typer.Option("--stream", help="Show the answer while it comes about.")]


def search(
    text: Annotated[str, typer.Argument(help="What to look for.")],
    top_k: TopK = 10,
    project: Project = None,
    user: User = None,
    agent: Agent = None,
    session: Session = None,
    shared: Shared = False,
    group: Group = None,
    filters: FilterBy = None,
    since: Since = None,
    until: Until = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    at: At = None,
    profile: UseProfile = None,
    without: Without = None,
    timeout: Timeout = None,
    language: Language = None,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Search the log: records, best first."""
    namespace = namespace_from(project, user, agent, session, shared)
    options = options_from(
        top_k=top_k, group=group, filters=filters, since=since, until=until, as_of=as_of, known_at=known_at, at=at,
        profile=profile, without=without, timeout=timeout, language=language,
    )  # fmt: skip

    async def ask() -> SearchResult:
        async with open_memory(settings_from(data_dir, server), namespace) as memory:
            return await memory.search(text, **options)

    result = asyncio.run(ask())
    if as_json:
        print_json(result)
        return
    for hit in result.hits:
        routes = ", ".join(f"{name} #{route.rank}" for name, route in hit.routes.items())
        who = f"{safe(hit.speaker or hit.role)}: " if hit.speaker or hit.role else ""
        console.print(f"[bold]{hit.rank:>2}[/] {hit.score:.3f} {hit.record_id}  {place(hit.locator)}  [dim]{routes}[/]")
        console.print(f"   {who}{safe(hit.text)}")
    if not result.hits:
        console.print("nothing found")
    _print_notes(result.notes)


def query(
    text: Annotated[str, typer.Argument(help="The question.")],
    top_k: TopK = 10,
    project: Project = None,
    user: User = None,
    agent: Agent = None,
    session: Session = None,
    shared: Shared = False,
    group: Group = None,
    filters: FilterBy = None,
    since: Since = None,
    until: Until = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    at: At = None,
    profile: UseProfile = None,
    without: Without = None,
    timeout: Timeout = None,
    language: Language = None,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
    stream: Stream = False,
) -> None:
    """Ask a question: an answer that cites the log, or an abstention."""
    namespace = namespace_from(project, user, agent, session, shared)
    options = options_from(
        top_k=top_k, group=group, filters=filters, since=since, until=until, as_of=as_of, known_at=known_at, at=at,
        profile=profile, without=without, timeout=timeout, language=language,
    )  # fmt: skip

    async def ask() -> QueryResult | None:
        async with open_memory(settings_from(data_dir, server), namespace) as memory:
            if not stream:
                return await memory.query(text, **options)
            async with aclosing(memory.query_stream(text, **options)) as events:
                return await shown(events, as_json=as_json)

    result = asyncio.run(ask())
    if result is None:
        return  # shown as it came
    if as_json:
        print_json(result)
    else:
        print_answer(result)


def print_answer(result: QueryResult) -> None:
    """The answer, then each citation with its record, place and words."""
    console.print(f"[yellow]{safe(result.answer)}[/]" if result.abstain else f"[bold]{safe(result.answer)}[/]")
    for number, citation in enumerate(result.citations, 1):
        console.print(
            f"  [{number}] {citation.record_id}  {place(citation.locator)}, version {citation.source_version}",
            markup=False,
        )
        console.print(f"      “{safe(citation.excerpt)}”")
    _print_notes(result.notes)


def _print_notes(notes: list[str]) -> None:
    for note in notes:
        console.print(f"[dim]note: {safe(note)}[/]")
