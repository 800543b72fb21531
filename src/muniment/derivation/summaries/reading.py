"""Summaries read back, as they stand or as they stood at a commit, with their age and whether they are stale."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from muniment.database.pool import Database, Row, Scope
from muniment.database.served import note_served_lines
from muniment.database.spaces import visible_spaces
from muniment.errors import MunimentError
from muniment.model.identifiers import RECORD, SUMMARY, parse_id, public_id
from muniment.model.namespace import Namespace
from muniment.model.summaries import ProfileChange, ProfileLine, Summary, SummaryKind, SummaryPage
from muniment.model.times import commit_known, with_zone
from muniment.providers.withholding import withholding

_SECONDS_A_DAY: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class SummaryFilter:
    """Which summaries a list has: of a kind, of one group by its key, of one entity by its name.

    ``known_at`` is the commit as of which the log is read; ``asked_at`` takes the place of the clock.
    """

    kind: SummaryKind = "card"
    group_id: str | None = None
    entity: str | None = None
    known_at: int | None = None
    asked_at: datetime | None = None


async def list_summaries(
    database: Database,
    tenant: int,
    namespace: Namespace,
    wanted: SummaryFilter,
    *,
    limit: int = 50,
    cursor: str | None = None,
) -> SummaryPage:
    """Summaries that the namespace sees, in the order of their making.

    Raises ``input.invalid`` for a cursor that is none, a name that nothing can have and a commit yet to come, and
    ``input.time_without_zone``.
    """
    _admit(wanted)
    after = None if cursor is None else parse_id(SUMMARY, cursor)
    if cursor is not None and after is None:
        raise MunimentError("input.invalid", "the cursor is none that a list gave", field="cursor")
    async with database.scope(tenant) as scope:
        spaces = await visible_spaces(scope, namespace)
        head: int = await scope.value("summaries.head") or 0
        known_at = commit_known(wanted.known_at, head)
        rows = await _rows(scope, wanted, spaces, known_at, after, limit + 1)
        screen = await withholding(scope)
        clock = wanted.asked_at or datetime.now(UTC)
        shown = [_shown(row, clock) for row in rows[:limit]]
        page = SummaryPage(summaries=shown, known_at=known_at, next=shown[-1].id if len(rows) > limit else None)
        if screen is not None:
            page = await screen.served(page)
        if database.settings.served_retention_days > 0:
            texts = [summary.text for summary in page.summaries]
            await note_served_lines(scope, [(row["ids"], text) for row, text in zip(rows, texts, strict=False)])
    return page


async def _rows(
    scope: Scope, wanted: SummaryFilter, spaces: list[int], known_at: int, after: UUID | None, limit: int
) -> list[Row]:
    name, given = "summaries.list", {}
    if wanted.group_id is not None:
        name, given = "summaries.list_group", {"group_key": wanted.group_id}
    elif wanted.entity is not None:
        name, given = "summaries.list_entity", {"name": wanted.entity}
    place = 0 if after is None else await scope.value("summaries.place", summary_id=after)
    if place is None:
        raise MunimentError("input.invalid", "the cursor is none that a list gave", field="cursor")
    return list(
        await scope.rows(
            name, spaces=spaces, kind=wanted.kind, known_at=known_at, after=place, limit=limit, **given
        )
    )  # fmt: skip


def _admit(wanted: SummaryFilter) -> None:
    for name in (wanted.group_id, wanted.entity):
        if name is not None and "\0" in name:
            raise MunimentError("input.invalid", "a name holds a NUL byte")
    if wanted.asked_at is not None:
        with_zone(wanted.asked_at)
    if wanted.group_id is not None and wanted.kind == "profile":
        raise MunimentError("input.invalid", "profiles are of entities, not of groups", field="group_id")
    if wanted.entity is not None and wanted.kind != "profile":
        raise MunimentError("input.invalid", "only profiles are of entities", field="entity")


def _shown(row: Row, clock: datetime) -> Summary:
    ids = {number: public_id(RECORD, each) for number, each in zip(row["numbers"], row["ids"], strict=True)}
    detail: Mapping[str, Any] = row["detail"]
    age = None if row["last_at"] is None else (clock - row["last_at"]).total_seconds() / _SECONDS_A_DAY
    return Summary(
        id=public_id(SUMMARY, row["summary_id"]),
        kind=row["kind"],
        namespace=Namespace(project_id=row["project_id"], user_id=row["user_id"], agent_id=row["agent_id"]),
        group_id=row["group_key"],
        entity=row["title"] if row["kind"] == "profile" else None,
        title=row["title"],
        text=row["text"],
        phrasings=row["phrasings"],
        participants=detail.get("participants", []),
        decisions=detail.get("decisions", []),
        outcome=detail.get("outcome"),
        plans=detail.get("plans", []),
        lines=[_line(line, ids) for line in detail.get("lines", [])],
        changes=[ProfileChange(**{name: each[name] for name in ("operation", "aspect", "text")})
                 for each in detail.get("changes", [])],
        records=[ids[number] for number in row["records"] if number in ids],
        first_at=row["first_at"],
        last_at=row["last_at"],
        age_days=None if age is None else round(age, 3),
        stale=row["stale"],
        form=row["form"],
        commit=row["live_from_commit"],
        until_commit=row["live_to_commit"],
    )  # fmt: skip


def _line(line: Mapping[str, Any], ids: Mapping[int, str]) -> ProfileLine:
    facts = [ids[number] for number in line["facts"] if number in ids]
    return ProfileLine(aspect=line["aspect"], text=line["text"], explicit=line["explicit"], facts=facts)
