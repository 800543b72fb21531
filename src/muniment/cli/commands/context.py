"""Context for a model: records, facts, episodes and profiles within a number of tokens."""

import asyncio
from typing import Annotated, cast

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
from muniment.cli.output import console, print_json, safe
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
from muniment.model.context import Context, Unit

_Units = Annotated[
    list[str] | None,
    typer.Option("--unit", help="raw, fact, episode or profile; may be given several times; raw, fact and profile."),
]


def context(
    question: Annotated[str, typer.Argument(help="What is asked.")],
    units: _Units = None,
    tokens: Annotated[int, typer.Option("--tokens", help="How many all may take, estimated.")] = 1200,
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
    """Gather what bears on a question for a model to read; only records (raw) are evidence."""
    namespace = namespace_from(project, user, agent, session, shared)
    options = options_from(
        top_k=top_k, group=group, filters=filters, since=since, until=until, as_of=as_of, known_at=known_at, at=at,
        profile=profile, without=without, timeout=timeout, language=language,
    )  # fmt: skip
    wanted = cast("list[Unit]", units or ["raw", "fact", "profile"])

    async def gather() -> Context:
        async with open_memory(settings_from(data_dir, server), namespace) as memory:
            return await memory.context(question, units=wanted, tokens=tokens, **options)

    found = asyncio.run(gather())
    if as_json:
        print_json(found)
        return
    for each in found.units:
        console.print(f"[bold]{each.unit}[/] [dim]{each.id} {each.tokens} tokens[/]")
        console.print("\n".join(f"  {safe(line)}" for line in each.text.splitlines()))
    console.print(f"[dim]{found.tokens} tokens, {found.tokens_are}[/]")
    for note in found.notes:
        console.print(f"[dim]{safe(note)}[/]")
