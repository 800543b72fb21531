"""Records of the log, read back."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

from muniment.database.pool import Database, Row, Scope
from muniment.database.spaces import visible_spaces
from muniment.errors import MunimentError
from muniment.model.cursors import read_cursor, write_cursor
from muniment.model.filters import Kind
from muniment.model.identifiers import RECORD, SOURCE, parse_id, public_id
from muniment.model.namespace import Namespace
from muniment.model.result import Record, RecordPage

_LISTED = ("raw", "correction", "description")


async def get_record(database: Database, tenant: int, record_id: str, spaces: Sequence[int] | None = None) -> Record:
    """One record. ``spaces`` limits what is seen, None sees the whole tenant. Raises ``record.not_found``."""
    parsed = parse_id(RECORD, record_id)
    async with database.scope(tenant, spaces=spaces) as scope:
        number = None if parsed is None else await scope.value("records.number", record_id=parsed)
        found = [] if number is None else await read_records(scope, [number])
    if not found:
        raise MunimentError("record.not_found", "there is no record of this id")
    return found[0]


async def list_records(
    database: Database,
    tenant: int,
    namespace: Namespace,
    *,
    limit: int = 50,
    cursor: str | None = None,
    group_id: str | None = None,
    source_id: str | None = None,
    include_closed: bool = False,
    kind: Kind | None = None,
) -> RecordPage:
    """Records that the namespace sees, in the order in which the log learned them.

    ``group_id`` and ``source_id`` narrow the list; ``include_closed`` adds what no longer counts. Without ``kind``
    it is of what is searched: raw records, corrections and descriptions of images, not facts. Raises
    ``input.invalid`` for a cursor that is none and ``source.not_found`` for an unknown source.
    """
    after = read_cursor(cursor, default=-1)
    source = None if source_id is None else _source_uuid(source_id)
    kinds = list(_LISTED) if kind is None else [kind]
    async with database.scope(tenant) as scope:
        spaces = await visible_spaces(scope, namespace)
        rows = await _page(scope, spaces, after, limit + 1, group_id, source, include_closed, kinds)
        records = await read_records(scope, [row["record_no"] for row in rows[:limit]])
    following = write_cursor(rows[limit - 1]["entry_no"]) if len(rows) > limit else None
    return RecordPage(records=records, next=following)


def zoned(at: datetime | None, offset: int | None) -> datetime | None:
    """An instant in the zone in which it was given: ``offset`` minutes east of UTC."""
    if at is None:
        return None
    try:
        return at.astimezone(timezone(timedelta(minutes=offset or 0)))
    except OverflowError:  # the first and last hours of the calendar
        return at.astimezone(UTC)


def _source_uuid(source_id: str) -> UUID:
    parsed = parse_id(SOURCE, source_id)
    if parsed is None:
        raise MunimentError("source.not_found", "there is no source of this id")
    return parsed


async def _page(
    scope: Scope,
    spaces: list[int],
    after: int,
    limit: int,
    group_id: str | None,
    source: UUID | None,
    closed: bool,
    kinds: Sequence[str],
) -> Sequence[Row]:
    if source is not None and await scope.value("sources.number", source_id=source) is None:
        raise MunimentError("source.not_found", "there is no source of this id")
    if group_id is not None:
        return await scope.rows(
            "records.list_group", spaces=spaces, after=after, limit=limit, closed=closed, group_key=group_id,
            source_id=source, kinds=kinds,
        )  # fmt: skip
    if source is not None:
        return await scope.rows(
            "records.list_source", spaces=spaces, after=after, limit=limit, closed=closed, source_id=source, kinds=kinds
        )
    return await scope.rows("records.list", spaces=spaces, after=after, limit=limit, closed=closed, kinds=kinds)


async def read_records(scope: Scope, numbers: Sequence[int]) -> list[Record]:
    """Records by their numbers, in this order."""
    if not numbers:
        return []
    return [_record(row) for row in await scope.rows("records.read", records=list(numbers))]


def _record(row: Row) -> Record:
    return Record(
        id=public_id(RECORD, row["record_id"]),
        kind=row["kind"],
        modality=row["modality"],
        namespace=Namespace(
            project_id=row["project_id"],
            user_id=row["user_id"],
            agent_id=row["agent_id"],
            session_id=row["session_id"],
        ),
        source_id=public_id(SOURCE, row["source_id"]),
        source_key=row["source_key"],
        source_version=row["source_version"],
        group_id=row["group_key"],
        position=row["position"],
        speaker=row["speaker"],
        role=row["role"],
        said_at=zoned(row["said_at"], row["said_offset"]),
        locator=row["locator"],
        text=row["text"],
        fields=row["fields"] or {},
        metadata=row["payload"] or {},
        commit=row["commit_no"],
        committed_at=row["committed_at"],
        live=row["live_to_commit"] is None,
        closed_by_commit=row["live_to_commit"],
        rests_on=[public_id(RECORD, basis) for basis in row["rests_on"]],
    )
