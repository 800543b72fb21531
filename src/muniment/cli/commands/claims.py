"""Claims: what the facts say together, why, and what relations are."""

import asyncio
from typing import Annotated, cast, get_args

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
from muniment.cli.output import console, counted, print_json, safe, table
from muniment.cli.retrieval_options import moment
from muniment.errors import MunimentError
from muniment.model.claims import Claim, ClaimDetail, ClaimPage, ClaimStatus, Relation, RelationList, UndoneDecision

relations = typer.Typer(no_args_is_help=True, help="Relations: list, set.")

KnownAt = Annotated[int | None, typer.Option("--known-at", min=0, help="What the log knew after this commit.")]


def claims(
    subject: Annotated[str | None, typer.Argument(help="Whose claims, by any name; without it, everybody's.")] = None,
    relation: Annotated[str | None, typer.Option("--relation", help="One relation, by any of its names.")] = None,
    status: Annotated[
        list[str] | None, typer.Option("--status", help="ACTIVE, CONTESTED or SUPERSEDED; may be given several times.")
    ] = None,
    as_of: Annotated[str | None, typer.Option("--as-of", help="What held at this time: 2026-11-29T12:00:00Z.")] = None,
    known_at: KnownAt = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=500)] = 50,
    cursor: Annotated[str | None, typer.Option("--cursor", help="`next` of the page before.")] = None,
    project: Project = None,
    user: User = None,
    agent: Agent = None,
    session: Session = None,
    shared: Shared = False,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """List what the facts say together, now or as of a time; `--status SUPERSEDED` also what held before."""
    namespace = namespace_from(project, user, agent, session, shared)
    statuses, at = _statuses(status), moment("--as-of", as_of)

    async def read() -> ClaimPage:
        async with open_memory(settings_from(data_dir, server), namespace) as memory:
            return await memory.claims(
                subject=subject, relation=relation, status=statuses, as_of=at, known_at=known_at, limit=limit,
                cursor=cursor,
            )  # fmt: skip

    page = asyncio.run(read())
    if as_json:
        print_json(page)
        return
    _print(page.claims)
    if page.pending:
        console.print("[dim]some records wait to be read, or claims to be recompiled[/]")
    if page.next:
        console.print(f"[dim]more: --cursor {page.next}[/]")


def claim(
    claim_id: Annotated[str, typer.Argument(metavar="CLAIM", help="A claim's id: c_…")],
    known_at: KnownAt = None,
    undo: Annotated[str | None, typer.Option("--undo", help="Take this decision back: x_…")] = None,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Show a claim with its evidence, the decisions about it and its versions, or take a decision back."""

    async def read() -> tuple[ClaimDetail, UndoneDecision | None]:
        async with open_memory(settings_from(data_dir, server)) as memory:
            detail = await memory.claim(claim_id, known_at=known_at)
            return detail, None if undo is None else await memory.undo_decision(undo)

    detail, undone = asyncio.run(read())
    if as_json:
        print_json(detail if undone is None else undone)
        return
    if undone is not None:
        console.print(f"[bold]{undone.id}[/] taken back by commit {undone.commit}")
        return
    _print([detail.claim])
    _print_evidence(detail)
    for decision in detail.decisions:
        undone_by = f", taken back by commit {decision.undone_at_commit}" if decision.undone_at_commit else ""
        until = f" to {decision.until_commit}" if decision.until_commit else ""
        stands = f"commit {decision.commit}{until}{undone_by}"
        console.print(f"[bold]{decision.id}[/] {decision.rule} by {decision.by_record_id}, {stands}")
    for name in detail.names:
        undone_by = f", taken back by commit {name.undone_at_commit}" if name.undone_at_commit else ""
        console.print(f"[bold]{name.id}[/] {safe(name.name)} is {safe(name.entity)} ({name.rule}){undone_by}")
    console.print(
        f"[dim]{counted(len(detail.versions), 'version')}, the first of commit {detail.versions[-1].commit}[/]"
    )


@relations.command("list")
def list_relations(data_dir: DataDir = None, server: Server = None, as_json: AsJson = False) -> None:
    """List what is known of relations; those not listed have many values."""

    async def read() -> list[Relation]:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.relations()

    found = asyncio.run(read())
    if as_json:
        print_json(RelationList(relations=found))
        return
    listing = table("relation", "values", "aliases", "inverses", "set by")
    for relation in found:
        listing.add_row(
            safe(relation.relation), "one" if relation.single else "many", safe(", ".join(relation.aliases)),
            safe(", ".join(relation.inverses)), relation.set_by,
        )  # fmt: skip
    console.print(listing)


@relations.command("set")
def set_relation(
    name: Annotated[str, typer.Argument(help="The relation: lower snake case.")],
    single: Annotated[bool, typer.Option("--single/--many", help="One value at a time, or many.")],
    alias: Annotated[list[str] | None, typer.Option("--alias", help="Another name of it.")] = None,
    inverse: Annotated[
        list[str] | None, typer.Option("--inverse", help="A name under which subject and object are exchanged.")
    ] = None,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Say from now on what a relation is; claims follow."""

    async def write() -> Relation:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.put_relation(name, single=single, aliases=alias or [], inverses=inverse or [])

    relation = asyncio.run(write())
    if as_json:
        print_json(relation)
    else:
        console.print(f"[bold]{safe(relation.relation)}[/] has {'one value at a time' if single else 'many values'}")


def _print(found: list[Claim]) -> None:
    listing = table("id", "claim", "status", "from", "to", "confidence", "facts")
    for item in found:
        told = f"{item.subject} {'not ' if item.negated else ''}{item.relation} {item.object}"
        begin, end = item.valid_from, item.valid_to
        listing.add_row(
            item.id, safe(told), item.status, "" if begin is None else begin.isoformat(timespec="minutes"),
            "" if end is None else end.isoformat(timespec="minutes"), f"{item.confidence:.2f}", str(item.facts),
        )  # fmt: skip
    console.print(listing)


def _print_evidence(detail: ClaimDetail) -> None:
    for fact in detail.evidence:
        console.print(f"  {fact.record_id} {safe(fact.restatement)} [dim]{safe(fact.extractor)}[/]")
        for span in fact.spans:
            console.print(f"    {span.record_id} {span.start}-{span.end}: {safe(span.quote)}")


def _statuses(given: list[str] | None) -> list[ClaimStatus] | None:
    known = get_args(ClaimStatus)
    for status in given or ():
        if status.upper() not in known:
            raise MunimentError("usage.invalid", f"{status!r} is none of {', '.join(known)}")
    return [cast(ClaimStatus, status.upper()) for status in given] if given else None
