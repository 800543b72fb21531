"""Ingestion runs and their items: written with their effect, and read back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal, cast
from uuid import UUID

from muniment.database.pool import Database, Row, Scope
from muniment.errors import MunimentError
from muniment.log.drafts import as_json
from muniment.model.cursors import read_cursor, write_cursor
from muniment.model.identifiers import RECORD, RUN, SOURCE, parse_id, public_id
from muniment.model.namespace import Namespace
from muniment.model.source import IngestionItem, IngestionRun, Problem, RunState, ServedText, ended

_SILENT: Final = timedelta(hours=1)  # longer than any item takes: whoever was at work went away
_ERASED: Final = "What was said of this failure has been erased."


@dataclass(frozen=True, slots=True)
class Ticket:
    """The right to finish one item of a run. ``seen_attempts`` is how often it had been tried, 0 for a new one."""

    run_no: int
    item_no: int
    seen_attempts: int = 0


@dataclass(slots=True)
class Outcome:
    """How an item ended. ``input`` is what a retry needs beside the blob, JSON without the content."""

    state: Literal["stored", "unchanged", "failed", "archived"]
    source_key: str | None
    source_no: int | None = None
    source_id: UUID | None = None
    source_version: int | None = None
    records: int = 0
    record_ids: Sequence[UUID] = ()
    blob_sha256: bytes | None = None
    input: Mapping[str, Any] = field(default_factory=dict)
    error: MunimentError | None = None
    served: Mapping[int, Sequence[UUID]] = field(default_factory=dict)


class AlreadyFinished(Exception):
    """Somebody else has finished this item: whatever this transaction did must not be committed."""


async def finish_item(scope: Scope, space: int, ticket: Ticket, outcome: Outcome) -> None:
    """Writes the end of the item into the transaction that has its effect. Raises ``AlreadyFinished``."""
    error = outcome.error
    written = await scope.value(
        "runs.finish_item",
        run_no=ticket.run_no,
        item_no=ticket.item_no,
        seen_attempts=ticket.seen_attempts,
        space=space,
        state=outcome.state,
        source_no=outcome.source_no,
        source_version=outcome.source_version,
        source_key=outcome.source_key,
        records=outcome.records,
        record_ids=list(outcome.record_ids),
        blob_sha256=outcome.blob_sha256,
        input=as_json(outcome.input),
        error_code=error and error.code,
        error_detail=error and error.detail,
        error_facts=error and as_json(error.facts),
        served=as_json([each.model_dump() for each in _served(outcome)]),
    )
    if written is None:
        raise AlreadyFinished


async def get_run(database: Database, tenant: int, run_id: str, spaces: Sequence[int] | None = None) -> IngestionRun:
    """One run with its items. ``spaces`` limits what is seen. Raises ``run.not_found``."""
    async with database.scope(tenant, spaces=spaces) as scope:
        number = await find_run(scope, run_id)
        return (await read_runs(scope, [number], with_ids=True))[0]


async def list_runs(
    database: Database, tenant: int, *, limit: int = 50, cursor: str | None = None, spaces: Sequence[int] | None = None
) -> tuple[list[IngestionRun], str | None]:
    """Runs, newest first, without the ids of their records, and the cursor of the page that follows."""
    before = read_cursor(cursor, default=2**63 - 1)
    async with database.scope(tenant, spaces=spaces) as scope:
        numbers = [row["run_no"] for row in await scope.rows("runs.list", before=before, limit=limit + 1)]
        runs = await read_runs(scope, numbers[:limit], with_ids=False)
    return runs, write_cursor(numbers[limit - 1]) if len(numbers) > limit else None


async def find_run(scope: Scope, run_id: str) -> int:
    """The number of a run; raises ``run.not_found``."""
    parsed = parse_id(RUN, run_id)
    number = None if parsed is None else await scope.value("runs.number", run_id=parsed)
    if number is None:
        raise MunimentError("run.not_found", "there is no ingestion run of this id")
    return cast(int, number)


async def read_runs(scope: Scope, numbers: Sequence[int], *, with_ids: bool, first: int = 0) -> list[IngestionRun]:
    """Runs by number, newest first, with their items from the number ``first`` on, of which their state tells."""
    if not numbers:
        return []
    rows = await scope.rows("runs.read", runs=list(numbers))
    items: dict[int, list[IngestionItem]] = {row["run_no"]: [] for row in rows}
    moved: dict[int, datetime] = {row["run_no"]: row["created_at"] for row in rows}
    for row in await scope.rows("runs.items", runs=list(numbers), with_ids=with_ids, first=first):
        items[row["run_no"]].append(_item(row))
        moved[row["run_no"]] = max(moved[row["run_no"]], row["finished_at"])
    return [_run(row, items[row["run_no"]], first, moved[row["run_no"]]) for row in rows]


def stored_item(index: int, outcome: Outcome) -> IngestionItem:
    """The item of an outcome that was just written for the first time, as it would be read back."""
    return IngestionItem(
        index=index,
        state=outcome.state,
        source_key=outcome.source_key,
        source_id=None if outcome.source_id is None else public_id(SOURCE, outcome.source_id),
        version=outcome.source_version,
        records=outcome.records,
        record_ids=[public_id(RECORD, each) for each in outcome.record_ids],
        served=_served(outcome),
    )


def _served(outcome: Outcome) -> list[ServedText]:
    return [
        ServedText(index=index, record_ids=[public_id(RECORD, each) for each in records])
        for index, records in sorted(outcome.served.items())
    ]


def _item(row: Row) -> IngestionItem:
    error = None
    if row["error_code"] is not None:
        detail = row["error_detail"] or _ERASED
        error = Problem(code=row["error_code"], detail=detail, facts=row["error_facts"] or {})
    return IngestionItem(
        index=row["item_no"],
        state=row["state"],
        source_key=row["source_key"],
        source_id=None if row["source_id"] is None else public_id(SOURCE, row["source_id"]),
        version=row["source_version"],
        records=row["records"],
        record_ids=[public_id(RECORD, each) for each in row["record_ids"] or ()],
        served=row["served"],
        notes=row["notes"] or [],
        attempts=row["attempts"],
        error=error,
    )


def _run(row: Row, items: list[IngestionItem], first: int, moved: datetime) -> IngestionRun:
    unfinished = row["more"] or first + len(items) < row["items"]
    silent = datetime.now(UTC) - moved > _SILENT
    state: RunState = ended(items) if not unfinished else "interrupted" if silent else "running"
    return IngestionRun(
        id=public_id(RUN, row["run_id"]),
        kind=row["kind"],
        state=state,
        namespace=Namespace(
            project_id=row["project_id"],
            user_id=row["user_id"],
            agent_id=row["agent_id"],
            session_id=row["session_id"],
        ),
        created_at=row["created_at"],
        items=items,
    )
