"""The history of a record: its entries in the log, and what stood in its place before and after."""

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.records import read_records
from muniment.model.identifiers import RECORD, parse_id, public_id
from muniment.model.lifecycle import HistoryEntry, RecordHistory


async def history(database: Database, tenant: int, record_id: str) -> RecordHistory:
    """All entries about the record and about those that stood in its place; raises ``record.not_found``."""
    identity = parse_id(RECORD, record_id)
    async with database.scope(tenant) as scope:
        rows = [] if identity is None else await scope.rows("lifecycle.in_place", record_id=identity)
        if not rows:
            raise MunimentError("record.not_found", "there is no record of this id")
        numbers = [row["record_no"] for row in rows]
        versions = await read_records(scope, numbers)
        entries = await scope.rows("lifecycle.history", records=numbers)
    return RecordHistory(
        record_id=record_id,
        versions=versions,
        entries=[
            HistoryEntry(
                commit=row["commit_no"],
                at=row["at"],
                event=row["event"],
                record_id=None if row["record_id"] is None else public_id(RECORD, row["record_id"]),
                detail=row["detail"] or {},
            )
            for row in entries
        ],
    )
