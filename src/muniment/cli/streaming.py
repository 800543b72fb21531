"""A question shown while it is being answered: what is provisional on standard error, the result on standard output."""

import sys
from collections.abc import AsyncIterator

from muniment.cli.output import complaints, counted, safe
from muniment.model.events import (
    AnswerDeltaEvent,
    EvidenceEvent,
    QueryEvent,
    ResultEvent,
    RetractedEvent,
    StageEvent,
)
from muniment.model.result import QueryResult


async def shown(events: AsyncIterator[QueryEvent], *, as_json: bool) -> QueryResult | None:
    """The result, after everything before it was shown; with ``as_json`` each event is printed as a line of JSON,
    the result too, and nothing is left to print."""
    writing = False
    async for event in events:
        if as_json:
            sys.stdout.write(event.model_dump_json() + "\n")
            sys.stdout.flush()
            continue
        if isinstance(event, AnswerDeltaEvent):
            complaints.print(f"[dim]{safe(event.text)}[/]", end="")
            writing = True
            continue
        if writing:
            complaints.print()
            writing = False
        _show(event)
        if isinstance(event, ResultEvent):
            return event.result
    return None


def _show(event: QueryEvent) -> None:
    match event:
        case StageEvent():
            complaints.print(f"[dim]{event.duration_ms:8.1f} ms  {event.name}: {safe(event.decision or 'done')}[/]")
        case EvidenceEvent():
            complaints.print(f"[dim]             {counted(len(event.hits), 'record')} of evidence[/]")
        case RetractedEvent():
            complaints.print(f"[yellow]retracted: {safe(event.because)}[/]")
        case _:
            pass
