"""Facts as records of the log: statements that an extractor found, beside the evidence that they rest on.

A fact is sealed like every record. It stands in the space and under the source version of its evidence, so that what
archives the version closes it too, and in a group of its own, so that no turn has it for a neighbour. It has no
speaker and no time of its own: those are its evidence's. It is in none of the indexes of raw records.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from muniment.database.numbers import take_numbers
from muniment.database.pool import Database, Row, Scope
from muniment.extraction.statements import Statement, identity
from muniment.extraction.support import supported
from muniment.log.entity_types import typed
from muniment.log.fact_places import Overtaken, hold_place, live_bases
from muniment.log.fact_records import FactPlace, draft_facts, fact_entry, insert_facts
from muniment.log.known_endings import made_whole
from muniment.log.retyping import expect_namesakes
from muniment.log.seal import NewEntry, seal
from muniment.model.source import Method

_TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class Extracted:
    """What an extractor made of some records of one group.

    ``ends`` are the records whose extraction this ends; statements may also rest on others of the group, which the
    extractor saw beside them. ``extractor`` names the method and its version, as ``rules:1``.
    """

    method: Method
    extractor: str
    group_no: int
    ends: Sequence[int]
    statements: Sequence[Statement]


@dataclass(frozen=True, slots=True)
class FactsWritten:
    """How many facts are new, how many stood already, how many of an earlier extractor closed, and how many statements
    were refused for want of support."""

    new: int = 0
    stood: int = 0
    closed: int = 0
    refused: int = 0


async def write_facts(database: Database, tenant: int, found: Extracted) -> FactsWritten:
    """Writes the statements as facts, ends the extraction of their records, and seals, all in one transaction.

    Run again it adds nothing: a statement that stands stays. Records closed or erased meanwhile add nothing, and what
    an earlier extractor of the method found in these records and this one did not is closed. Raises ``store.*``.
    """
    for attempt in range(_TRIES):
        try:
            return await _write(database, tenant, found)
        except Overtaken:
            if attempt == _TRIES - 1:
                raise
    raise AssertionError


async def _write(database: Database, tenant: int, found: Extracted) -> FactsWritten:
    async with database.scope(tenant) as scope:
        most = sum(max(1, len(each.ends)) for each in found.statements)
        numbers = await take_numbers(scope, "record", max(1, most))
        fresh_group = (await take_numbers(scope, "group"))[0]
    records = sorted({*found.ends, *(span.record_no for each in found.statements for span in each.spans)})
    async with database.scope(tenant, seconds=database.settings.write_timeout) as scope:
        place = await hold_place(scope, found.group_no, records, fresh_group)
        if place is None:
            return FactsWritten()
        bases = {row["record_no"]: row for row in await live_bases(scope, found.group_no, records)}
        done = await _done(scope, found)
        open_ = [record for record in found.ends if record in bases and record not in done]
        if not open_:
            return FactsWritten()
        statements = await made_whole(scope, place.space, found.group_no, found.statements)
        records = sorted({*records, *(span.record_no for each in statements for span in each.spans)})
        bases = {row["record_no"]: row for row in await live_bases(scope, found.group_no, records)}
        kept, refused = _supported(statements, bases, set(records) - set(bases))
        known = await scope.rows("facts.known", records=list(bases), method=found.method)
        new, stood = _sifted(await typed(scope, place.space, kept), known)
        stale = [row for row in known if row["extractor"] != found.extractor and set(row["bases"]) <= set(open_)]
        stale = [row for row in stale if row["record_no"] not in stood]
        drafts = draft_facts(new, bases, numbers, place, found.extractor)
        await insert_facts(scope, place, drafts)
        await _finish(scope, found, place, open_, kept)
        entries = [fact_entry(place, draft) for draft in drafts] + [_close(row, found.extractor) for row in stale]
        if entries:
            await expect_namesakes(scope, place.space, drafts)
            await seal(scope, entries, place.space)
            if await scope.rows("facts.not_live", records=list(bases)):  # under the head lock nobody closes any
                raise Overtaken
    return FactsWritten(len(drafts), len(stood), len(stale), refused)


async def _done(scope: Scope, found: Extracted) -> set[int]:
    rows = await scope.rows("extraction.states", records=list(found.ends), method=found.method)
    return {
        row["record_no"] for row in rows if row["state"] in ("facts", "none") and row["extractor"] == found.extractor
    }


def _supported(
    statements: Iterable[Statement], bases: Mapping[int, Row], gone: set[int]
) -> tuple[list[Statement], int]:
    """The statements that their evidence carries, as far as it is still there, each once; and how many it does not."""
    texts = {number: row["text"] for number, row in bases.items()}
    kept: dict[tuple[Hashable, ...], Statement] = {}
    refused = 0
    for statement in statements:
        left = statement.without(gone) if gone else statement
        if left is None:
            continue
        if supported(left, texts):
            kept.setdefault((left.identity(), min(span.record_no for span in left.spans)), left)
        else:
            refused += 1
    return list(kept.values()), refused


def _sifted(kept: Sequence[Statement], known: Sequence[Row]) -> tuple[list[Statement], set[int]]:
    """The statements that do not stand yet, and the numbers of the facts that say the others."""
    standing: dict[tuple[Hashable, ...], list[Row]] = {}
    for row in known:
        key = identity(
            row["subject"], row["relation"], row["object"], row["negated"], row["kind"], row["event_from"],
            row["event_to"],
        )  # fmt: skip
        standing.setdefault(key, []).append(row)
    new: list[Statement] = []
    stood: set[int] = set()
    for statement in kept:
        bases = {span.record_no for span in statement.spans}
        same = [row for row in standing.get(statement.identity(), ()) if bases & set(row["bases"])]
        if same:
            stood.update(row["record_no"] for row in same)
        else:
            new.append(statement)
    return new, stood


async def _finish(
    scope: Scope, found: Extracted, place: FactPlace, ended: Sequence[int], kept: Sequence[Statement]
) -> None:
    facts = Counter(number for each in kept for number in {span.record_no for span in each.spans})
    await scope.execute(
        "extraction.finish",
        records=list(ended),
        states=["facts" if facts[number] else "none" for number in ended],
        facts=[facts[number] for number in ended],
        method=found.method,
        extractor=found.extractor,
        space=place.space,
        reason=None,
    )


def _close(row: Row, extractor: str) -> NewEntry:
    return NewEntry(
        event="close", space=row["space_id"], record_no=row["record_no"], record_id=row["record_id"],
        detail={"not_found_by": extractor},
    )  # fmt: skip
