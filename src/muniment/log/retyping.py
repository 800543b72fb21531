"""Facts whose names had no type when they came, told anew with the one that the space knows them by since.

A name is the same whoever tells of it first: where *Project Atlas* came without a type and is an organization by a
later fact, both are one. What a fact says is sealed, so the untyped one closes and another takes its place, on the same
evidence, in one commit: as known before, the log stays what it was.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final

from muniment.database.numbers import take_numbers
from muniment.database.pool import Database, Row, Scope
from muniment.extraction.statements import Span, Statement
from muniment.log.entity_types import typed
from muniment.log.fact_places import Overtaken, hold_place, live_bases
from muniment.log.fact_records import FactDraft, draft_facts, fact_entry, insert_facts
from muniment.log.seal import NewEntry, seal
from muniment.queue import enqueue

KIND: Final = "retype"
_UNTYPED: Final = ("unknown", "time", "quantity")


async def expect_namesakes(scope: Scope, space: int, drafts: Sequence[FactDraft]) -> None:
    """Enqueues the job where new facts give a type to names that others had without one; before they are sealed."""
    named: dict[str, int] = {}
    for draft in drafts:
        said = draft.statement
        for name, kind in ((said.subject, said.subject_type), (said.object, said.object_type)):
            if kind not in _UNTYPED:
                named.setdefault(name.casefold(), draft.record_no)
    if not named:
        return
    known = {row["name"] for row in await scope.rows("facts.types_of_names", names=sorted(named), space=space)}
    fresh = sorted(set(named) - known)
    found = [row["name"] for row in await scope.rows("facts.namesakes", names=fresh, space=space)] if fresh else []
    if found:
        numbers = sorted({named[name] for name in found})
        await enqueue(scope, KIND, {"facts": numbers}, space=space, dedup=f"{numbers[0]}")


async def retype_namesakes(database: Database, tenant: int, facts: Sequence[int]) -> int:
    """Tells anew what names without a type are said that these facts have with one; how many facts that were."""
    retyped = 0
    while True:  # a look gives so many at most; what has its type is not among those of the next
        async with database.scope(tenant) as scope:
            rows = await scope.rows("facts.untyped", records=list(facts))
        before = retyped
        for (group, extractor), members in groupby(rows, key=lambda row: (row["group_no"], row["extractor"])):
            retyped += await _retype(database, tenant, group, extractor, [row["record_no"] for row in members], facts)
        if retyped == before:
            return retyped


async def _retype(
    database: Database, tenant: int, group: int, extractor: str, untyped: Sequence[int], by: Sequence[int]
) -> int:
    async with database.scope(tenant) as scope:
        numbers = await take_numbers(scope, "record", len(untyped))
        fresh = (await take_numbers(scope, "group"))[0]
        known = {row["record_no"]: row for row in await scope.rows("facts.untyped", records=list(by))}
    records = sorted({basis for number in untyped if number in known for basis in known[number]["bases"]})
    async with database.scope(tenant, seconds=database.settings.write_timeout) as scope:
        place = await hold_place(scope, group, records, fresh)
        if place is None:
            return 0
        bases = {row["record_no"]: row for row in await live_bases(scope, group, records)}
        rows = [row for row in await scope.rows("facts.untyped", records=list(by)) if row["record_no"] in untyped]
        before = [_statement(row) for row in rows if all(basis in bases for basis in row["bases"])]
        rows = [row for row in rows if all(basis in bases for basis in row["bases"])]
        after = await typed(scope, place.space, before)
        changed = [(row, new) for row, old, new in zip(rows, before, after, strict=True) if new != old]
        if not changed:
            return 0
        drafts = draft_facts([new for _, new in changed], bases, numbers, place, extractor)
        await insert_facts(scope, place, drafts)
        closes = [_close(row) for row, _ in changed]
        await seal(scope, [*(fact_entry(place, draft) for draft in drafts), *closes], place.space)
        if await scope.rows("facts.not_live", records=list(bases)):  # under the head lock nobody closes any
            raise Overtaken  # the job is tried again
    return len(changed)


def _statement(row: Row) -> Statement:
    said: dict[str, Any] = {
        name: row[name]
        for name in (
            "subject", "relation", "object", "text", "subject_type", "object_type", "negated", "kind", "event_from",
            "event_to",
        )
    }  # fmt: skip
    spans = tuple(Span(*span) for span in zip(row["bases"], row["starts"], row["ends"], strict=True))
    return Statement(**said, spans=spans, confidence=round(row["confidence"], 6))


def _close(row: Row) -> NewEntry:
    return NewEntry(
        event="close", space=row["space_id"], record_no=row["record_no"], record_id=row["record_id"],
        detail={"reason": "typed"},
    )  # fmt: skip
