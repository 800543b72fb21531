"""Sources and their versions, read back."""

from collections.abc import Sequence

from muniment.database.pool import Database, Row, Scope
from muniment.database.spaces import visible_spaces
from muniment.errors import MunimentError
from muniment.model.cursors import read_cursor, write_cursor
from muniment.model.identifiers import SOURCE, parse_id, public_id
from muniment.model.namespace import Namespace
from muniment.model.source import ExtractionCounts, Source, SourceVersion


async def get_source(database: Database, tenant: int, source_id: str, spaces: Sequence[int] | None = None) -> Source:
    """One source with its versions. ``spaces`` limits what is seen, None sees all. Raises ``source.not_found``."""
    parsed = parse_id(SOURCE, source_id)
    async with database.scope(tenant, spaces=spaces) as scope:
        number = None if parsed is None else await scope.value("sources.number", source_id=parsed)
        found = [] if number is None else await _read(scope, [number])
    if not found:
        raise MunimentError("source.not_found", "there is no source of this id")
    return found[0]


async def list_sources(
    database: Database, tenant: int, namespace: Namespace, *, limit: int = 50, cursor: str | None = None
) -> tuple[list[Source], str | None]:
    """Sources that the namespace sees, newest first, and the cursor of the page that follows. ``input.invalid``."""
    before = read_cursor(cursor, default=2**63 - 1)
    async with database.scope(tenant) as scope:
        spaces = await visible_spaces(scope, namespace)
        rows = await scope.rows("sources.list", spaces=spaces, before=before, limit=limit + 1)
        numbers = [row["source_no"] for row in rows]
        sources = await _read(scope, numbers[:limit])
    return sources, write_cursor(numbers[limit - 1]) if len(numbers) > limit else None


async def _read(scope: Scope, numbers: Sequence[int]) -> list[Source]:
    if not numbers:
        return []
    versions: dict[int, list[SourceVersion]] = {}
    for row in await scope.rows("sources.versions", sources=list(numbers)):
        versions.setdefault(row["source_no"], []).append(_version(row))
    counts = await _extraction(scope, numbers)
    rows = await scope.rows("sources.read", sources=list(numbers))
    return [_source(row, versions.get(row["source_no"], []), counts.get(row["source_no"], {})) for row in rows]


async def _extraction(scope: Scope, numbers: Sequence[int]) -> dict[int, dict[str, ExtractionCounts]]:
    counts: dict[int, dict[str, ExtractionCounts]] = {}
    for row in await scope.rows("extraction.counts", sources=list(numbers)):
        counted = counts.setdefault(row["source_no"], {}).setdefault(row["method"], ExtractionCounts())
        setattr(counted, row["state"], getattr(counted, row["state"]) + row["records"])
        counted.found += row["facts"]
        if row["reason"] is not None:
            counted.reasons[row["reason"]] = counted.reasons.get(row["reason"], 0) + row["records"]
    return counts


def _source(row: Row, versions: list[SourceVersion], extraction: dict[str, ExtractionCounts]) -> Source:
    return Source(
        id=public_id(SOURCE, row["source_id"]),
        source_key=row["source_key"],
        parent_id=None if row["parent_id"] is None else public_id(SOURCE, row["parent_id"]),
        kind=row["kind"],
        namespace=Namespace(project_id=row["project_id"], user_id=row["user_id"], agent_id=row["agent_id"]),
        created_at=row["created_at"],
        records=row["records"],
        embedded=row["embedded"],
        extraction=extraction,
        versions=versions,
    )


def _version(row: Row) -> SourceVersion:
    return SourceVersion(
        version=row["version"],
        current=row["live_to_commit"] is None,
        content_hash=None if row["content_hash"] is None else row["content_hash"].hex(),
        media_type=row["media_type"],
        filename=row["filename"],
        title=row["title"],
        bytes=row["bytes"],
        records=row["records"],
        commit=row["live_from_commit"],
        notes=row["notes"],
    )
