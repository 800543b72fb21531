"""What became of searches and questions: the runs, why a record came or did not, and the same again."""

import asyncio
import re
from collections.abc import Sequence, Set
from typing import Annotated, Final

import typer

from muniment.cli.options import AsJson, DataDir, Server, open_memory, settings_from
from muniment.cli.output import console, counted, print_json, safe, table
from muniment.errors import EXIT_FOUND_WRONG, MunimentError
from muniment.model.query_runs import Explanation, QueryRunPage, Replay, RouteShare, RunExplanation

_OF_THE_ROUTE: Final = re.compile(r"the route (?:was )?(idle: .*|left out: .*|found nothing)", re.DOTALL)


def query_runs(
    limit: Annotated[int, typer.Option("--limit", min=1, max=500)] = 20,
    cursor: Annotated[str | None, typer.Option("--cursor", help="Where the page before ended.")] = None,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """List what was searched and asked, the latest first."""

    async def read() -> QueryRunPage:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.query_runs(limit=limit, cursor=cursor)

    page = asyncio.run(read())
    if as_json:
        print_json(page)
        return
    listing = table("id", "started", "ms", "mode", "profile", "score", "outcome", "question")
    for run in page.runs:
        outcome = ["partial"] if run.partial else []
        if run.error is not None:
            outcome.append(f"failed: {safe(run.error)}")
        if run.abstain is not None:
            outcome.append("abstained" if run.abstain else "answered")
        score = "" if run.score is None else f"{run.score:.2f}"
        listing.add_row(
            run.id, run.started_at.isoformat(timespec="seconds"), f"{run.duration_ms:.0f}", run.mode,
            safe(run.profile), score, ", ".join(outcome), safe(run.question),
        )  # fmt: skip
    console.print(listing)
    if page.next is not None:
        console.print(f"[dim]more with --cursor {page.next}[/]")


def explain(
    query: Annotated[str, typer.Argument(help="A query run's id: q_…")],
    record: Annotated[
        str | None, typer.Option("--record", help="A record's id: why this one came, or did not: d_…")
    ] = None,
    replay: Annotated[bool, typer.Option("--replay", help="Make the run again against the log as it was.")] = False,
    data_dir: DataDir = None,
    server: Server = None,
    as_json: AsJson = False,
) -> None:
    """Say why a run gave what it gave: each hit, route by route and term by term; or where a record fell."""
    if replay and record is not None:
        raise MunimentError("usage.invalid", "--replay is about the whole run: leave --record out")

    async def read() -> RunExplanation | Replay:
        async with open_memory(settings_from(data_dir, server)) as memory:
            return await memory.replay(query) if replay else await memory.explain(query, record)

    told = asyncio.run(read())
    if as_json:
        print_json(told)
    elif isinstance(told, Replay):
        _print_replay(told)
    else:
        _print_run(told)
    if isinstance(told, Replay) and not told.identical:
        raise typer.Exit(EXIT_FOUND_WRONG)


def _print_run(told: RunExplanation) -> None:
    console.print(f"[bold]{safe(told.question)}[/]  [dim]{told.query_id}[/]")
    shown = [told.record] if told.record is not None else told.hits
    without = routes_without_part(shown)
    if without:
        because = "; ".join(f"{', '.join(names)}: {why}" for why, names in without.items())
        console.print(f"[dim]routes that took no part: {safe(because)}[/]")
    for hit in shown:
        console.print()
        _print_explanation(hit, {name for names in without.values() for name in names})
    if told.record is None and not told.hits:
        console.print("nothing was returned")
    for note in told.notes:
        console.print(f"[dim]note: {safe(note)}[/]")


def routes_without_part(shown: Sequence[Explanation]) -> dict[str, list[str]]:
    """The routes that did nothing in the run, by the reason, which is the same for every record."""
    found: dict[str, list[str]] = {}
    for told in shown:
        for share in told.routes:
            reason = _OF_THE_ROUTE.match(share.because or "")
            names = [] if reason is None else found.setdefault(reason.group(1), [])
            if share.route not in names:
                names.append(share.route)
    return found


def _print_explanation(told: Explanation, left_out: Set[str]) -> None:
    if told.returned:
        console.print(f"[bold]{told.rank:>2}[/] {told.record_id}  {safe(told.detail)}")
    else:
        console.print(f"[yellow]not returned[/] {told.record_id}: fell at the step [bold]{told.stage}[/] ({told.fell})")
        console.print(f"   {safe(told.detail)}")
    if told.duplicate_of is not None:
        console.print(f"   the same as {told.duplicate_of}")
    console.print(f"   {safe(told.text)}" if told.text is not None else "   [dim]its content was erased[/]")
    routes = [share for share in told.routes if share.route not in left_out]
    if routes:
        _print_routes(routes)
    if any(term.count or term.with_neighbours or term.in_date for term in told.terms):
        _print_terms(told)
    if told.parts:
        _print_parts(told)
    for note in told.notes:
        console.print(f"   [dim]note: {safe(note)}[/]")


def _print_routes(shares: Sequence[RouteShare]) -> None:
    routes = table("   route", "rank", "score", "weight", "weight/(60+rank)", "short by", "")
    for share in shares:
        routes.add_row(
            f"   {safe(share.route)}", _number(share.rank), _number(share.score, 4), f"{share.weight:g}",
            f"{share.contribution:.5f}", _number(share.short_by, 4), safe(share.because or ""),
        )  # fmt: skip
    console.print(routes)


def _print_terms(told: Explanation) -> None:
    terms = table("   term", "weight", "records", "idf", "count", "bm25", "with neighbours", "coverage")
    for term in told.terms:
        if not (term.count or term.with_neighbours or term.in_date):
            continue
        nearby = _number(term.with_neighbours, 2) + (", date" if term.in_date else "")
        terms.add_row(
            f"   {safe(term.term)}", f"{term.weight:g}", str(term.documents), f"{term.idf:.3f}", str(term.count),
            f"{term.bm25:.4f}", nearby, _number(term.coverage, 4),
        )  # fmt: skip
    console.print(terms)


def _print_parts(told: Explanation) -> None:
    parts = table("   part of the score", "")
    for part in told.parts:
        if part.contribution:
            parts.add_row(f"   {safe(part.name)}", f"{part.contribution:+.4f}")
    parts.add_row("   [bold]sum[/]", f"[bold]{sum(part.contribution for part in told.parts):+.4f}[/]")
    console.print(parts)


def _print_replay(told: Replay) -> None:
    hits = counted(sum(hit.rank is not None for hit in told.hits), "hit")
    if told.identical:
        console.print(f"[green]identical[/]: {hits}, as of commit {told.known_at}, in {told.duration_ms:.0f} ms")
    else:
        console.print(f"[yellow]different[/]: {hits} as of commit {told.known_at}")
        for difference in told.differences:
            about = f" {difference.record_id}" if difference.record_id else ""
            console.print(f"  {difference.reason}:{about} {safe(difference.detail)}")
        listing = table("rank", "score", "replayed", "score", "record")
        for hit in told.hits:
            listing.add_row(
                _number(hit.rank), _number(hit.score, 4), _number(hit.replayed_rank), _number(hit.replayed_score, 4),
                hit.record_id,
            )  # fmt: skip
        console.print(listing)
    if told.partial:
        console.print("[dim]note: the deadline had cut the run short; its replay had more time[/]")
    for note in told.notes:
        console.print(f"[dim]note: {safe(note)}[/]")


def _number(value: float | None, digits: int = 0) -> str:
    return "" if value is None else f"{value:.{digits}f}"
